package rare;

/**
 * What two threads do with one object, once each, and whether it has gone well. Each file of this folder has a class with two of them: in {@code Wrong} another thread
 * can come between two steps of a method, in {@code Right} it cannot.
 */
public abstract class Pair {
    /** What the thread does that comes first. */
    public abstract void one() throws Exception;

    /** What the thread does that comes some milliseconds later. */
    public void other() throws Exception {
        one();
    }

    /** Whether what both have left could also have come about one after the other. */
    public abstract boolean isRight();

    /** Runs both at the same time; by default in two threads. */
    public void together(Runnable one, Runnable other) throws Exception {
        Thread first = new Thread(one, "one");
        Thread second = new Thread(other, "other");
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
