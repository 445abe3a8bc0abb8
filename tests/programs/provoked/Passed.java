package provoked;

import java.util.ArrayList;
import java.util.List;
import java.util.Vector;

/** A collection that is the argument of a call: what is called is another one, which is the same for all. */
public final class Passed {
    private final Vector<String> mails = new Vector<>(List.of("a"));

    // block provoked.Passed.send(java.util.List)
    void send(List<String> wire) {
        wire.addAll(mails); // first provoked.Passed.send read addAll()
        Places.work();
        mails.clear(); // last provoked.Passed.send write clear()
    }

    void post(String mail) {
        mails.add(mail); // other provoked.Passed.post write add()
    }

    public static void main(String[] args) throws InterruptedException {
        Passed passed = new Passed();
        Places.together(() -> passed.send(new ArrayList<>()), () -> passed.post("b"));
    }
}
