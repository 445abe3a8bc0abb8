import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.management.ObjectName;

/** {@code Directives PATTERN..}: prints whether the JVM's compilers have a directive with each pattern. */
public class Directives {
    public static void main(String[] args) throws Exception {
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        Object told = ManagementFactory.getPlatformMBeanServer().invoke(commands, "compilerDirectivesPrint", null, null);
        System.out.println(Arrays.stream(args).map(pattern -> "" + told.toString().contains(pattern)).collect(Collectors.joining(" ")));
    }
}
