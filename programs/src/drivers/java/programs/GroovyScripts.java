package programs;

import groovy.lang.Binding;
import groovy.lang.GroovyShell;

/** Groovy: threads that compile scripts and run them. */
public final class GroovyScripts {
    private static final String SCRIPT = "class Item { String name; int price; def total(n) { price * n } }\n"
        + "def items = (1..size).collect { new Item(name: \"item ${it % 17}\", price: (it * 7919 + seed) % 101) }\n"
        + "def groups = items.groupBy { it.name }.collectEntries { k, v -> [k, v.sum { it.total(3) }] }\n"
        + "def text = new StringBuilder()\n"
        + "groups.sort { a, b -> b.value <=> a.value ?: a.key <=> b.key }.each { k, v -> text << \"$k: $v\\n\" }\n"
        + "def fib\nfib = { n -> n < 2 ? n : fib(n - 1) + fib(n - 2) }\n"
        + "text << fib(12) << items.findAll { it.price > 50 }*.price.inject(0) { a, b -> (a * 31 + b) % 1000003 }\n"
        + "text.toString()\n";

    private GroovyScripts() {
    }

    /** The arguments are threads and scripts of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            GroovyShell shell = null;
            for (int i = 0; i < size; i++) {
                if (i % 50 == 0) {
                    shell = new GroovyShell();
                }
                Binding binding = new Binding();
                binding.setVariable("size", 300);
                binding.setVariable("seed", number * size + i);
                groovy.lang.Script script = shell.parse(SCRIPT);
                script.setBinding(binding);
                digest.add(script.run());
            }
            return digest;
        });
    }
}
