package dev.regiontrack.runtime.threads;

/** A thread of the agent: its start, and what it does, are no events. */
public final class OwnThread extends Thread {
    /** A daemon in the group of the JVM's own threads, without what threads of the program hand on. */
    public OwnThread(String name, Runnable work) {
        super(outermost(), work, name, 0, false);
        setDaemon(true);
    }

    private static ThreadGroup outermost() {
        ThreadGroup group = currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
