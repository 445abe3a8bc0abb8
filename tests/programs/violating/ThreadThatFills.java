package violating;

/**
 * A thread does nothing but fill an array of its own. It has done something all the same: who starts it and waits for it is not atomic.
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
