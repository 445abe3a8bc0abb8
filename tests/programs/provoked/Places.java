package provoked;

/** What the programs have in common. The comments in them are the candidate: {@code tests/tests/agent/provoke} reads them. */
final class Places {
    private Places() {
    }

    /** Something between two accesses that no other thread sees. */
    static void work() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            text.append(i);
        }
        if (text.length() != 10) {
            throw new AssertionError(text);
        }
    }

    /** Two threads that do one thing each. */
    static void together(Runnable one, Runnable other) throws InterruptedException {
        Thread first = new Thread(one, "one");
        Thread second = new Thread(other, "other");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("done");
    }
}
