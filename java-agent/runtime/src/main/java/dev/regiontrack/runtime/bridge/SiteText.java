package dev.regiontrack.runtime.bridge;

/**
 * The text that describes a site to the reader of the records: {@code
 * kind<TAB>class<TAB>method<TAB>descriptor<TAB>file<TAB>line<TAB>what}; of a call of the library, if that is known, also
 * {@code <TAB>field}, the one from which the program has loaded the receiver; and behind that, where a run learns for a profile, {@code <TAB>key}.
 *
 * <p>{@code kind} is one of {@code read write array-read array-write monitor method wait fork join fence}; class and {@code what} are
 * binary names ({@code com.example.A}, {@code com.example.A.count}); {@code what} is empty if the record itself has the
 * type; line 0 is "unknown". Tabs and line ends in names become spaces.
 */
public final class SiteText {
    /** Which part of the text is the field. */
    private static final int FIELD = 7;

    private SiteText() {
    }

    /** Builds the text. */
    public static String of(String kind, String type, String method, String descriptor, String file, int line, String what) {
        return kind + '\t' + clean(type) + '\t' + clean(method) + '\t' + clean(descriptor) + '\t' + clean(file) + '\t' + line + '\t' + clean(what);
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
