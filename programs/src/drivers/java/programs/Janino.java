package programs;

import org.codehaus.janino.SimpleCompiler;

/** Janino: threads that compile classes in memory, load them and run them. */
public final class Janino {
    private Janino() {
    }

    /** The arguments are threads and classes of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                SimpleCompiler compiler = new SimpleCompiler();
                compiler.cook(Sources.javaClass("Generated", number * size + i));
                Class<?> generated = compiler.getClassLoader().loadClass("Generated");
                Object instance = generated.getConstructor().newInstance();
                digest.add(generated.getMethod("all", int.class).invoke(instance, 50));
            }
            return digest;
        });
    }
}
