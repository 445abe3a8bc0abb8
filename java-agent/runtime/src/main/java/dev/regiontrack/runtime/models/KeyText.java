package dev.regiontrack.runtime.models;

/** The text of a map's key in reports: like its literal in Java, on one line, and short. Runs no code of the program. */
final class KeyText {
    /** The number of characters of a longer text that are shown. */
    private static final int MOST = 40;

    private KeyText() {
    }

    /** Returns the text of a key that is compared by value. */
    static String of(Object key) {
        if (key instanceof String) {
            return quoted((String) key, '"');
        }
        if (key instanceof Character) {
            return quoted(key.toString(), '\'');
        }
        if (key instanceof Enum) {
            // An enum can override toString.
            Enum<?> constant = (Enum<?>) key;
            return shown(simple(constant.getDeclaringClass()) + '.' + constant.name(), "");
        }
        if (key instanceof Class) {
            return shown(((Class<?>) key).getTypeName() + ".class", "");
        }
        return key instanceof Long ? key + "L" : key.toString();
    }

    /** Returns the text of another key: its class, and a number; null if the key is gone. */
    static String ofOther(Object key, long number) {
        return (key == null ? "" : shown(simple(key.getClass()), "")) + '@' + number;
    }

    private static String simple(Class<?> c) {
        String name = c.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String quoted(String text, char quote) {
        return quote + shown(text, "\\" + quote) + quote;
    }

    /** Puts a backslash before what is {@code escaped}, and escapes characters that are invisible or change what is around them. */
    private static String shown(String text, String escaped) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < MOST; i++) {
            char c = text.charAt(i);
            if (escaped.indexOf(c) >= 0) {
                shown.append('\\').append(c);
            } else if (isShown(c)) {
                shown.append(c);
            } else {
                shown.append("\\u").append(Integer.toHexString(c | 0x10000), 1, 5);
            }
        }
        return text.length() > MOST ? shown.append("...").toString() : shown.toString();
    }

    private static boolean isShown(char c) {
        switch (Character.getType(c)) {
            case Character.CONTROL: case Character.FORMAT: case Character.SURROGATE: case Character.PRIVATE_USE: case Character.UNASSIGNED:
            case Character.LINE_SEPARATOR: case Character.PARAGRAPH_SEPARATOR:
                return false;
            default:
                return true;
        }
    }
}
