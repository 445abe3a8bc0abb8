package dev.regiontrack.runtime.threads;

/** A thread of the agent: neither its start nor its actions are events. */
public final class OwnThread extends Thread {
    /** Makes a daemon in the group of the JVM's own threads, which inherits nothing from threads of the program. */
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
