package atomic;

/**
 * A worker writes, and the reader waits for its end first.
 */
public class JoinBeforeRead {
    private int left;
    private int right;

    void write(int value) {
        left = value;
        right = value;
    }

    int read() {
        return left + right;
    }

    public static void main(String[] args) throws InterruptedException {
        JoinBeforeRead data = new JoinBeforeRead();
        Thread worker = new Thread(() -> data.write(21), "worker");
        worker.start();
        worker.join();
        System.out.println("read " + data.read());
    }
}
