package rare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An iteration over a synchronized list, from which another thread removes. */
public final class Iteration {
    private Iteration() {
    }

    private static List<String> three() {
        return Collections.synchronizedList(new ArrayList<>(List.of("a", "b", "c")));
    }

    public static final class Wrong extends Pair {
        private final List<String> list = three();
        private int length;

        @Override
        public void one() {
            for (String text : list) {
                length += text.length();
            }
        }

        @Override
        public void other() {
            list.remove("a");
        }

        @Override
        public boolean isRight() {
            return length == 3 || length == 2;
        }
    }

    public static final class Right extends Pair {
        private final List<String> list = three();
        private int length;

        @Override
        public void one() {
            synchronized (list) {
                for (String text : list) {
                    length += text.length();
                }
            }
        }

        @Override
        public void other() {
            list.remove("a");
        }

        @Override
        public boolean isRight() {
            return length == 3 || length == 2;
        }
    }
}
