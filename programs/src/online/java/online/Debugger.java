package online;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodExitRequest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Runs a driver and makes its first thread call {@link Race#gate()} at a place where the library calls none of our code: at the start of a
 * line or of a method, or at the end of a method. The library is the released one: a debugger only stops the thread.
 *
 * <p>{@code Debugger CLASS:LINE|CLASS.METHOD|CLASS.METHOD! OPTIONS MAIN}.
 */
public final class Debugger {
    private final VirtualMachine vm;
    private final String owner;
    private final String place;
    private final boolean isLine;
    private final boolean isEnd;

    private Debugger(VirtualMachine vm, String stop) {
        this.vm = vm;
        isLine = stop.indexOf(':') >= 0;
        int end = isLine ? stop.indexOf(':') : stop.lastIndexOf('.');
        owner = stop.substring(0, end);
        isEnd = stop.endsWith("!");
        place = stop.substring(end + 1, stop.length() - (isEnd ? 1 : 0));
    }

    public static void main(String[] args) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("options").setValue(args[1]);
        arguments.get("main").setValue(args[2]);
        arguments.get("suspend").setValue("true");
        VirtualMachine vm = connector.launch(arguments);
        Thread out = copying(vm.process().getInputStream(), System.out);
        Thread err = copying(vm.process().getErrorStream(), System.err);
        try {
            new Debugger(vm, args[0]).run();
        } catch (VMDisconnectedException e) {
            // The driver has ended.
        }
        int code = vm.process().waitFor();
        out.join();
        err.join();
        System.exit(code);
    }

    private static Thread copying(InputStream from, OutputStream to) {
        Thread thread = new Thread(() -> {
            try {
                from.transferTo(to);
                to.flush();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    /** Handles events until the driver ends, which is a {@link VMDisconnectedException}. */
    private void run() throws Exception {
        // Not earlier: an agent that transforms loaded classes when it starts would remove the breakpoints.
        awaitClass(Race.class.getName());
        vm.resume();
        for (;;) {
            EventSet events = vm.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof ClassPrepareEvent) {
                    prepared(((ClassPrepareEvent) event).referenceType());
                } else if (event instanceof BreakpointEvent) {
                    stopped(((BreakpointEvent) event).thread());
                } else if (event instanceof MethodExitEvent && ((MethodExitEvent) event).method().name().equals(place)) {
                    stopped(((MethodExitEvent) event).thread());
                }
            }
            events.resume();
        }
    }

    private void awaitClass(String name) {
        ClassPrepareRequest request = vm.eventRequestManager().createClassPrepareRequest();
        request.addClassFilter(name);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
    }

    private void prepared(ReferenceType type) throws Exception {
        if (type.name().equals(owner)) {
            stopIn(type);
            return;
        }
        awaitClass(owner);
        for (ReferenceType loaded : vm.classesByName(owner)) {
            stopIn(loaded);
        }
    }

    private void stopIn(ReferenceType type) throws Exception {
        if (isEnd) {
            MethodExitRequest request = vm.eventRequestManager().createMethodExitRequest();
            request.addClassFilter(type);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
            return;
        }
        List<Location> locations = new ArrayList<>();
        if (isLine) {
            locations.addAll(type.locationsOfLine(Integer.parseInt(place)).subList(0, 1));
        } else {
            // Only its own methods: a constructor of its superclass has the same name.
            type.methods().stream().filter(method -> method.name().equals(place)).forEach(method -> locations.add(method.location()));
        }
        for (Location location : locations) {
            BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(location);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
        }
    }

    /** Lets a thread pass the gate; only the first one waits there, and only once. */
    private void stopped(ThreadReference thread) throws Exception {
        if (thread.name().equals("first")) {
            ClassType race = (ClassType) vm.classesByName(Race.class.getName()).get(0);
            vm.eventRequestManager().deleteAllBreakpoints();
            vm.eventRequestManager().deleteEventRequests(vm.eventRequestManager().methodExitRequests());
            race.invokeMethod(thread, race.methodsByName("gate").get(0), Collections.emptyList(),
                ObjectReference.INVOKE_SINGLE_THREADED);
        }
    }
}
