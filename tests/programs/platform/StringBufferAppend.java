package platform;

import schedule.Steps;

/**
 * The best known of these mistakes: a buffer asks another one for its length, and then for its characters. Nothing in between can be made to wait, so the
 * second thread comes when the first is done.
 */
// include: java.lang.StringBuffer
// predicted: java.lang.StringBuffer.append(java.lang.StringBuffer)
public class StringBufferAppend {
    /** Objects of other subclasses are not watched: no finding. */
    static boolean isSame(StringBuilder builder) {
        int length = builder.length();
        Steps.done(2);
        Steps.await(3);
        return builder.length() == length;
    }

    public static void main(String[] args) throws InterruptedException {
        StringBuffer to = new StringBuffer("a");
        StringBuffer from = new StringBuffer("bc");
        StringBuilder builder = new StringBuilder();
        Steps.run(() -> {
            to.append(from);
            Steps.done(1);
            isSame(builder);
        }, () -> {
            Steps.await(1);
            from.setLength(0);
            Steps.await(2);
            builder.append("d");
            Steps.done(3);
        });
        System.out.println(builder.toString() + to + from);
    }
}
