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
        print(n::write);
    }
}
