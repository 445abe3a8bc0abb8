package programs;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** Rhino: threads that compile JavaScript once and run it over a scope that they share. */
public final class Rhino {
    private static final String LIBRARY = "function Node(key) { this.key = key; this.left = null; this.right = null; }\n"
        + "Node.prototype.insert = function (key) { if (key == this.key) return; var side = key < this.key ? 'left' : 'right';\n"
        + "  if (this[side]) this[side].insert(key); else this[side] = new Node(key); };\n"
        + "Node.prototype.walk = function (visit) { if (this.left) this.left.walk(visit); visit(this.key); if (this.right) this.right.walk(visit); };\n"
        + "function run(seed, size) { var x = seed, root = new Node(5000); for (var i = 0; i < size; i++) { x = (x * 1103515245 + 12345) % 2147483648;\n"
        + "  root.insert(x % 10000); } var sum = 0, words = []; root.walk(function (key) { sum = (sum * 31 + key) % 1000003;\n"
        + "  if (key % 10 == 0) words.push('k' + key); }); return sum + ' ' + words.join(',').replace(/k1/g, 'one').length; }";

    private Rhino() {
    }

    /** The arguments are threads and runs of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Scriptable library;
        try (Context context = Context.enter()) {
            library = context.initStandardObjects();
            context.evaluateString(library, LIBRARY, "library.js", 1, null);
            ((ScriptableObject) library).sealObject();
        }
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            try (Context context = Context.enter()) {
                Scriptable scope = context.newObject(library);
                scope.setPrototype(library);
                scope.setParentScope(null);
                Script script = context.compileString("run(seed, 300)", "run.js", 1, null);
                for (int i = 0; i < size; i++) {
                    scope.put("seed", scope, number * size + i);
                    digest.add(Context.toString(script.exec(context, scope)));
                }
            }
            return digest;
        });
    }
}
