package programs;

import clojure.java.api.Clojure;
import clojure.lang.Compiler;
import clojure.lang.IFn;
import java.io.StringReader;

/** Clojure: threads whose transactions move amounts between refs, and count in an atom. */
public final class ClojureStm {
    private static final String PROGRAM = "(ns bank)\n(def accounts (vec (repeatedly 20 #(ref 1000))))\n(def moves (atom 0))\n"
        + "(defn transfer [from to amount] (dosync (alter (accounts from) - amount) (alter (accounts to) + amount)) (swap! moves inc))\n"
        + "(defn work [seed size] (loop [i 0 x (long seed)] (when (< i size)\n"
        + "  (let [x (rem (+ (* x 1103) 12345) 65536) from (rem x 20) to (rem (+ from 1 (rem (quot x 20) 19)) 20)]\n"
        + "    (transfer from to (rem x 50)) (recur (inc i) x)))) (reduce + (map #(count (str %)) (take-while #(< % 500) (filter even? (range))))))\n"
        + "(defn total [] (str @moves \" moves, \" (dosync (vec (map deref accounts)))))\n";

    private ClojureStm() {
    }

    /** The arguments are threads and transactions of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Clojure.var("clojure.core", "require");
        Compiler.load(new StringReader(PROGRAM));
        IFn work = Clojure.var("bank", "work");
        Team.print(Integer.parseInt(arguments[0]), number -> work.invoke(number + 1, size));
        System.out.println(Clojure.var("bank", "total").invoke());
        Clojure.var("clojure.core", "shutdown-agents").invoke();
    }
}
