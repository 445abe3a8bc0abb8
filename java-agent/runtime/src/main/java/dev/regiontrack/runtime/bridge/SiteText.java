package dev.regiontrack.runtime.bridge;

/**
 * The text that describes a site to the reader of the records: {@code kind<TAB>class<TAB>method<TAB>descriptor<TAB>file<TAB>line<TAB>what}. A call
 * of the library also has {@code <TAB>field}, the field from which the program has loaded the receiver, if that is known. Where a run learns for a
 * profile, {@code <TAB>key} follows.
 *
 * <p>{@code kind} is one of {@code read write array-read array-write monitor method wait fork join fence}; class and {@code what} are binary names
 * ({@code com.example.A}, {@code com.example.A.count}); {@code what} is empty if the record itself has the type; line 0 is "unknown". A method
 * without lines has the index of the instruction, {@code @17}, in place of the line. Tabs and line ends in names become spaces.
 */
public final class SiteText {
    /** The index of the field's column. */
    private static final int FIELD = 7;

    /** Precedes an index. */
    private static final char INDEX = '@';

    private SiteText() {
    }

    /** Encodes an instruction's index, from 0, as a negative number in place of a line. */
    public static int atIndex(int index) {
        return ~index;
    }

    /** Parses a line or an index, which it encodes like {@link #atIndex}. Throws NumberFormatException if the text is neither. */
    public static int line(String text) {
        return !text.isEmpty() && text.charAt(0) == INDEX ? atIndex(Integer.parseInt(text.substring(1))) : Integer.parseInt(text);
    }

    /** Returns the types of a descriptor's parameters, separated by commas, as sources name them: {@code int,java.lang.String[]}. */
    public static String parameters(String desc) {
        StringBuilder types = new StringBuilder();
        for (int at = 1; desc.charAt(at) != ')'; at++) {
            types.append(types.length() == 0 ? "" : ",");
            int dimensions = 0;
            for (; desc.charAt(at) == '['; at++) {
                dimensions++;
            }
            if (desc.charAt(at) == 'L') {
                int end = desc.indexOf(';', at);
                types.append(desc.substring(at + 1, end).replace('/', '.'));
                at = end;
            } else {
                types.append(primitive(desc.charAt(at)));
            }
            types.append("[]".repeat(dimensions));
        }
        return types.toString();
    }

    private static String primitive(char type) {
        switch (type) {
            case 'B': return "byte";
            case 'C': return "char";
            case 'D': return "double";
            case 'F': return "float";
            case 'I': return "int";
            case 'J': return "long";
            case 'S': return "short";
            default: return "boolean";
        }
    }

    /** Builds the text; {@code line} can be an index. */
    public static String of(String kind, String type, String method, String descriptor, String file, int line, String what) {
        return kind + '\t' + clean(type) + '\t' + clean(method) + '\t' + clean(descriptor) + '\t' + clean(file) + '\t' + position(line) + '\t' + clean(what);
    }

    /** Formats a line, or an index that {@link #atIndex} has made: {@code 17}, {@code @17}. */
    public static String position(int line) {
        return line < 0 ? INDEX + Integer.toString(~line) : Integer.toString(line);
    }

    /** Adds the field from which the receiver of a call was loaded, {@code com.example.A.map}; null if that is not known. */
    public static String withField(String site, String field) {
        return field == null ? site : site + '\t' + clean(field);
    }

    /** Adds what a profile calls the variable: a kind, a space, a name; null if the key is not needed. */
    public static String withKey(String site, String key) {
        return key == null ? site : site + (site.split("\t", -1).length <= FIELD ? "\t\t" : "\t") + clean(key);
    }

    private static String clean(String name) {
        return name == null ? "" : name.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }
}
