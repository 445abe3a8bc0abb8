package life;

import java.io.File;

/**
 * Starts the same program in another JVM, which reads the same options from the environment, and continues when it has
 * ended.
 */
public class StartsItself {
    private int steps;

    synchronized void step() {
        steps++;
    }

    public static void main(String[] args) throws Exception {
        StartsItself work = new StartsItself();
        work.step();
        if (args.length == 0) {
            String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
            String path = System.getProperty("java.class.path");
            Process child = new ProcessBuilder(java, "-cp", path, StartsItself.class.getName(), "child").inheritIO().start();
            System.out.println("the child ended with " + child.waitFor());
        }
        work.step();
        System.out.println(args.length == 0 ? "parent" : "child");
    }
}
