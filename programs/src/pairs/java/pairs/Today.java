package pairs;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Stack;
import java.util.Vector;
import java.util.function.Supplier;
import pairs.Pairs.Call;
import pairs.Pairs.Subject;

/** The same methods of the current JDK's classes. */
final class Today {
    private Today() {
    }

    static Subject<?> named(String name) {
        switch (name) {
            case "java.lang.StringBuffer":
                return stringBuffer();
            case "java.util.Vector":
                return vector();
            case "java.util.Hashtable":
                return hashtable();
            case "java.util.Stack":
                return stack();
            default:
                throw new IllegalArgumentException(name);
        }
    }

    private static <C extends Vector<String>> C filled(C list) {
        for (String item : new String[] {"a", "b", "c"}) {
            list.addElement(item);
        }
        return list;
    }

    private static <C extends Vector<String>> List<Call<C>> ofListsTakingOther() {
        return List.of(
            Vector::containsAll, Vector::addAll, Vector::removeAll, Vector::retainAll,
            (own, other) -> own.addAll(1, other), (own, other) -> own.equals(other));
    }

    private static <C extends Vector<String>> List<Call<C>> ofListsAlone() {
        return List.of(
            (own, other) -> own.copyInto(new Object[3]), (own, other) -> own.trimToSize(), (own, other) -> own.ensureCapacity(20),
            (own, other) -> own.setSize(2), (own, other) -> own.setSize(5), (own, other) -> own.capacity(),
            (own, other) -> own.size(), (own, other) -> own.isEmpty(), (own, other) -> walk(own),
            (own, other) -> own.contains("b"), (own, other) -> own.indexOf("b"), (own, other) -> own.indexOf("b", 1),
            (own, other) -> own.lastIndexOf("b"), (own, other) -> own.lastIndexOf("b", 2), (own, other) -> own.elementAt(1),
            (own, other) -> own.firstElement(), (own, other) -> own.lastElement(), (own, other) -> own.setElementAt("d", 1),
            (own, other) -> own.removeElementAt(1), (own, other) -> own.insertElementAt("d", 1), (own, other) -> own.addElement("d"),
            (own, other) -> own.removeElement("b"), (own, other) -> own.removeAllElements(), (own, other) -> own.clone(),
            (own, other) -> own.toArray(), (own, other) -> own.toArray(new String[0]), (own, other) -> own.get(1),
            (own, other) -> own.set(1, "d"), (own, other) -> own.add("d"), (own, other) -> own.remove("b"),
            (own, other) -> own.add(1, "d"), (own, other) -> own.remove(1), (own, other) -> own.clear(),
            (own, other) -> own.hashCode(), (own, other) -> own.toString());
    }

    private static void walk(Vector<String> list) {
        for (java.util.Enumeration<String> each = list.elements(); each.hasMoreElements();) {
            each.nextElement();
        }
    }

    private static <C> List<Call<C>> and(List<Call<C>> calls, List<Call<C>> more) {
        List<Call<C>> all = new ArrayList<>(calls);
        all.addAll(more);
        return all;
    }

    private static Subject<Vector<String>> vector() {
        Supplier<Vector<String>> make = () -> filled(new Vector<>());
        return new Subject<>(make, and(ofListsTakingOther(), List.of((own, other) -> new Vector<>(other))), ofListsAlone());
    }

    private static Subject<Stack<String>> stack() {
        List<Call<Stack<String>>> alone = and(
            ofListsAlone(), List.of(
                (own, other) -> own.push("d"), (own, other) -> own.pop(), (own, other) -> own.peek(), (own, other) -> own.empty(),
                (own, other) -> own.search("b")));
        return new Subject<>(() -> filled(new Stack<>()), ofListsTakingOther(), alone);
    }

    private static Subject<Hashtable<String, Integer>> hashtable() {
        Supplier<Hashtable<String, Integer>> make = () -> {
            Hashtable<String, Integer> table = new Hashtable<>();
            table.put("a", 1);
            table.put("b", 2);
            return table;
        };
        List<Call<Hashtable<String, Integer>>> takingOther = List.of(
            (own, other) -> new Hashtable<>(other), Hashtable::putAll, (own, other) -> own.equals(other));
        List<Call<Hashtable<String, Integer>>> alone = List.of(
            (own, other) -> own.size(), (own, other) -> own.isEmpty(), (own, other) -> own.keys().nextElement(),
            (own, other) -> own.elements().nextElement(), (own, other) -> own.contains(2), (own, other) -> own.containsValue(2),
            (own, other) -> own.containsKey("b"), (own, other) -> own.get("b"), (own, other) -> own.put("b", 3),
            (own, other) -> own.put("c", 3), (own, other) -> own.remove("b"), (own, other) -> own.clear(),
            (own, other) -> own.clone(), (own, other) -> own.toString(), (own, other) -> own.keySet().size(),
            (own, other) -> own.entrySet().size(), (own, other) -> own.values().size(), (own, other) -> own.hashCode());
        return new Subject<>(make, takingOther, alone);
    }

    private static Subject<StringBuffer> stringBuffer() {
        List<Call<StringBuffer>> alone = List.of(
            (own, other) -> own.length(), (own, other) -> own.capacity(), (own, other) -> own.ensureCapacity(40),
            (own, other) -> own.setLength(2), (own, other) -> own.setLength(5), (own, other) -> own.charAt(1),
            (own, other) -> own.getChars(0, 2, new char[2], 0), (own, other) -> own.setCharAt(1, 'd'),
            (own, other) -> own.append((Object) "d"), (own, other) -> own.append("d"),
            (own, other) -> own.append(new char[] {'d'}), (own, other) -> own.append(true), (own, other) -> own.append('d'),
            (own, other) -> own.append(4), (own, other) -> own.delete(0, 1), (own, other) -> own.deleteCharAt(1),
            (own, other) -> own.replace(0, 1, "de"), (own, other) -> own.substring(1), (own, other) -> own.substring(0, 2),
            (own, other) -> own.subSequence(0, 2), (own, other) -> own.insert(1, (Object) "d"),
            (own, other) -> own.insert(1, "d"), (own, other) -> own.insert(1, 4), (own, other) -> own.indexOf("b"),
            (own, other) -> own.indexOf("b", 1), (own, other) -> own.lastIndexOf("b"), (own, other) -> own.reverse(),
            (own, other) -> own.toString());
        return new Subject<>(() -> new StringBuffer("abc"), List.of((own, other) -> own.append(other)), alone);
    }
}
