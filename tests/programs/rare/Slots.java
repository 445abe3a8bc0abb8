package rare;

/** An element of an array that is looked at and then filled. */
public final class Slots {
    private Slots() {
    }

    public static final class Wrong extends Pair {
        private final Object[] slots = new Object[2];

        @Override
        public void one() {
            Object mine = new Object();
            if (slots[0] == null) {
                slots[0] = mine;
            } else {
                slots[1] = mine;
            }
        }

        @Override
        public boolean isRight() {
            return slots[1] != null;
        }
    }

    public static final class Right extends Pair {
        private final Object[] slots = new Object[2];

        @Override
        public void one() {
            Object mine = new Object();
            synchronized (slots) {
                if (slots[0] == null) {
                    slots[0] = mine;
                } else {
                    slots[1] = mine;
                }
            }
        }

        @Override
        public boolean isRight() {
            return slots[1] != null;
        }
    }
}
