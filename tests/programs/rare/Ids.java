package rare;

/** Numbers that are given out from a static field: one twice, if two threads read it before one of them writes. */
public final class Ids {
    private static volatile int next;

    private Ids() {
    }

    private abstract static class TwoIds extends Pair {
        private final int before = next;

        @Override
        public final boolean isRight() {
            return next == before + 2;
        }
    }

    public static final class Wrong extends TwoIds {
        @Override
        public void one() {
            int id = next;
            next = id + 1;
        }
    }

    public static final class Right extends TwoIds {
        @Override
        public void one() {
            synchronized (Ids.class) {
                int id = next;
                next = id + 1;
            }
        }
    }
}
