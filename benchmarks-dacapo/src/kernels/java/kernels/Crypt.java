package kernels;

import java.util.Arrays;
import java.util.Random;

/**
 * Encrypts and decrypts an array of bytes; {@code SIZE} is its length. The blocks are divided among the threads.
 *
 * <p>Checked: the cipher maps its published test vector as it should, and what was decrypted is what was encrypted.
 */
public final class Crypt extends Kernel {
    private byte[] plain;
    private byte[] encrypted;
    private byte[] decrypted;
    private Idea encryption;
    private Idea decryption;
    private Barrier barrier;

    private Crypt(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new Crypt(arguments).run();
    }

    protected void prepare() {
        Random random = new Random(size);
        int[] key = new int[8];
        for (int i = 0; i < key.length; i++) {
            key[i] = random.nextInt(1 << 16);
        }
        encryption = Idea.encryption(key);
        decryption = encryption.inverse();
        plain = new byte[size / Idea.BLOCK * Idea.BLOCK];
        random.nextBytes(plain);
        encrypted = new byte[plain.length];
        decrypted = new byte[plain.length];
        barrier = new Barrier(threads);
    }

    protected Runnable worker(final int number) {
        return new Runnable() {
            public void run() {
                int blocks = plain.length / Idea.BLOCK;
                int from = begin(number, blocks) * Idea.BLOCK;
                int to = begin(number + 1, blocks) * Idea.BLOCK;
                encryption.cipher(plain, encrypted, from, to);
                barrier.pass();
                decryption.cipher(encrypted, decrypted, from, to);
            }
        };
    }

    protected String check() {
        byte[] vector = {0, 0, 0, 1, 0, 2, 0, 3};
        Idea.encryption(new int[] {1, 2, 3, 4, 5, 6, 7, 8}).cipher(vector, vector, 0, vector.length);
        byte[] published = {0x11, (byte) 0xfb, (byte) 0xed, 0x2b, 0x01, (byte) 0x98, 0x6d, (byte) 0xe5};
        require(Arrays.equals(vector, published), "the test vector");
        require(Arrays.equals(plain, decrypted), "what was decrypted is not what was encrypted");
        Checksum sum = new Checksum();
        for (int i = 0; i < encrypted.length; i++) {
            sum.add((long) encrypted[i]);
        }
        return encrypted.length + " bytes, " + sum;
    }
}
