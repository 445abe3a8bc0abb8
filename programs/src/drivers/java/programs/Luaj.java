package programs;

import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.jse.JsePlatform;

/** LuaJ: an interpreter in each thread. */
public final class Luaj {
    private static final String PROGRAM = "local function qsort(t, lo, hi) if lo < hi then local p, i = t[hi], lo - 1\n"
        + "for j = lo, hi - 1 do if t[j] <= p then i = i + 1; t[i], t[j] = t[j], t[i] end end\n"
        + "t[i + 1], t[hi] = t[hi], t[i + 1]; qsort(t, lo, i); qsort(t, i + 2, hi) end end\n"
        + "local Account = {}; Account.__index = Account\n"
        + "function Account.new() return setmetatable({balance = 0}, Account) end\nfunction Account:add(n) self.balance = self.balance + n end\n"
        + "local t, x, a = {}, seed, Account.new()\nfor i = 1, 500 do x = (x * 1103 + 12345) % 65536; t[i] = x; a:add(x % 10) end\n"
        + "qsort(t, 1, #t)\nreturn table.concat(t, ','):gsub('1', 'one'):len() .. ' ' .. a.balance\n";

    private Luaj() {
    }

    /** The arguments are threads and runs of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            Globals globals = JsePlatform.standardGlobals();
            LuaValue chunk = globals.load(PROGRAM, "program");
            for (int i = 0; i < size; i++) {
                globals.set("seed", number * size + i);
                digest.add(chunk.call().tojstring());
            }
            return digest;
        });
    }
}
