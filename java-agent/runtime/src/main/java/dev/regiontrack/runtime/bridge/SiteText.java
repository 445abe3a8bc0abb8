package dev.regiontrack.runtime.bridge;

/**
 * The text that describes a site to the reader of the records: {@code
 * kind<TAB>class<TAB>method<TAB>descriptor<TAB>file<TAB>line<TAB>what}; of a call of the library, if that is known, also
 * {@code <TAB>field}, the one from which the program has loaded the receiver; and behind that, where a run learns for a profile, {@code <TAB>key}.
 *
 * <p>{@code kind} is one of {@code read write array-read array-write monitor method wait fork join fence}; class and {@code what} are
 * binary names ({@code com.example.A}, {@code com.example.A.count}); {@code what} is empty if the record itself has the
 * type; line 0 is "unknown". A method without lines has the index of the instruction, {@code @17}, in place of the line. Tabs and line ends in
 * names become spaces.
 */
public final class SiteText {
    /** Which part of the text is the field. */
    private static final int FIELD = 7;

    /** What stands before an index. */
    private static final char INDEX = '@';

    private SiteText() {
    }

    /** An index, from 0, where else a line stands: a number below 0. */
    public static int atIndex(int index) {
        return ~index;
    }

    /** The line or the index, as {@link #atIndex} has it, that is written so. Throws NumberFormatException if none is. */
    public static int line(String text) {
        return !text.isEmpty() && text.charAt(0) == INDEX ? atIndex(Integer.parseInt(text.substring(1))) : Integer.parseInt(text);
    }

    /** The types of the parameters of a descriptor, with commas between them, as sources name them: {@code int,java.lang.String[]}. */
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

    /** A line, or an index that {@link #atIndex} has made: {@code 17}, {@code @17}. */
    public static String position(int line) {
        return line < 0 ? INDEX + Integer.toString(~line) : Integer.toString(line);
    }

    /** The same with the field from which the receiver of a call was loaded, {@code com.example.A.map}; null if that is not known. */
    public static String withField(String site, String field) {
        return field == null ? site : site + '\t' + clean(field);
    }

    /** The same with what a profile calls the variable: a kind, a space, a name; null if nobody wants to know. */
    public static String withKey(String site, String key) {
        return key == null ? site : site + (site.split("\t", -1).length <= FIELD ? "\t\t" : "\t") + clean(key);
    }

    private static String clean(String name) {
        return name == null ? "" : name.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }
}
