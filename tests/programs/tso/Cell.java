package tso;

import java.lang.invoke.VarHandle;

/**
 * A shared number, by a word: a plain field, a volatile one, or a plain one with a fence after each write.
 */
abstract class Cell {
    abstract int get();

    abstract void set(int value);

    static Cell of(String kind, int value) {
        Cell cell = kind.equals("plain") ? new Plain() : kind.equals("volatile") ? new Volatile() : new Fenced();
        cell.set(value);
        return cell;
    }

    static class Plain extends Cell {
        private int value;

        @Override
        int get() {
            return value;
        }

        @Override
        void set(int to) {
            value = to;
        }
    }

    static class Volatile extends Cell {
        private volatile int value;

        @Override
        int get() {
            return value;
        }

        @Override
        void set(int to) {
            value = to;
        }
    }

    static class Fenced extends Plain {
        @Override
        void set(int to) {
            super.set(to);
            VarHandle.fullFence();
        }
    }
}
