package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.SiteText;
import java.util.Arrays;
import java.util.List;

/**
 * A place of a plan: all instructions of a line of a method that do the same to one name; in a method without lines, a single instruction. Written
 * {@code com.example.Account.withdraw:12 read balance}, {@code com.example.Account.withdraw(int):@7 read balance}; {@code analysis-core/src/provoke}
 * has the form.
 */
public final class Place {
    private static final String ESCAPE = "\\u";
    private static final int DIGITS = 4;
    /** Precedes an index. */
    private static final String INDEX = ":@";
    private static final Candidate[] NONE = new Candidate[0];
    private static final Step[] NO_STEPS = new Step[0];

    /** Its plan; null in tests. */
    final Plan plan;
    /** Its index among the places for which code has calls; hooks pass it. */
    public final int number;
    /** The text in the plan. */
    public final String text;
    /** The class, with dots, and the method. */
    public final String type;
    public final String method;
    /** The types of the method's parameters, separated by commas; null if there is a line, which distinguishes methods of one name. */
    private final String parameters;
    /** The line, or the index of an instruction as {@link SiteText#atIndex} has it. */
    public final int line;
    /** {@code read write acquire release}. */
    public final String action;
    /** A field's name, {@code []}, {@code get()}; empty for a monitor. */
    public final String name;

    /** The candidates whose first place this is; likewise the following. */
    Candidate[] firsts = NONE;
    Candidate[] holds = NONE;
    Candidate[] lasts = NONE;
    /** The candidates whose thread is held before this place, which is their last one. */
    Candidate[] approaches = NONE;
    Candidate[] enters = NONE;
    /** The steps at this place, and those for whose turn threads wait before it. */
    Step[] steps = NO_STEPS;
    Step[] gates = NO_STEPS;
    /** Whether threads that pass it are watched; or those that are about to. */
    boolean isWatched;
    boolean isAwaited;
    /** What is known of the place's code. */
    private final Code code;

    /** What is known of a place's code, shared by all plans. */
    private static final class Code {
        /** Whether an instruction was found that is this place. */
        volatile boolean isFound;
        /** Of a monitor: whether it is entered or left by an instruction, and not by a call of the method. */
        volatile boolean isInMethod;
        /** Of a monitor: the descriptors of the synchronized methods found so far. Other methods of the name do not touch it. Replaced as a whole. */
        volatile String[] synchronizedOnes = {};
    }

    /** Throws IllegalArgumentException if the text is malformed. */
    Place(int number, String text) {
        this(number, text, null, null);
    }

    /** Whether no thread is steered by its plan any more. */
    public boolean isOver() {
        return plan != null && plan.isOver();
    }

    /** Makes the same place as one of another plan, which can be null. */
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

    /** Unescapes white space and control characters in a name. */
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

    /** Whether the place may be in a method of its class and name that has parameters of these types, separated by commas. */
    public boolean canHave(String types) {
        return parameters == null || parameters.equals(types);
    }

    static Candidate[] with(Candidate[] all, Candidate candidate) {
        Candidate[] result = Arrays.copyOf(all, all.length + 1);
        result[all.length] = candidate;
        return result;
    }

    /** Whether the place is about a monitor, which a synchronized method enters before its code begins, and leaves after that has ended. */
    public boolean isOfMonitor() {
        return name.isEmpty();
    }

    /** Whether it is a call of the library that reads or writes, and not one of a lock. */
    boolean isOfLibrary() {
        return name.endsWith("()") && (isRead() || isWrite());
    }

    boolean isRead() {
        return action.equals("read");
    }

    boolean isWrite() {
        return action.equals("write");
    }

    /** Whether anything is to be done before the place. */
    public boolean isBefore() {
        return enters.length > 0 || gates.length > 0 || isAwaited;
    }

    /** Whether a thread can be held before the place because of the object that it is about to access. */
    public boolean isApproached() {
        return approaches.length > 0;
    }

    /** Whether anything is to be done after the place. */
    public boolean isAfter() {
        return steps.length > 0 || isPart() || isWatched;
    }

    /** Whether hooks at the place need the accessed object. */
    public boolean needsObject() {
        return isApproached() || passesObject();
    }

    /** Whether hooks after the place need it. */
    public boolean passesObject() {
        return steps.length > 0 || firsts.length > 0;
    }

    /** Whether the place is in a candidate's block. */
    private boolean isPart() {
        return firsts.length > 0 || holds.length > 0 || lasts.length > 0;
    }

    /** Whether a candidate's block begins with the place. */
    public boolean isFirst() {
        return firsts.length > 0;
    }

    /** Whether the block of each candidate that begins with the place goes on to its last place before its thread is held. */
    public boolean isHeldLater() {
        for (Candidate c : firsts) {
            if (!c.isHeldBefore) {
                return false;
            }
        }
        return isFirst();
    }

    /** Whether a thread that passes the place has only looked, so that its next action is what conflicts with a block. */
    public boolean isLook() {
        for (Step step : steps) {
            if (step.candidate.isLook) {
                return true;
            }
        }
        return false;
    }

    /** Whether a candidate's block is complete once it has passed the place. */
    public boolean isLast() {
        return lasts.length > 0;
    }

    boolean isFound() {
        return code.isFound;
    }

    /** Whether another place of the same text, null for none, has the calls that this one needs. */
    boolean hasCallsOf(Place other) {
        return other != null && (other.isBefore() || !isBefore()) && (other.isAfter() || !isAfter()) && (other.passesObject() || !passesObject())
            && (other.isApproached() || !isApproached());
    }

    /** Of a monitor: whether its method is synchronized, so that the monitor is entered before the method's code begins. */
    boolean isOfCall() {
        return isOfMonitor() && !code.isInMethod;
    }

    /**
     * Of a monitor: whether a method with its name and this descriptor is synchronized at the place, so that its calls are the place. In a class
     * whose code was not seen, any method of the name may be.
     */
    boolean isOfCall(String desc) {
        String[] known = code.synchronizedOnes;
        boolean isOne = known.length == 0;
        for (int i = 0; !isOne && i < known.length; i++) {
            isOne = known[i].equals(desc);
        }
        return isOne && isOfCall();
    }

    /** Whether objects of this class may have the method: the class has the name of the place's class, or is below it. */
    boolean isOf(Class<?> c) {
        for (Class<?> above = c; above != null; above = above.getSuperclass()) {
            if (above.getName().equals(type)) {
                return true;
            }
        }
        return false;
    }

    /** Notes an instruction that is this place. Returns true the first time. */
    boolean find() {
        synchronized (code) {
            boolean isFirst = !code.isFound;
            code.isInMethod = true;
            code.isFound = true;
            return isFirst;
        }
    }

    /** Notes a synchronized method with this descriptor that is this place. Returns true the first time. */
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
