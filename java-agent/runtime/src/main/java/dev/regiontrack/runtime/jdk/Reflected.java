package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;

/**
 * Restricts a class's members to those in its class file: hides the shadow field, the copies of methods, and the methods for method references.
 * {@link Class} calls this once for each class, since it remembers the result. {@link StackTraceElement} calls it for the frames of each exception
 * whose frames are read.
 */
public final class Reflected {
    private Reflected() {
    }

    /** Without the shadow field. */
    public static Field[] fields(Field[] declared) {
        return visible(declared);
    }

    /** Without the methods for method references. A copy has the name of its original. */
    public static StackTraceElement[] frames(StackTraceElement[] all) {
        int n = 0;
        for (StackTraceElement frame : all) {
            n += isAdded(frame) ? 0 : 1;
        }
        if (n == all.length) {
            return all;
        }
        StackTraceElement[] result = new StackTraceElement[n];
        int at = 0;
        for (StackTraceElement frame : all) {
            if (!isAdded(frame)) {
                result[at++] = frame;
            }
        }
        return result;
    }

    private static boolean isAdded(StackTraceElement frame) {
        String method = frame == null ? null : frame.getMethodName();
        return method != null && method.startsWith(ClassInfo.REFERENCE);
    }

    /** Without copies and the methods for method references. */
    public static Method[] methods(Method[] declared) {
        return visible(declared);
    }

    /** Without copies. */
    public static Constructor<?>[] constructors(Constructor<?>[] declared) {
        return visible(declared);
    }

    private static <M extends Member> M[] visible(M[] declared) {
        int n = 0;
        for (M member : declared) {
            n += isAdded(member) ? 0 : 1;
        }
        if (n == declared.length) {
            return declared;
        }
        M[] result = java.util.Arrays.copyOf(declared, n);
        int at = 0;
        for (M member : declared) {
            if (!isAdded(member)) {
                result[at++] = member;
            }
        }
        return result;
    }

    private static boolean isAdded(Member member) {
        if (!member.isSynthetic()) {
            return false;
        }
        if (member instanceof Field) {
            return member.getName().equals(ClassInfo.SHADOW);
        }
        if (member.getName().startsWith(ClassInfo.REFERENCE)) {
            return true;
        }
        Class<?>[] parameters = ((Executable) member).getParameterTypes();
        return parameters.length > 0 && parameters[parameters.length - 1] == ThreadState.class;
    }
}
