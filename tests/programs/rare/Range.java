package rare;

/** A setting that is looked at twice, and replaced by another thread. */
public final class Range {
    private Range() {
    }

    public static final class Wrong extends Pair {
        private volatile int[] bounds = {1, 2};
        private int width = 1;

        @Override
        public void one() {
            int low = bounds[0];
            width = bounds[1] - low;
        }

        @Override
        public void other() {
            bounds = new int[] {11, 12};
        }

        @Override
        public boolean isRight() {
            return width == 1;
        }
    }

    public static final class Right extends Pair {
        private volatile int[] bounds = {1, 2};
        private int width = 1;

        @Override
        public void one() {
            int[] now = bounds;
            int low = now[0];
            width = now[1] - low;
        }

        @Override
        public void other() {
            bounds = new int[] {11, 12};
        }

        @Override
        public boolean isRight() {
            return width == 1;
        }
    }
}
