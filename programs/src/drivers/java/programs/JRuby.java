package programs;

import org.jruby.embed.EmbedEvalUnit;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;

/** JRuby: a runtime in each thread. */
public final class JRuby {
    private static final String PROGRAM = "Item = Struct.new(:name, :price) unless defined?(Item)\n"
        + "x = $seed\nitems = (1..300).map { |i| x = (x * 1103515245 + 12345) % 2147483648; Item.new(\"item #{x % 17}\", x % 101) }\n"
        + "groups = items.group_by(&:name).map { |k, v| [k, v.map(&:price).inject(0, :+)] }.sort\n"
        + "groups.map { |k, v| \"#{k}=#{v}\" }.join(';').gsub(/item (\\d)\\b/) { \"i#{$1}\" }\n";

    private JRuby() {
    }

    /** The arguments are threads and runs of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETHREAD);
            EmbedEvalUnit unit = ruby.parse(PROGRAM);
            for (int i = 0; i < size; i++) {
                ruby.getProvider().getRuntime().getGlobalVariables().set("$seed",
                    ruby.getProvider().getRuntime().newFixnum(number * size + i));
                digest.add(unit.run());
            }
            ruby.terminate();
            return digest;
        });
    }
}
