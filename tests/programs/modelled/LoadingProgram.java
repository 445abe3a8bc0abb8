package modelled;

/**
 * Does what orders are known of in classes of another {@link LoadingLoader}, and has it load the rest of the platform's classes in the middle.
 */
public final class LoadingProgram {
    private LoadingProgram() {
    }

    public static void main(String[] args) throws Exception {
        try (LoadingLoader loader = new LoadingLoader(LoadingLoader.class.getClassLoader())) {
            run("violating.TaskNeededFirst", loader);
            LoadingLoader.loadAll();
            run("violating.TasksInside", loader);
        }
    }

    private static void run(String program, LoadingLoader loader) throws Exception {
        Class.forName(program, true, loader).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }
}
