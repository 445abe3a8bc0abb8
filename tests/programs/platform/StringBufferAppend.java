package platform;

import schedule.Steps;

/**
 * The best known of these mistakes: a buffer asks another one for its length, and then for its characters. Nothing in between can be made to wait, so the
 * second thread comes when the first is done.
 */
// include: java.lang.StringBuffer
// predicted: java.lang.StringBuffer.append(java.lang.StringBuffer)
public class StringBufferAppend {
    public static void main(String[] args) throws InterruptedException {
        StringBuffer to = new StringBuffer("a");
        StringBuffer from = new StringBuffer("bc");
        Steps.run(() -> {
            to.append(from);
            Steps.done(1);
        }, () -> {
            Steps.await(1);
            from.setLength(0);
        });
        System.out.println("" + to + from);
    }
}
