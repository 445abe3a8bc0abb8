package played;

import schedule.Script;

/**
 * The blocks of schedules. Each does what its thread does up to the block's end.
 */
final class Blocks {
    private Blocks() {
    }

    static void m0(int thread) {
        Script.done();
        Play.steps(thread);
        Script.await(thread);
    }

    static void m1(int thread) {
        Script.done();
        Play.steps(thread);
        Script.await(thread);
    }

    static void m2(int thread) {
        Script.done();
        Play.steps(thread);
        Script.await(thread);
    }

    static void m3(int thread) {
        Script.done();
        Play.steps(thread);
        Script.await(thread);
    }

    static void m4(int thread) {
        Script.done();
        Play.steps(thread);
        Script.await(thread);
    }

    static void m5(int thread) {
        Script.done();
        Play.steps(thread);
        Script.await(thread);
    }
}
