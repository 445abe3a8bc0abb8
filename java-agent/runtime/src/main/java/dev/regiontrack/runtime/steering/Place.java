package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.SiteText;
import java.util.Arrays;
import java.util.List;

/**
 * A place of a plan: all instructions of a line of a method that do the same to what has one name; in a method without lines a single instruction. Written
 * {@code com.example.Account.withdraw:12 read balance}, {@code com.example.Account.withdraw(int):@7 read balance}; {@code analysis-core/src/provoke} has the form.
 */
public final class Place {
    private static final String ESCAPE = "\\u";
    private static final int DIGITS = 4;
    /** Before an index. */
    private static final String INDEX = ":@";
    private static final Candidate[] NONE = new Candidate[0];
    private static final Step[] NO_STEPS = new Step[0];

    /** Its plan; null in tests. */
    final Plan plan;
    /** Its index among the places that code has calls for, which hooks pass. */
    public final int number;
    /** As the plan writes it. */
    public final String text;
    /** The class, with dots, and the method. */
    public final String type;
    public final String method;
    /** The types of the method's parameters, with commas between them; null if there is a line, which tells methods of one name apart. */
    private final String parameters;
    /** The line, or the index of an instruction as {@link SiteText#atIndex} has it. */
    public final int line;
    /** {@code read write acquire release}. */
    public final String action;
    /** A field's name, {@code []}, {@code get()}; empty for a monitor. */
    public final String name;

    /** The candidates of which it is this. */
    Candidate[] firsts = NONE;
    Candidate[] holds = NONE;
    Candidate[] lasts = NONE;
    Candidate[] enters = NONE;
    /** The steps of which it is the place, and those before which threads wait here whose turn it is not. */
    Step[] steps = NO_STEPS;
    Step[] gates = NO_STEPS;
    /** Threads are to be watched that pass it, or are about to. */
    boolean isWatched;
    boolean isAwaited;
    /** What is known of its code. */
    private final Code code;

    /** What is known of the code of a place, in whichever plan it is. */
    private static final class Code {
        /** Some instruction was found that is this place. */
        volatile boolean isFound;
        /** Of a monitor: it is entered or left in the method itself, and not by a call of the method. */
        volatile boolean isInMethod;
        /** Of a monitor: the descriptors of the synchronized methods that are found. Others of the same name leave it alone. Replaced as a whole. */
        volatile String[] synchronizedOnes = {};
    }

    /** Throws IllegalArgumentException if the text has another form. */
    Place(int number, String text) {
        this(number, text, null, null);
    }

    /** True if nobody is steered by its plan any more. */
    public boolean isOver() {
        return plan != null && plan.isOver();
    }

    /** The same place as another one of another plan, which can be null. */
    Place(int number, String text, Plan plan, Place other) {
        this.plan = plan;
        this.number = number;
        this.text = text;
        code = other == null ? new Code() : other.code;
        int space = text.indexOf(' ');
        int next = text.indexOf(' ', space + 1);
        String location = space < 0 ? text : text.substring(0, space);
        int colon = location.lastIndexOf(':');
        boolean isIndex = colon >= 0 && location.startsWith(INDEX, colon);
        int end = isIndex ? location.lastIndexOf('(', colon) : colon;
        int dot = end < 0 ? -1 : location.lastIndexOf('.', end);
        if (space < 0 || dot <= 0) {
            throw new IllegalArgumentException("a place that cannot be read: " + text);
        }
        type = plain(location.substring(0, dot));
        method = plain(location.substring(dot + 1, end));
        parameters = isIndex ? plain(location.substring(end + 1, colon - 1)) : null;
        line = SiteText.line(location.substring(colon + 1));
        action = next < 0 ? text.substring(space + 1) : text.substring(space + 1, next);
        name = next < 0 ? "" : plain(text.substring(next + 1));
    }

    /** A name without the form in which white space and control characters are written. */
    private static String plain(String name) {
        StringBuilder result = new StringBuilder();
        int from = 0;
        for (int at = name.indexOf(ESCAPE); at >= 0; at = name.indexOf(ESCAPE, from)) {
            result.append(name, from, at);
            from = at + ESCAPE.length() + DIGITS;
            result.append((char) Integer.parseInt(name.substring(at + ESCAPE.length(), from), 1 << DIGITS));
        }
        return result.append(name, from, name.length()).toString();
    }

    /** True if a method of its class and name is its own that has parameters of these types, with commas between them. */
    public boolean canHave(String types) {
        return parameters == null || parameters.equals(types);
    }

    static Candidate[] with(Candidate[] all, Candidate candidate) {
        Candidate[] result = Arrays.copyOf(all, all.length + 1);
        result[all.length] = candidate;
        return result;
    }

    /** True if it is about a monitor, which a synchronized method enters before its code begins, and leaves after that has ended. */
    public boolean isOfMonitor() {
        return name.isEmpty();
    }

    /** True if it is a call of the library that reads or writes, and is none of a lock. */
    boolean isOfLibrary() {
        return name.endsWith("()") && (isRead() || isWrite());
    }

    boolean isRead() {
        return action.equals("read");
    }

    boolean isWrite() {
        return action.equals("write");
    }

    /** True if something is to be done before the place. */
    public boolean isBefore() {
        return enters.length > 0 || gates.length > 0 || isAwaited;
    }

    /** True if something is to be done after it. */
    public boolean isAfter() {
        return steps.length > 0 || isPart() || isWatched;
    }

    /** True if hooks after it need the object that is accessed. */
    public boolean needsObject() {
        return steps.length > 0 || firsts.length > 0;
    }

    /** True if it is in the block of a candidate. */
    public boolean isPart() {
        return firsts.length > 0 || holds.length > 0 || lasts.length > 0;
    }

    /** True if the block of a candidate begins with it. */
    public boolean isFirst() {
        return firsts.length > 0;
    }

    /** True if a thread that passes it has only looked, and what it does next is what conflicts with a block. */
    public boolean isLook() {
        for (Step step : steps) {
            if (step.candidate.isLook) {
                return true;
            }
        }
        return false;
    }

    /** True if a candidate's block is through when it has passed it. */
    public boolean isLast() {
        return lasts.length > 0;
    }

    boolean isFound() {
        return code.isFound;
    }

    /** True if another one of the same text, or none if that is null, has the calls that this one needs. */
    boolean hasCallsOf(Place other) {
        return other != null && (other.isBefore() || !isBefore()) && (other.isAfter() || !isAfter()) && (other.needsObject() || !needsObject());
    }

    /** Of a monitor: true if its method is synchronized, so that it is entered before the method's code begins. */
    boolean isOfCall() {
        return isOfMonitor() && !code.isInMethod;
    }

    /**
     * Of a monitor: true if a method with its name and this descriptor is a synchronized one at the place, so that a call of it is one of the place. Of a class whose code was not seen
     * every method of the name can be.
     */
    boolean isOfCall(String desc) {
        String[] known = code.synchronizedOnes;
        boolean isOne = known.length == 0;
        for (int i = 0; !isOne && i < known.length; i++) {
            isOne = known[i].equals(desc);
        }
        return isOne && isOfCall();
    }

    /** True if objects of this class may have the method: its name is that of the place's class, or of one below. */
    boolean isOf(Class<?> c) {
        for (Class<?> above = c; above != null; above = above.getSuperclass()) {
            if (above.getName().equals(type)) {
                return true;
            }
        }
        return false;
    }

    /** An instruction is this place. Returns true the first time. */
    boolean find() {
        synchronized (code) {
            boolean isFirst = !code.isFound;
            code.isInMethod = true;
            code.isFound = true;
            return isFirst;
        }
    }

    /** A synchronized method with this descriptor is this place. Returns true the first time. */
    boolean findCalled(String desc) {
        synchronized (code) {
            boolean isFirst = !code.isFound;
            if (!List.of(code.synchronizedOnes).contains(desc)) {
                String[] more = Arrays.copyOf(code.synchronizedOnes, code.synchronizedOnes.length + 1);
                more[more.length - 1] = desc;
                code.synchronizedOnes = more;
            }
            code.isFound = true;
            return isFirst;
        }
    }
}
