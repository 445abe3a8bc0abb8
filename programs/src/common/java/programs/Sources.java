package programs;

import java.util.SplittableRandom;

/** Java sources for compilers and analysers, generated in the requested size. */
final class Sources {
    private Sources() {
    }

    /** Generates a class with this name, its own seed and some methods. */
    static String javaClass(String name, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder("public class ").append(name).append(" {\n    private int state = ").append(seed)
            .append(";\n    private final java.util.Map cache = new java.util.HashMap();\n");
        for (int i = 0; i < 10; i++) {
            method(text, i, random);
        }
        text.append("    public int all(int n) {\n        int sum = 0;\n        for (int i = 0; i < n; i++) {\n");
        for (int i = 0; i < 10; i++) {
            text.append("            sum = sum * 31 + m").append(i).append("(i);\n");
        }
        return text.append("        }\n        return sum;\n    }\n}\n").toString();
    }

    private static void method(StringBuilder text, int number, SplittableRandom random) {
        int a = 1 + random.nextInt(100);
        int b = 1 + random.nextInt(100);
        text.append("    public int m").append(number).append("(int x) {\n        Object key = \"k\" + (x % ").append(a).append(");\n")
            .append("        Integer known = (Integer) cache.get(key);\n        if (known != null) {\n            return known.intValue();\n        }\n")
            .append("        int y = x * ").append(a).append(" + state;\n        switch (y % 3) {\n            case 0:\n                y += ")
            .append(b).append(";\n                break;\n            case 1:\n                y ^= ").append(b)
            .append(";\n                break;\n            default:\n                y -= x;\n        }\n        try {\n")
            .append("            state = y / (x % ").append(b).append(");\n        } catch (ArithmeticException e) {\n            state = y;\n        } finally {\n")
            .append("            cache.put(key, Integer.valueOf(y));\n        }\n        return y;\n    }\n");
    }
}
