/** What the JVM's messages say about null pointers and indices in fields and elements. */
public class NullMessages {
    final String[] names = new String[3];
    final String[][] deep = {null, {null}};
    final int[][] grid = new int[2][];
    static NullMessages[] all = new NullMessages[2];
    static String text;
    NullMessages next;
    String[] others = names;
    int i = 1;
    long[] longs;
    double d;

    interface Access {
        Object get() throws Exception;
    }

    /** More than once: the first access of a thread takes another path than the next. */
    static void print(Access access) {
        for (int k = 0; k < 3; k++) {
            try {
                System.out.println(access.get());
            } catch (Exception e) {
                System.out.println(e.getMessage());
            }
        }
    }

    Object local() {
        String[] x = others;
        int j = 1;
        return x[j].trim();
    }

    /** A method that its receiver selects, and that keeps no array. */
    Object first(int at, Object... all) {
        return all[at];
    }

    final Object fixed(Object... all) {
        return all[0];
    }

    Object receiver() {
        NullMessages none = next;
        return none.first(i, "a", "b").hashCode();
    }

    Object write() {
        all[i].next = this;
        return i;
    }

    public static void main(String[] args) {
        NullMessages n = new NullMessages();
        print(() -> n.others[n.i].length());
        print(() -> n.next.next.i);
        print(() -> text.length());
        print(() -> all[n.i].others[n.i]);
        print(() -> n.grid[n.i][n.i]);
        print(() -> n.longs[n.i]);
        print(() -> n.deep[0][n.i]);
        print(() -> n.deep[1][n.i - 1].length());
        print(() -> n.names[n.i + 6]);
        print(() -> n.next.d += 1);
        print(n::local);
        print(n::receiver);
        print(() -> n.next.first(1, null, n.i));
        print(() -> n.first(1, n, n.next).hashCode());
        print(() -> n.fixed(n.next, "c").hashCode());
        print(() -> n.next.fixed(n.longs[n.i]));
        print(n::write);
    }
}
