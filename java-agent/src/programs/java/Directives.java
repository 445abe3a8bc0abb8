import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** {@code Directives PATTERN}: prints whether the JVM's compilers have a directive with that pattern. */
public class Directives {
    public static void main(String[] args) throws Exception {
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        Object told = ManagementFactory.getPlatformMBeanServer().invoke(commands, "compilerDirectivesPrint", null, null);
        System.out.println(told.toString().contains(args[0]));
    }
}
