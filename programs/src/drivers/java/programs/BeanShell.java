package programs;

import bsh.Interpreter;

/** BeanShell: an interpreter in each thread. */
public final class BeanShell {
    private static final String PROGRAM = "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }\n"
        + "sum(list) { int s = 0; for (x : list) { s = (s * 31 + x) % 1000003; } return s; }\n"
        + "list = new ArrayList(); x = seed; for (int i = 0; i < 200; i++) { x = (x * 1103L + 12345L) % 65536L; list.add((int) x); }\n"
        + "Collections.sort(list); result = fib(10) + \" \" + sum(list);\n";

    private BeanShell() {
    }

    /** The arguments are threads and runs of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            Interpreter interpreter = new Interpreter();
            for (int i = 0; i < size; i++) {
                interpreter.set("seed", (long) (number * size + i));
                interpreter.eval(PROGRAM);
                digest.add(interpreter.get("result"));
            }
            return digest;
        });
    }
}
