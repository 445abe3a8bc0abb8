package programs;

import org.python.core.PyCode;
import org.python.core.PySystemState;
import org.python.util.PythonInterpreter;

/** Jython: an interpreter in each thread. */
public final class Jython {
    private static final String PROGRAM = "class Account(object):\n"
        + "    def __init__(self, name):\n        self.name, self.entries = name, []\n"
        + "    def add(self, amount):\n        self.entries.append(amount)\n        return self\n"
        + "    @property\n    def balance(self):\n        return sum(self.entries)\n"
        + "accounts = dict(('a%d' % i, Account('a%d' % i)) for i in range(20))\n"
        + "x = seed\n"
        + "for i in range(size):\n    x = (x * 1103515245 + 12345) % 2147483648\n    accounts['a%d' % (x % 20)].add(x % 100 - 40)\n"
        + "result = ';'.join('%s=%d' % (k, accounts[k].balance) for k in sorted(accounts))\n";

    private Jython() {
    }

    /** The arguments are threads and runs of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        PySystemState.initialize();
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            try (PythonInterpreter python = new PythonInterpreter(null, new PySystemState())) {
                PyCode code = python.compile(PROGRAM);
                python.set("size", 300);
                for (int i = 0; i < size; i++) {
                    python.set("seed", number * size + i);
                    python.exec(code);
                    digest.add(python.get("result", String.class));
                }
            }
            return digest;
        });
    }
}
