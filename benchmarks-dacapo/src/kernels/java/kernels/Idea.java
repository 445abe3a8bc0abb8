package kernels;

/** The block cipher IDEA of Lai and Massey (1991): eight rounds and a half, on blocks of four words of 16 bits. */
final class Idea {
    /** The length of a block in bytes. */
    static final int BLOCK = 8;
    private static final int ROUNDS = 8;
    private static final int SUBKEYS = 6 * ROUNDS + 4;

    /** The subkeys: six for each round, and four for the last half. */
    private final int[] subkeys;

    private Idea(int[] subkeys) {
        this.subkeys = subkeys;
    }

    /** Encrypts with a key of eight words: each further group of eight subkeys is the one before it, rotated by 25 bits. */
    static Idea encryption(int[] key) {
        int[] subkeys = new int[SUBKEYS];
        for (int i = 0; i < SUBKEYS; i++) {
            subkeys[i] = i < 8 ? key[i] : (subkeys[rotated(i, 1)] << 9 | subkeys[rotated(i, 2)] >>> 7) & 0xffff;
        }
        return new Idea(subkeys);
    }

    /** The word {@code by} places after word {@code i} in the group before. */
    private static int rotated(int i, int by) {
        return (i / 8 - 1) * 8 + (i + by) % 8;
    }

    /** Decrypts what this encrypts: the inverse of each subkey, in reverse order. */
    Idea inverse() {
        int[] inverse = new int[SUBKEYS];
        for (int round = 0; round <= ROUNDS; round++) {
            int to = 6 * round;
            int from = 6 * (ROUNDS - round);
            boolean isOuter = round == 0 || round == ROUNDS;
            inverse[to] = inverse(subkeys[from]);
            inverse[to + 1] = -subkeys[from + (isOuter ? 1 : 2)] & 0xffff;
            inverse[to + 2] = -subkeys[from + (isOuter ? 2 : 1)] & 0xffff;
            inverse[to + 3] = inverse(subkeys[from + 3]);
            if (round < ROUNDS) {
                inverse[to + 4] = subkeys[from - 2];
                inverse[to + 5] = subkeys[from - 1];
            }
        }
        return new Idea(inverse);
    }

    /** The inverse of multiplication modulo the prime 65537, by Fermat's little theorem. */
    private static int inverse(int x) {
        int power = 1;
        for (int bit = 1 << 15; bit != 0; bit >>= 1) {
            // The exponent is 65535: all sixteen bits are ones.
            power = times(times(power, power), x);
        }
        return power;
    }

    /** Multiplication modulo 65537, where 0 stands for 65536. */
    private static int times(int a, int b) {
        if (a == 0) {
            return 1 - b & 0xffff;
        }
        if (b == 0) {
            return 1 - a & 0xffff;
        }
        return (int) ((long) a * b % 0x10001) & 0xffff;
    }

    /** Ciphers the blocks of {@code from} that begin in this range. */
    void cipher(byte[] from, byte[] to, int begin, int end) {
        for (int at = begin; at < end; at += BLOCK) {
            block(from, to, at);
        }
    }

    private void block(byte[] from, byte[] to, int at) {
        int a = word(from, at);
        int b = word(from, at + 2);
        int c = word(from, at + 4);
        int d = word(from, at + 6);
        int k = 0;
        for (int round = 0; round < ROUNDS; round++) {
            a = times(a, subkeys[k++]);
            b = b + subkeys[k++] & 0xffff;
            c = c + subkeys[k++] & 0xffff;
            d = times(d, subkeys[k++]);
            int left = times(a ^ c, subkeys[k++]);
            int right = times(left + (b ^ d) & 0xffff, subkeys[k++]);
            left = left + right & 0xffff;
            a ^= right;
            d ^= left;
            int swapped = b ^ left;
            b = c ^ right;
            c = swapped;
        }
        put(to, at, times(a, subkeys[k]));
        put(to, at + 2, c + subkeys[k + 1]);
        put(to, at + 4, b + subkeys[k + 2]);
        put(to, at + 6, times(d, subkeys[k + 3]));
    }

    private static int word(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    private static void put(byte[] bytes, int at, int word) {
        bytes[at] = (byte) (word >> 8);
        bytes[at + 1] = (byte) word;
    }
}
