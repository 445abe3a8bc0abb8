package uses;

import static schedule.Threads.second;
import static schedule.Threads.third;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Stack;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Lists and other collections that are one variable, their views, copies and streams.
 */
class Lists {
    private final List<String> list = new ArrayList<>(List.of("c", "a", "b"));
    private final List<String> other = new ArrayList<>(List.of("x"));
    private final List<String> another = new LinkedList<>(List.of("y"));
    private final Vector<String> vector = new Vector<>(List.of("a", "b"));
    private final CopyOnWriteArrayList<String> snapshots = new CopyOnWriteArrayList<>(List.of("a", "b"));
    private final Deque<String> deque = new ArrayDeque<>(List.of("a", "b"));
    private final Queue<Integer> least = new PriorityQueue<>(List.of(3, 1, 2));
    private final BitSet bits = new BitSet();
    private final BitSet mask = new BitSet();
    private final Own own = new Own();

    /** Counts what is added. */
    private static final class Own extends ArrayList<String> {
        private static final long serialVersionUID = 1;
        private int added;

        Own() {
            add("x");
        }

        @Override
        public boolean add(String value) {
            added++;
            return super.add(value);
        }

        @Override
        public Iterator<String> iterator() {
            return added == 0 ? Collections.emptyIterator() : super.iterator();
        }
    }

    String sizeThenLastAroundAddIsViolated() {
        int size = list.size();
        second(() -> list.add("d"));
        return list.get(size - 1);
    }

    String sizeThenLastAroundAddToAnotherIsAtomic() {
        int size = list.size();
        second(() -> other.add("d"));
        return list.get(size - 1);
    }

    boolean containsThenIndexAroundSwapIsViolated() {
        boolean has = list.contains("a");
        second(() -> Collections.swap(list, 0, 1));
        return has && list.indexOf("a") == 1;
    }

    boolean swapThenContainsAroundIndexIsAtomic() {
        Collections.swap(list, 0, 1);
        second(() -> list.indexOf("a"));
        return list.contains("a");
    }

    String partThenPartAroundSetIsViolated() {
        List<String> part = list.subList(0, 2);
        String first = part.get(0);
        second(() -> list.set(2, "z"));
        return first + part.get(0);
    }

    boolean partOfPartThenWholeAroundSortIsViolated() {
        String first = list.subList(0, 3).subList(1, 3).get(0);
        second(() -> Collections.sort(list));
        return list.contains(first);
    }

    int partMadeBeforeSetAndReadOnceIsAtomic() {
        List<String> part = list.subList(1, 3);
        second(() -> list.set(0, "z"));
        return part.indexOf("z");
    }

    String setThroughPartThenGetAroundGetIsAtomic() {
        list.subList(0, 2).set(0, "z");
        second(() -> list.get(0));
        return list.get(0);
    }

    String setThroughPartTwiceAroundGetIsViolated() {
        list.subList(0, 2).set(0, "z");
        second(() -> list.get(0));
        return list.subList(0, 1).set(0, "y");
    }

    String nextThenSetAroundGetIsAtomic() {
        ListIterator<String> iterator = list.listIterator();
        String first = iterator.next();
        second(() -> list.get(0));
        iterator.set(first + "!");
        return first;
    }

    String nextThenSetAroundSetIsViolated() {
        ListIterator<String> iterator = list.listIterator();
        String first = iterator.next();
        second(() -> list.set(0, "z"));
        iterator.set(first + "!");
        return first;
    }

    boolean removeByIteratorThenAddAroundSizeIsViolated() {
        Iterator<String> iterator = list.iterator();
        iterator.next();
        iterator.remove();
        second(() -> list.size());
        return list.add("d");
    }

    int removeByIteratorThenSizeAroundSizeIsAtomic() {
        Iterator<String> iterator = list.iterator();
        iterator.next();
        iterator.remove();
        second(() -> list.size());
        return list.size();
    }

    boolean nextThenHasNextAroundSetIsViolated() {
        Iterator<String> iterator = list.iterator();
        iterator.next();
        second(() -> list.set(0, "z"));
        return iterator.hasNext();
    }

    boolean nextThenHasNextOfDequeAroundAddIsAtomic() {
        Iterator<String> iterator = deque.iterator();
        iterator.next();
        second(() -> deque.add("c"));
        return iterator.hasNext();
    }

    String nextThatThrowsAroundAddIsViolated() {
        Iterator<String> iterator = list.iterator();
        String first = iterator.next();
        second(() -> list.add("d"));
        return first + iterator.next();
    }

    int addThenSizeOfAnotherThatFollowsIsViolated() {
        list.add("d");
        second(() -> {
            if (list.size() == 4) {
                other.add("e");
            }
        });
        return other.size();
    }

    int addThenSizeOfAnotherThatPrecedesIsAtomic() {
        list.add("d");
        second(() -> {
            other.add("e");
            list.size();
        });
        return other.size();
    }

    int chainOverThreeListsIsViolated() {
        int size = list.size();
        second(() -> {
            list.add("d");
            other.add("e");
        });
        third(() -> {
            other.size();
            another.add("f");
        });
        return size + another.size();
    }

    int chainOverThreeListsThatIsBrokenIsAtomic() {
        int size = list.size();
        second(() -> {
            list.add("d");
            other.add("e");
        });
        third(() -> {
            another.add("f");
            other.size();
        });
        return size + another.size();
    }

    boolean removeThatFailsTwiceAroundContainsIsAtomic() {
        boolean first = list.remove("none");
        second(() -> list.contains("none"));
        return first || list.remove("none");
    }

    boolean sizeThenSizeAroundRemoveIfOfNothingIsAtomic() {
        int first = list.size();
        second(() -> list.removeIf(String::isEmpty));
        return first == list.size();
    }

    boolean sizeThenSizeAroundRemoveIfOfOneIsViolated() {
        int first = list.size();
        second(() -> list.removeIf(s -> s.equals("a")));
        return first == list.size();
    }

    boolean sizeThenSizeAroundRetainAllOfAllIsAtomic() {
        int first = list.size();
        second(() -> list.retainAll(List.of("a", "b", "c")));
        return first == list.size();
    }

    int wrappersTwiceAroundAddIsViolated() {
        int size = Collections.unmodifiableList(list).size();
        second(() -> list.add("d"));
        return size + Collections.unmodifiableCollection(Collections.checkedList(list, String.class)).size();
    }

    boolean copyThenSizeAroundSetIsViolated() {
        List<String> copy = new ArrayList<>(list);
        second(() -> list.set(0, "z"));
        return copy.size() == list.size();
    }

    int copyThenItsSizeAroundAddIsAtomic() {
        List<String> copy = new ArrayList<>(list);
        second(() -> list.add("d"));
        return copy.size();
    }

    String joinThenCopyAroundReverseIsViolated() {
        String joined = String.join(",", list);
        second(() -> Collections.reverse(list));
        return joined + List.copyOf(list).size();
    }

    String joinThenCopyAroundMaxIsAtomic() {
        String joined = String.join(",", list);
        second(() -> Collections.max(list));
        return joined + List.copyOf(list).size();
    }

    int fillTwiceAroundFrequencyIsViolated() {
        Collections.fill(list, "z");
        second(() -> Collections.frequency(list, "z"));
        Collections.fill(list, "y");
        return 1;
    }

    boolean replaceAllTwiceAroundGetIsViolated() {
        Collections.replaceAll(list, "a", "z");
        second(() -> list.get(0));
        return Collections.replaceAll(list, "z", "a");
    }

    boolean replaceAllOfNothingTwiceAroundGetIsAtomic() {
        boolean isReplaced = Collections.replaceAll(list, "no", "z");
        second(() -> list.get(0));
        return isReplaced | Collections.replaceAll(list, "no", "z");
    }

    int subListLookedForTwiceAroundAddIsViolated() {
        int at = Collections.indexOfSubList(list, List.of("b"));
        second(() -> list.add("d"));
        return at + Collections.lastIndexOfSubList(list, List.of("b"));
    }

    int subListLookedForTwiceAroundSizeIsAtomic() {
        int at = Collections.indexOfSubList(list, List.of("b"));
        second(() -> list.size());
        return at + Collections.lastIndexOfSubList(list, List.of("b"));
    }

    boolean addAllTwiceAroundAddToItsArgumentIsViolated() {
        another.addAll(list);
        second(() -> list.add("d"));
        return another.addAll(0, list);
    }

    boolean addAllTwiceAroundGetOfItsArgumentIsAtomic() {
        another.addAll(list);
        second(() -> list.get(0));
        return another.addAll(0, list);
    }

    boolean addAllThenUseOfItsArgumentAroundGetIsViolated() {
        another.addAll(list);
        second(() -> another.get(0));
        return another.addAll(list);
    }

    long streamTwiceAroundAddIsViolated() {
        long count = list.stream().filter(s -> s.length() == 1).count();
        second(() -> list.add("d"));
        return count - list.stream().count();
    }

    long streamMadeBeforeAddIsAtomic() {
        Stream<String> stream = list.stream().map(String::trim);
        second(() -> list.add("d"));
        return stream.count();
    }

    long sizeThenStreamMadeBeforeAddIsViolated() {
        int size = list.size();
        Stream<String> stream = list.stream().sorted();
        second(() -> list.add("d"));
        return size - stream.count();
    }

    boolean stepOfSpliteratorThenIsEmptyAroundSetIsViolated() {
        Spliterator<String> steps = list.spliterator();
        boolean has = steps.tryAdvance(s -> { });
        second(() -> list.set(0, "z"));
        return has && list.isEmpty();
    }

    String snapshotStepsAroundAddIsAtomic() {
        Iterator<String> iterator = snapshots.iterator();
        String first = iterator.next();
        second(() -> snapshots.add("c"));
        return first + iterator.next();
    }

    int snapshotThenSizeAroundAddIsViolated() {
        Iterator<String> iterator = snapshots.iterator();
        second(() -> snapshots.add("c"));
        return iterator.next().length() + snapshots.size();
    }

    int sizeTwiceAroundAddIfAbsentOfOneThatIsThereIsAtomic() {
        int size = snapshots.size();
        second(() -> snapshots.addIfAbsent("a"));
        return size - snapshots.size();
    }

    int sizeTwiceAroundAddIfAbsentOfANewOneIsViolated() {
        int size = snapshots.size();
        second(() -> snapshots.addIfAbsent("c"));
        return size - snapshots.size();
    }

    boolean elementsAroundRemoveIsViolated() {
        Enumeration<String> elements = vector.elements();
        elements.nextElement();
        second(() -> vector.removeElementAt(0));
        return elements.hasMoreElements();
    }

    String lastElementThenFirstAroundCopyIntoIsAtomic() {
        String last = vector.lastElement();
        second(() -> vector.copyInto(new String[2]));
        return last + vector.firstElement();
    }

    String setSizeThenPopAroundSearchIsViolated() {
        Stack<String> stack = new Stack<>();
        stack.push("a");
        second(() -> stack.search("a"));
        return stack.pop();
    }

    String pushThenPeekAroundPeekIsAtomic() {
        Stack<String> stack = new Stack<>();
        stack.push("a");
        second(() -> stack.peek());
        return stack.peek();
    }

    String firstThenPollAroundOfferIsViolated() {
        String first = deque.peekFirst();
        second(() -> deque.offerLast("c"));
        return first + deque.pollFirst();
    }

    String backwardsAroundFailedRemoveIsAtomic() {
        Iterator<String> backwards = deque.descendingIterator();
        String last = backwards.next();
        second(() -> deque.removeFirstOccurrence("none"));
        return last + backwards.next();
    }

    int peekThenPollAroundOfferIsViolated() {
        int first = least.peek();
        second(() -> least.offer(0));
        return first - least.poll();
    }

    int offerThenPeekAroundPeekIsAtomic() {
        least.offer(0);
        second(() -> least.peek());
        return least.peek();
    }

    boolean bitTwiceAroundAnotherBitIsViolated() {
        boolean first = bits.get(1);
        second(() -> bits.set(2));
        return first == bits.get(1);
    }

    int orTwiceAroundSetOfItsArgumentIsViolated() {
        bits.or(mask);
        second(() -> mask.set(3));
        bits.or(mask);
        return 1;
    }

    int orTwiceAroundIntersectsOfItsArgumentIsAtomic() {
        bits.or(mask);
        second(() -> mask.intersects(mask));
        bits.or(mask);
        return 1;
    }

    boolean synchronizedWrapperTwiceAroundAddIsViolated() {
        List<String> wrapper = Collections.synchronizedList(list);
        boolean has = wrapper.contains("d");
        second(() -> wrapper.add("d"));
        return has || wrapper.add("d");
    }

    int removeAllOfOtherThenSizeOfItAroundAddIsViolated() {
        boolean any = list.removeAll(other);
        second(() -> other.add("z"));
        return any ? 0 : other.size();
    }

    int removeAllOfOtherFromPartThenSizeOfListAroundAddToItIsViolated() {
        boolean any = list.subList(0, 2).removeAll(List.copyOf(other));
        second(() -> list.add("z"));
        return any ? 0 : list.size();
    }

    int retainAllOfItselfThenSizeAroundAddIsViolated() {
        boolean any = list.retainAll(list);
        second(() -> list.add("z"));
        return any ? 0 : list.size();
    }

    int removeAllOfItselfThenSizeAroundSizeOfOtherIsAtomic() {
        boolean any = list.removeAll(list);
        second(() -> other.size());
        return any ? list.size() : 0;
    }

    int containsAllOfNothingThatFailsThenSizeAroundAddIsAtomic() {
        try {
            list.containsAll(null);
        } catch (NullPointerException e) {
            second(() -> list.add("z"));
        }
        return list.size();
    }

    int containsAllInOwnListThenSizeOfItAroundAddIsViolated() {
        boolean all = list.containsAll(own);
        second(() -> own.add("z"));
        return all ? 0 : own.added;
    }

    int removeAllFromOwnListThenSizeOfOtherAroundAddIsViolated() {
        boolean any = own.removeAll(other);
        second(() -> other.add("z"));
        return any ? other.size() : 0;
    }

    int locatedInAWrapperThenSizeOfThatAroundAddIsViolated() {
        List<String> locked = Collections.synchronizedList(other);
        boolean all = list.containsAll(locked);
        second(() -> locked.add("z"));
        return all ? 0 : locked.size();
    }

    int locatedInAWrapperThenSizeOfListAroundSizeOfThatIsAtomic() {
        List<String> locked = Collections.synchronizedList(other);
        boolean all = list.containsAll(locked);
        second(() -> locked.size());
        return all ? 0 : list.size();
    }

    int copyByReferenceThenSizeAroundAddIsViolated() {
        Function<Collection<String>, List<String>> copy = ArrayList::new;
        int size = copy.apply(list).size();
        second(() -> list.add("z"));
        return size + list.size();
    }

    boolean allAddedThenFirstAroundGetIsViolated() {
        boolean any = Collections.addAll(list, "y", "z");
        second(() -> list.get(0));
        return any && list.add("w");
    }

    boolean noneAddedThenAddAroundGetIsAtomic() {
        boolean any = Collections.addAll(list);
        second(() -> list.get(0));
        return any || list.add("w");
    }
}
