package jdk14;

import java.util.Arrays;

/**
 * A buffer with the synchronization of JDK 1.4's {@code java.lang.StringBuffer}, whose array can be shared with a string
 * until the next write to the buffer.
 */
public final class StringBuffer {
    private char[] value;
    private int count;
    private boolean shared;

    public StringBuffer(int capacity) {
        value = new char[capacity];
    }

    public StringBuffer() {
        this(16);
    }

    public StringBuffer(String text) {
        this(text.length() + 16);
        append(text);
    }

    public synchronized int length() {
        return count;
    }

    public synchronized int capacity() {
        return value.length;
    }

    public synchronized void ensureCapacity(int least) {
        if (least > value.length) {
            expand(least);
        }
    }

    public synchronized void setLength(int length) {
        if (length > value.length) {
            expand(length);
        }
        if (count < length) {
            own();
            for (; count < length; count++) {
                value[count] = '\0';
            }
        } else {
            count = length;
            own();
        }
    }

    public synchronized char charAt(int index) {
        check(index);
        return value[index];
    }

    public synchronized void getChars(int from, int to, char[] into, int at) {
        if (from < 0 || to > count || from > to) {
            throw new StringIndexOutOfBoundsException();
        }
        System.arraycopy(value, from, into, at, to - from);
    }

    public synchronized void setCharAt(int index, char c) {
        check(index);
        own();
        value[index] = c;
    }

    public synchronized StringBuffer append(Object object) {
        return append(String.valueOf(object));
    }

    public synchronized StringBuffer append(String text) {
        makeRoom(count + text.length());
        text.getChars(0, text.length(), value, count);
        count += text.length();
        return this;
    }

    public synchronized StringBuffer append(StringBuffer other) {
        int length = other.length();
        makeRoom(count + length);
        other.getChars(0, length, value, count);
        count += length;
        return this;
    }

    public synchronized StringBuffer append(char[] text) {
        makeRoom(count + text.length);
        System.arraycopy(text, 0, value, count, text.length);
        count += text.length;
        return this;
    }

    public StringBuffer append(boolean b) {
        return append(String.valueOf(b));
    }

    public synchronized StringBuffer append(char c) {
        makeRoom(count + 1);
        value[count++] = c;
        return this;
    }

    public StringBuffer append(int i) {
        return append(String.valueOf(i));
    }

    public synchronized StringBuffer delete(int from, int to) {
        int end = Math.min(to, count);
        if (end > from) {
            own();
            System.arraycopy(value, end, value, from, count - end);
            count -= end - from;
        }
        return this;
    }

    public synchronized StringBuffer deleteCharAt(int index) {
        check(index);
        own();
        System.arraycopy(value, index + 1, value, index, count - index - 1);
        count--;
        return this;
    }

    public synchronized StringBuffer replace(int from, int to, String text) {
        int end = Math.min(to, count);
        int length = count + text.length() - (end - from);
        makeRoom(length);
        System.arraycopy(value, end, value, from + text.length(), count - end);
        text.getChars(0, text.length(), value, from);
        count = length;
        return this;
    }

    public String substring(int from) {
        return substring(from, count);
    }

    public CharSequence subSequence(int from, int to) {
        return substring(from, to);
    }

    public synchronized String substring(int from, int to) {
        if (from < 0 || to > count || from > to) {
            throw new StringIndexOutOfBoundsException();
        }
        return new String(value, from, to - from);
    }

    public synchronized StringBuffer insert(int index, Object object) {
        return insert(index, String.valueOf(object));
    }

    public synchronized StringBuffer insert(int index, String text) {
        makeRoom(count + text.length());
        System.arraycopy(value, index, value, index + text.length(), count - index);
        text.getChars(0, text.length(), value, index);
        count += text.length();
        return this;
    }

    public StringBuffer insert(int index, int i) {
        return insert(index, String.valueOf(i));
    }

    public int indexOf(String text) {
        return indexOf(text, 0);
    }

    public synchronized int indexOf(String text, int from) {
        return new String(value, 0, count).indexOf(text, from);
    }

    public int lastIndexOf(String text) {
        synchronized (this) {
            return new String(value, 0, count).lastIndexOf(text);
        }
    }

    public synchronized StringBuffer reverse() {
        own();
        for (int i = 0, j = count - 1; i < j; i++, j--) {
            char c = value[i];
            value[i] = value[j];
            value[j] = c;
        }
        return this;
    }

    /** Creates the string under the lock. The string takes over the array. */
    @Override
    public String toString() {
        synchronized (this) {
            shared = true;
            return new String(value, 0, count);
        }
    }

    private void makeRoom(int least) {
        if (least > value.length) {
            expand(least);
        } else {
            own();
        }
    }

    private void expand(int least) {
        value = Arrays.copyOf(value, Math.max(least, (value.length + 1) * 2));
        shared = false;
    }

    private void own() {
        if (shared) {
            value = value.clone();
            shared = false;
        }
    }

    private void check(int index) {
        if (index < 0 || index >= count) {
            throw new StringIndexOutOfBoundsException(index);
        }
    }
}
