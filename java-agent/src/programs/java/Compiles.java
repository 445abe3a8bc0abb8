/** Exits with 0 on a JVM that the ecj of the tests runs on and that has the JDK's classes to compile against. */
public class Compiles {
    public static void main(String[] args) {
        boolean hasImages = new java.io.File(System.getProperty("java.home"), "lib/jrt-fs.jar").exists();
        System.exit(Runtime.version().feature() >= 17 && hasImages ? 0 : 1);
    }
}
