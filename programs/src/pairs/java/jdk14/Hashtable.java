package jdk14;

import java.util.ConcurrentModificationException;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Objects;

/**
 * A map with the synchronization of JDK 1.4's {@code java.util.Hashtable}. Its views use the table's lock, but their
 * iterators use none. Views are created at the first request, without a lock.
 */
public class Hashtable {
    private Entry[] table;
    private int count;
    private int threshold;
    private int modCount;
    private View keySet;
    private View entrySet;
    private View values;

    public Hashtable(int capacity) {
        table = new Entry[capacity];
        threshold = (int) (capacity * 0.75f);
    }

    public Hashtable() {
        this(11);
    }

    public Hashtable(Hashtable other) {
        this(Math.max(2 * other.size(), 11));
        putAll(other);
    }

    public synchronized int size() {
        return count;
    }

    public synchronized boolean isEmpty() {
        return count == 0;
    }

    public synchronized Enumeration<Object> keys() {
        return new Position(Kind.KEYS);
    }

    public synchronized Enumeration<Object> elements() {
        return new Position(Kind.VALUES);
    }

    public synchronized boolean contains(Object value) {
        for (Entry first : table) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                if (entry.value.equals(value)) {
                    return true;
                }
            }
        }
        return false;
    }

    public boolean containsValue(Object value) {
        return contains(value);
    }

    public synchronized boolean containsKey(Object key) {
        return find(key) != null;
    }

    public synchronized Object get(Object key) {
        Entry entry = find(key);
        return entry == null ? null : entry.value;
    }

    public synchronized Object put(Object key, Object value) {
        Objects.requireNonNull(value);
        Entry known = find(key);
        if (known != null) {
            Object old = known.value;
            known.value = value;
            return old;
        }
        modCount++;
        if (count >= threshold) {
            rehash();
        }
        Entry[] entries = table;
        int place = place(key, entries);
        entries[place] = new Entry(key, value, entries[place]);
        count++;
        return null;
    }

    public synchronized Object remove(Object key) {
        Entry[] entries = table;
        int place = place(key, entries);
        Entry before = null;
        for (Entry entry = entries[place]; entry != null; before = entry, entry = entry.next) {
            if (entry.key.equals(key)) {
                modCount++;
                if (before != null) {
                    before.next = entry.next;
                } else {
                    entries[place] = entry.next;
                }
                count--;
                Object old = entry.value;
                entry.value = null;
                return old;
            }
        }
        return null;
    }

    public synchronized void putAll(Hashtable other) {
        for (Iterator<Object> each = other.entrySet().iterator(); each.hasNext();) {
            Entry entry = (Entry) each.next();
            put(entry.key, entry.value);
        }
    }

    public synchronized void clear() {
        Entry[] entries = table;
        modCount++;
        for (int place = entries.length; --place >= 0;) {
            entries[place] = null;
        }
        count = 0;
    }

    public synchronized Hashtable copy() {
        Hashtable copy = new Hashtable(table.length);
        for (int place = table.length; place-- > 0;) {
            copy.table[place] = Entry.copy(table[place]);
        }
        copy.count = count;
        return copy;
    }

    @Override
    public synchronized String toString() {
        java.util.StringJoiner text = new java.util.StringJoiner(", ", "{", "}");
        int size = size();
        Iterator<Object> each = entrySet().iterator();
        for (int i = 0; i < size; i++) {
            Entry entry = (Entry) each.next();
            text.add(entry.key + "=" + entry.value);
        }
        return text.toString();
    }

    public View keySet() {
        if (keySet == null) {
            keySet = new View(Kind.KEYS);
        }
        return keySet;
    }

    public View entrySet() {
        if (entrySet == null) {
            entrySet = new View(Kind.ENTRIES);
        }
        return entrySet;
    }

    public View values() {
        if (values == null) {
            values = new View(Kind.VALUES);
        }
        return values;
    }

    @Override
    public synchronized boolean equals(Object object) {
        if (object == this) {
            return true;
        }
        if (!(object instanceof Hashtable)) {
            return false;
        }
        Hashtable other = (Hashtable) object;
        if (other.size() != size()) {
            return false;
        }
        for (Iterator<Object> each = entrySet().iterator(); each.hasNext();) {
            Entry entry = (Entry) each.next();
            if (!entry.value.equals(other.get(entry.key))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public synchronized int hashCode() {
        int code = 0;
        for (Entry first : table) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                code += entry.key.hashCode() ^ entry.value.hashCode();
            }
        }
        return code;
    }

    protected void rehash() {
        Entry[] old = table;
        Entry[] entries = new Entry[old.length * 2 + 1];
        modCount++;
        threshold = (int) (entries.length * 0.75f);
        table = entries;
        for (Entry first : old) {
            for (Entry entry = first; entry != null;) {
                Entry next = entry.next;
                int place = place(entry.key, entries);
                entry.next = entries[place];
                entries[place] = entry;
                entry = next;
            }
        }
    }

    private Entry find(Object key) {
        Entry[] entries = table;
        Entry entry = entries[place(key, entries)];
        while (entry != null && !entry.key.equals(key)) {
            entry = entry.next;
        }
        return entry;
    }

    private static int place(Object key, Entry[] entries) {
        return (key.hashCode() & 0x7FFFFFFF) % entries.length;
    }

    private static final class Entry {
        private final Object key;
        private Object value;
        private Entry next;

        Entry(Object key, Object value, Entry next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }

        static Entry copy(Entry entry) {
            return entry == null ? null : new Entry(entry.key, entry.value, copy(entry.next));
        }
    }

    private enum Kind { KEYS, VALUES, ENTRIES }

    /** Keys, values or entries. */
    public final class View {
        private final Kind kind;

        View(Kind kind) {
            this.kind = kind;
        }

        public int size() {
            synchronized (Hashtable.this) {
                return count;
            }
        }

        /** The caller must hold the lock. */
        public Iterator<Object> iterator() {
            return new Position(kind);
        }
    }

    private final class Position implements Iterator<Object>, Enumeration<Object> {
        private final Kind kind;
        private final Entry[] entries = table;
        private final int expectedModCount = modCount;
        private int place = entries.length;
        private Entry entry;

        Position(Kind kind) {
            this.kind = kind;
        }

        @Override
        public boolean hasMoreElements() {
            while (entry == null && place > 0) {
                entry = entries[--place];
            }
            return entry != null;
        }

        @Override
        public Object nextElement() {
            hasMoreElements();
            Entry found = entry;
            entry = found.next;
            switch (kind) {
                case KEYS:
                    return found.key;
                case VALUES:
                    return found.value;
                default:
                    return found;
            }
        }

        @Override
        public boolean hasNext() {
            return hasMoreElements();
        }

        @Override
        public Object next() {
            if (modCount != expectedModCount) {
                throw new ConcurrentModificationException();
            }
            return nextElement();
        }
    }
}
