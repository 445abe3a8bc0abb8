package modelled;

import java.util.function.Supplier;

/**
 * Calls of buffers of characters.
 */
public class BufferCalls extends Calls {
    /** All of them. */
    public BufferCalls() {
        builders();
        buffers();
    }

    private static <T> Call<T> done(java.util.function.BiConsumer<T, Integer> call) {
        return (object, time) -> {
            call.accept(object, time);
            return null;
        };
    }

    private void builders() {
        Supplier<StringBuilder> make = () -> new StringBuilder("abcb");
        reads(make, (b, t) -> b.append('x'), (b, t) -> b.length(), (b, t) -> b.charAt(0), (b, t) -> b.codePointAt(0), (b, t) -> b.codePointBefore(1),
            (b, t) -> b.codePointCount(0, 1), (b, t) -> b.offsetByCodePoints(0, 1), done((b, t) -> b.getChars(0, 1, new char[1], 0)), (b, t) -> b.substring(1),
            (b, t) -> b.substring(1, 2), (b, t) -> b.subSequence(1, 2), (b, t) -> b.indexOf("b"), (b, t) -> b.indexOf("b", 1), (b, t) -> b.lastIndexOf("b"),
            (b, t) -> b.lastIndexOf("b", 2), (b, t) -> b.compareTo(new StringBuilder("b")), (b, t) -> b.toString(), (b, t) -> b.chars().sum(),
            (b, t) -> b.codePoints().sum());
        writes(make, (b, t) -> b.length(), (b, t) -> b.append(true), (b, t) -> b.append('x'), (b, t) -> b.append(new char[] {'x'}),
            (b, t) -> b.append(new char[] {'x'}, 0, 1), (b, t) -> b.append(1.5), (b, t) -> b.append(1.5f), (b, t) -> b.append(1), (b, t) -> b.append(1L),
            (b, t) -> b.append((CharSequence) "x"), (b, t) -> b.append("xy", 0, 1), (b, t) -> b.append((Object) 1), (b, t) -> b.append("x"),
            (b, t) -> b.append(new StringBuffer("x")), (b, t) -> b.appendCodePoint('x'), (b, t) -> b.insert(0, true), (b, t) -> b.insert(0, 'x'),
            (b, t) -> b.insert(0, new char[] {'x'}), (b, t) -> b.insert(0, new char[] {'x'}, 0, 1), (b, t) -> b.insert(0, 1.5), (b, t) -> b.insert(0, 1),
            (b, t) -> b.insert(0, (CharSequence) "x"), (b, t) -> b.insert(0, "xy", 0, 1), (b, t) -> b.insert(0, (Object) 1), (b, t) -> b.insert(0, "x"),
            (b, t) -> b.delete(0, 1), (b, t) -> b.deleteCharAt(0), done((b, t) -> b.setCharAt(0, 'x')), done((b, t) -> b.setLength(1)),
            (b, t) -> b.replace(0, 1, "x"), (b, t) -> b.reverse());
    }

    private void buffers() {
        Supplier<StringBuffer> make = () -> new StringBuffer("abcb");
        reads(make, (b, t) -> b.append('x'), (b, t) -> b.length(), (b, t) -> b.charAt(0), (b, t) -> b.codePointAt(0), (b, t) -> b.codePointBefore(1),
            (b, t) -> b.codePointCount(0, 1), (b, t) -> b.offsetByCodePoints(0, 1), done((b, t) -> b.getChars(0, 1, new char[1], 0)), (b, t) -> b.substring(1),
            (b, t) -> b.substring(1, 2), (b, t) -> b.subSequence(1, 2), (b, t) -> b.indexOf("b"), (b, t) -> b.lastIndexOf("b"),
            (b, t) -> b.compareTo(new StringBuffer("b")), (b, t) -> b.toString(), (b, t) -> b.chars().sum(), (b, t) -> b.codePoints().sum());
        writes(make, (b, t) -> b.length(), (b, t) -> b.append('x'), (b, t) -> b.append("x"), (b, t) -> b.append((Object) 1), (b, t) -> b.appendCodePoint('x'),
            (b, t) -> b.insert(0, "x"), (b, t) -> b.delete(0, 1), (b, t) -> b.deleteCharAt(0), done((b, t) -> b.setCharAt(0, 'x')),
            done((b, t) -> b.setLength(1)), (b, t) -> b.replace(0, 1, "x"), (b, t) -> b.reverse());
    }
}
