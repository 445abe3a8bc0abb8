package called;

/**
 * Calls of buffers of characters.
 */
final class Buffers {
    private Buffers() {
    }

    static Object made(String kind) {
        switch (kind) {
            case "StringBuilder":
                return new StringBuilder("ab");
            case "StringBuffer":
                return new StringBuffer("ab");
            default:
                return null;
        }
    }

    static Object call(Object on, String method, int a) {
        return on instanceof StringBuilder ? builder((StringBuilder) on, method, a) : buffer((StringBuffer) on, method, a);
    }

    private static Object builder(StringBuilder on, String method, int a) {
        switch (method) {
            case "length":
                return on.length();
            case "charAt":
                return (int) on.charAt(a);
            case "indexOf":
                return on.indexOf("c");
            case "substring":
                return "v" + on.substring(a).length();
            case "toString":
                return "v" + on.toString().length();
            case "count":
                return on.chars().filter(each -> each == 'c').count();
            case "append":
                on.append("c").append(a);
                return "x";
            case "insert":
                on.insert(0, 'c');
                return "x";
            case "delete":
                on.delete(0, 1);
                return "x";
            case "deleteNothing":
                on.delete(a, a);
                return "x";
            default:
                on.setLength(a);
                return "x";
        }
    }

    private static Object buffer(StringBuffer on, String method, int a) {
        switch (method) {
            case "length":
                return on.length();
            case "charAt":
                return (int) on.charAt(a);
            case "indexOf":
                return on.indexOf("c");
            case "substring":
                return "v" + on.substring(a).length();
            case "toString":
                return "v" + on.toString().length();
            case "count":
                return on.chars().filter(each -> each == 'c').count();
            case "append":
                on.append("c").append(a);
                return "x";
            case "insert":
                on.insert(0, 'c');
                return "x";
            case "delete":
                on.delete(0, 1);
                return "x";
            case "deleteNothing":
                on.delete(a, a);
                return "x";
            default:
                on.setLength(a);
                return "x";
        }
    }
}
