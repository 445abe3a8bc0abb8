package jdk14;

import java.util.ConcurrentModificationException;
import java.util.Iterator;

/**
 * The superclass of {@link Vector}: methods that traverse a list by its iterator, without a lock of their own, and a counter
 * of the changes to the list, which iterators compare.
 */
public abstract class AbstractList {
    protected int modCount;

    public abstract int size();

    public abstract Object get(int index);

    public abstract Object remove(int index);

    public abstract boolean contains(Object item);

    public abstract Object[] toArray();

    public abstract Object[] toArray(Object[] into);

    public Iterator<Object> iterator() {
        return new Position();
    }

    public boolean containsAll(AbstractList items) {
        for (Iterator<Object> each = items.iterator(); each.hasNext();) {
            if (!contains(each.next())) {
                return false;
            }
        }
        return true;
    }

    public boolean removeAll(AbstractList items) {
        return keepOnly(items, false);
    }

    public boolean retainAll(AbstractList items) {
        return keepOnly(items, true);
    }

    private boolean keepOnly(AbstractList items, boolean those) {
        boolean hasChanged = false;
        for (Iterator<Object> each = iterator(); each.hasNext();) {
            if (items.contains(each.next()) != those) {
                each.remove();
                hasChanged = true;
            }
        }
        return hasChanged;
    }

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        if (!(other instanceof AbstractList)) {
            return false;
        }
        Iterator<Object> mine = iterator();
        Iterator<Object> others = ((AbstractList) other).iterator();
        while (mine.hasNext() && others.hasNext()) {
            if (!java.util.Objects.equals(mine.next(), others.next())) {
                return false;
            }
        }
        return !(mine.hasNext() || others.hasNext());
    }

    @Override
    public int hashCode() {
        int code = 1;
        for (Iterator<Object> each = iterator(); each.hasNext();) {
            code = 31 * code + java.util.Objects.hashCode(each.next());
        }
        return code;
    }

    @Override
    public String toString() {
        java.util.StringJoiner text = new java.util.StringJoiner(", ", "[", "]");
        for (Iterator<Object> each = iterator(); each.hasNext();) {
            text.add(String.valueOf(each.next()));
        }
        return text.toString();
    }

    private final class Position implements Iterator<Object> {
        private int next;
        private int last = -1;
        private int expectedModCount = modCount;

        @Override
        public boolean hasNext() {
            return next != size();
        }

        @Override
        public Object next() {
            checkForChanges();
            Object item = get(next);
            checkForChanges();
            last = next++;
            return item;
        }

        @Override
        public void remove() {
            checkForChanges();
            AbstractList.this.remove(last);
            next--;
            last = -1;
            expectedModCount = modCount;
        }

        private void checkForChanges() {
            if (modCount != expectedModCount) {
                throw new ConcurrentModificationException();
            }
        }
    }
}
