package dev.regiontrack.attach;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import dev.regiontrack.attach.Attach.Refused;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/** Other JVMs, by the JDK's attach API. */
final class Machines {
    private static final int OLDEST = 11;
    /** The property that the agent leaves in the JVM's agent properties: what was attached after a {@code +}, otherwise why it was not. */
    private static final String ATTACHED = "regiontrack.attached";
    private static final String DISABLED = "-XX:+DisableAttachMechanism";
    private static final String AT_START = "; start the program with -javaagent:regiontrack.jar instead";

    private Machines() {
    }

    /** Returns a line for each JVM: process id, tab, main class with its arguments. */
    static String list() {
        StringBuilder lines = new StringBuilder();
        String own = Long.toString(ProcessHandle.current().pid());
        for (VirtualMachineDescriptor each : VirtualMachine.list()) {
            if (!each.id().equals(own)) {
                lines.append(lines.length() == 0 ? "" : "\n").append(each.id()).append('\t').append(each.displayName());
            }
        }
        return lines.toString();
    }

    /** Attaches the agent in a jar to a process. Returns the message for the user. */
    static String attach(String process, String jar, String options) throws Refused {
        requireAttachable(process);
        VirtualMachine machine = open(process);
        try {
            Properties system = machine.getSystemProperties();
            requireNew(process, system);
            String before = told(machine);
            load(machine, process, jar, options);
            String now = told(machine);
            if (now == null || now.equals(before) && now.startsWith("+")) {
                throw new Refused("process " + process + ": the agent could not start; why is on the standard error of the process");
            } else if (!now.startsWith("+")) {
                throw new Refused("process " + process + ": not attached: " + now);
            }
            return "attached to process " + process + " (" + name(machine) + ", Java " + system.getProperty("java.version") + "): " + now.substring(1);
        } catch (IOException e) {
            throw new Refused("process " + process + " does not answer: " + e.getMessage());
        } finally {
            try {
                machine.detach();
            } catch (IOException e) {
                // The JVM has ended, or will notice.
            }
        }
    }

    /**
     * Checks without contacting the process: the attach request is a signal, which would end a process that is no JVM, and make a JVM that disallows
     * attaching print all of its threads.
     */
    private static void requireAttachable(String process) throws Refused {
        String name = "process " + process;
        Optional<ProcessHandle> found = ProcessHandle.of(Long.parseLong(process)).filter(ProcessHandle::isAlive);
        if (found.isEmpty()) {
            throw new Refused("there is no process " + process + "; regiontrack attach without a process lists those that are JVMs");
        }
        String owner = found.get().info().user().orElse("");
        String user = System.getProperty("user.name");
        if (!owner.isEmpty() && !owner.equals(user) && !user.equals("root")) {
            throw new Refused(name + " belongs to " + owner + "; run the command as that user");
        }
        if (VirtualMachine.list().stream().anyMatch(each -> each.id().equals(process))) {
            return;
        }
        File data = new File(System.getProperty("java.io.tmpdir"), "hsperfdata_" + (owner.isEmpty() ? user : owner) + File.separatorChar + process);
        if (data.exists() || of(process, "cmdline").contains(DISABLED)) {
            throw new Refused(name + " lets nobody attach (" + DISABLED + ")" + AT_START);
        }
        if (!of(process, "maps").contains("libjvm")) {
            throw new Refused(name + " is no JVM; regiontrack attach without a process lists those that are");
        }
    }

    /** Returns what Linux says about a process; empty if it says nothing. */
    private static String of(String process, String file) {
        try {
            return new String(Files.readAllBytes(Path.of("/proc", process, file)), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static VirtualMachine open(String process) throws Refused {
        try {
            return VirtualMachine.attach(process);
        } catch (AttachNotSupportedException e) {
            throw new Refused("process " + process + " is not a JVM that can be attached to: " + e.getMessage());
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            throw new Refused(why.contains("No such process") ? "there is no process " + process
                : why.contains("permitted") || why.contains("Permission") ? "process " + process + " belongs to another user; run the command as that user"
                : "process " + process + " cannot be attached to: " + why);
        }
    }

    private static void requireNew(String process, Properties system) throws Refused {
        String version = system.getProperty("java.specification.version", "");
        if (Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version) < OLDEST) {
            throw new Refused("process " + process + " is a JVM of Java " + version + ", which is too old; run the program on Java " + OLDEST + " or newer");
        }
    }

    private static void load(VirtualMachine machine, String process, String jar, String options) throws Refused, IOException {
        try {
            machine.loadAgent(jar, options);
        } catch (AgentLoadException e) {
            String why = String.valueOf(e.getMessage());
            if (why.contains("not enabled")) {
                throw new Refused("process " + process + " takes no agents once it runs (-XX:-EnableDynamicAgentLoading)" + AT_START);
            }
            throw new Refused("process " + process + " cannot load the agent " + jar + ": " + why);
        } catch (AgentInitializationException e) {
            throw new Refused("process " + process + " cannot load the agent " + jar + ": " + e.getMessage() + "; it must be able to read that file");
        }
    }

    private static String told(VirtualMachine machine) throws IOException {
        return machine.getAgentProperties().getProperty(ATTACHED);
    }

    /** Returns the main class or jar. */
    private static String name(VirtualMachine machine) throws IOException {
        String command = machine.getAgentProperties().getProperty("sun.java.command", "").trim();
        int space = command.indexOf(' ');
        return command.isEmpty() ? "unknown program" : space < 0 ? command : command.substring(0, space);
    }
}
