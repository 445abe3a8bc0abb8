package platform;

import schedule.Steps;

/**
 * The JVM keeps the classes that a loader has loaded in a list. What it does there is nothing that the program does.
 */
// include: java.util.Vector:java.util.ArrayList:java.util.HashMap:java.util.concurrent.ConcurrentHashMap
public class ClassesLoaded {
    private static final class First {
    }

    private static final class Second {
    }

    private static final class Third {
    }

    static Object[] load() {
        Object first = new First();
        Steps.done(1);
        Steps.await(2);
        return new Object[] {first, new Second()};
    }

    static Object loadOne() {
        return new Third();
    }

    public static void main(String[] args) throws InterruptedException {
        Steps.run(() -> System.out.println(load().length), () -> {
            Steps.await(1);
            loadOne();
            Steps.done(2);
        });
    }
}
