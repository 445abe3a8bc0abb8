package dev.regiontrack.runtime.models;

/** What a call with a key found there, and what it left, by its method, arguments and result. */
enum KeyStep {
    /** Nothing is known, except what the table of models says. */
    UNKNOWN, GET, GET_OR_DEFAULT, CONTAINS, PUT, PUT_IF_ABSENT, REMOVE, REMOVE_VALUE, REPLACE, REPLACE_VALUE, ADD, REMOVE_ELEMENT, COMPUTE, COMPUTE_IF_ABSENT,
    COMPUTE_IF_PRESENT;

    private static final String MAP = "(Ljava/lang/Object;)Ljava/lang/Object;";
    private static final String MAP_OF_TWO = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    private static final String ANSWER = "(Ljava/lang/Object;)Z";

    /** Returns the step of a method of a map or a set, by its name and descriptor. */
    static KeyStep of(String method) {
        int open = method.indexOf('(');
        String name = open < 0 ? method : method.substring(0, open);
        String desc = open < 0 ? "" : method.substring(open);
        switch (name) {
            case "get": return desc.equals(MAP) ? GET : UNKNOWN;
            case "getOrDefault": return desc.equals(MAP_OF_TWO) ? GET_OR_DEFAULT : UNKNOWN;
            case "contains": case "containsKey": return desc.equals(ANSWER) ? CONTAINS : UNKNOWN;
            case "put": return desc.equals(MAP_OF_TWO) ? PUT : UNKNOWN;
            case "putIfAbsent": return desc.equals(MAP_OF_TWO) ? PUT_IF_ABSENT : UNKNOWN;
            case "add": return desc.equals(ANSWER) ? ADD : UNKNOWN;
            case "remove":
                return desc.equals(MAP) ? REMOVE : desc.equals(ANSWER) ? REMOVE_ELEMENT : desc.equals("(Ljava/lang/Object;Ljava/lang/Object;)Z") ? REMOVE_VALUE : UNKNOWN;
            case "replace":
                return desc.equals(MAP_OF_TWO) ? REPLACE : desc.equals("(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Z") ? REPLACE_VALUE : UNKNOWN;
            case "compute": case "merge": return desc.endsWith("Ljava/lang/Object;") ? COMPUTE : UNKNOWN;
            case "computeIfPresent": return desc.endsWith("Ljava/lang/Object;") ? COMPUTE_IF_PRESENT : UNKNOWN;
            case "computeIfAbsent": return desc.endsWith("Ljava/lang/Object;") ? COMPUTE_IF_ABSENT : UNKNOWN;
            default: return UNKNOWN;
        }
    }

    /** Returns what the call found: {@code result} if it returned a reference, otherwise {@code answer}; {@code given} is its second argument. */
    long found(Object result, boolean answer, long given) {
        switch (this) {
            case GET: case PUT: case PUT_IF_ABSENT: case REMOVE: case REPLACE: return KeyState.of(result);
            // If it returned the default, that may have been there.
            case GET_OR_DEFAULT: return given == KeyState.ANY || KeyState.of(result) == given ? KeyState.ANY : KeyState.of(result);
            case CONTAINS: case REMOVE_ELEMENT: return answer ? KeyState.PRESENT : KeyState.ABSENT;
            case ADD: return answer ? KeyState.ABSENT : KeyState.PRESENT;
            case REMOVE_VALUE: case REPLACE_VALUE: return answer ? KeyState.equalTo(given) : KeyState.not(given);
            case COMPUTE_IF_ABSENT: return result == null ? KeyState.ABSENT : KeyState.ANY;
            case COMPUTE_IF_PRESENT: return result == null ? KeyState.ANY : KeyState.PRESENT;
            default: return KeyState.ANY;
        }
    }

    /** Returns what the call left; {@code last} is its last argument. */
    long left(Object result, boolean answer, long last) {
        switch (this) {
            case GET: case GET_OR_DEFAULT: case CONTAINS: return KeyState.SAME;
            case PUT: return last;
            case PUT_IF_ABSENT: return result == null ? last : KeyState.SAME;
            case REMOVE: return KeyState.ABSENT;
            case REPLACE: return result == null ? KeyState.SAME : last;
            case REMOVE_VALUE: return answer ? KeyState.ABSENT : KeyState.SAME;
            case REPLACE_VALUE: return answer ? last : KeyState.SAME;
            case ADD: return KeyState.PRESENT;
            case REMOVE_ELEMENT: return KeyState.ABSENT;
            case COMPUTE: case COMPUTE_IF_ABSENT: case COMPUTE_IF_PRESENT: return KeyState.of(result);
            default: return KeyState.ANY;
        }
    }
}
