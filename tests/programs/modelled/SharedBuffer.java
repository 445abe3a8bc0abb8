package modelled;

import schedule.Steps;

/**
 * A buffer that two threads share: each call is atomic, two together are not.
 */
public class SharedBuffer {
    private final StringBuffer text = new StringBuffer();

    void add(String name) {
        int end = text.length();
        Steps.done(1);
        Steps.await(2);
        text.insert(end, name);
    }

    public static void main(String[] args) throws InterruptedException {
        SharedBuffer buffer = new SharedBuffer();
        Steps.run(() -> buffer.add("first"), () -> {
            Steps.await(1);
            buffer.text.append("second");
            Steps.done(2);
        });
        System.out.println(buffer.text);
    }
}
