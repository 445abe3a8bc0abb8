package kernels;

/** Does nothing: what a run of it takes is the start and the end of the JVM. */
public final class Start {
    private Start() {
    }

    /** The program. */
    public static void main(String[] arguments) {
        System.out.println("started");
    }
}
