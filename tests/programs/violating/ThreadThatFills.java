package violating;

/**
 * A thread only fills its own array. That counts as an event: a method that starts and joins it is not atomic.
 */
public class ThreadThatFills {
    private static Object filled() {
        Object[] array = new Object[2];
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
        }
        return array[1];
    }

    // waits inside: violating.ThreadThatFills.startsAndJoins()
    void startsAndJoins() throws InterruptedException {
        Thread thread = new Thread(ThreadThatFills::filled);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws InterruptedException {
        new ThreadThatFills().startsAndJoins();
        System.out.println("filled");
    }
}
