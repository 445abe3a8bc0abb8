import jdk.jfr.Event;
import jdk.jfr.Recording;

/** An event of its own for Flight Recorder, which changes the event's class when it is first used. */
public class Recorded {
    static class Seen extends Event {
        int times;

        void add() {
            times++;
        }
    }

    private static void record() throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable(Seen.class);
            recording.start();
            Seen seen = new Seen();
            seen.begin();
            seen.add();
            seen.commit();
            recording.stop();
            System.out.println(seen.times);
        }
    }

    public static void main(String[] args) throws Exception {
        // Small runtimes do not have it.
        if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
            record();
        }
    }
}
