package dev.regiontrack.instrument.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The values of a variable that the comparisons of a method can tell apart, as {@code n < 0}, {@code n == 0}, {@code 0 < n < 5}: each is a map from the
 * names with which the variable is compared to its order ({@link Comparison}).
 */
final class Cases {
    /** With more names, following a method for each case would take long. */
    private static final int MOST = 12;

    private final Set<String> names = new TreeSet<>();

    void add(Comparison comparison) {
        names.add(comparison.with);
    }

    void add(String name) {
        names.add(name);
    }

    /** Returns the cases; null if the names do not tell them. {@code isBoolean} if the variable can only be 0 or 1. */
    List<Map<String, Integer>> list(boolean isBoolean) {
        if (names.size() > MOST) {
            return null;
        }
        List<Long> numbers = new ArrayList<>();
        for (String name : names) {
            Long number = SharedValues.number(name);
            if (number != null) {
                numbers.add(number);
            }
        }
        if (numbers.isEmpty()) {
            // Two names may be of one value.
            return names.size() > 1 ? null : named();
        }
        return numbers.size() < names.size() ? null : between(numbers, isBoolean);
    }

    /** The variable is equal to the one value, if there is one, or it is not. */
    private List<Map<String, Integer>> named() {
        List<Map<String, Integer>> result = new ArrayList<>();
        for (String name : names) {
            result.add(Map.of(name, Comparison.EQUAL));
            result.add(Map.of(name, Comparison.LESS));
            result.add(Map.of(name, Comparison.GREATER));
        }
        return result.isEmpty() ? List.of(Map.of()) : result;
    }

    /** The variable is one of the numbers, or between two of them. */
    private static List<Map<String, Integer>> between(List<Long> numbers, boolean isBoolean) {
        numbers.sort(Comparator.naturalOrder());
        List<Map<String, Integer>> result = new ArrayList<>();
        for (int i = 0; i <= numbers.size(); i++) {
            // Below the number, and equal to it.
            boolean isEmpty = isBoolean && i == 0 || i > 0 && i < numbers.size() && numbers.get(i) == numbers.get(i - 1) + 1;
            if (!isEmpty) {
                result.add(orders(numbers, i, false));
            }
            if (i < numbers.size()) {
                result.add(orders(numbers, i, true));
            }
        }
        return result;
    }

    private static Map<String, Integer> orders(List<Long> numbers, int at, boolean isEqual) {
        Map<String, Integer> orders = new HashMap<>();
        for (int i = 0; i < numbers.size(); i++) {
            orders.put(SharedValues.name(numbers.get(i)), i < at ? Comparison.GREATER : i == at && isEqual ? Comparison.EQUAL : Comparison.LESS);
        }
        return orders;
    }
}
