package jdk14;

import java.util.Arrays;
import java.util.Enumeration;
import java.util.Objects;

/**
 * A list with the synchronization of JDK 1.4's {@code java.util.Vector}: which methods are synchronized, which other methods
 * they call, and which fields they access in which order. Repetitive methods are left out.
 */
public class Vector extends AbstractList {
    protected Object[] elementData;
    protected int elementCount;
    protected int capacityIncrement;

    public Vector(int initialCapacity, int capacityIncrement) {
        elementData = new Object[initialCapacity];
        this.capacityIncrement = capacityIncrement;
    }

    public Vector() {
        this(10, 0);
    }

    public Vector(AbstractList items) {
        elementCount = items.size();
        elementData = new Object[(int) (elementCount * 110L / 100)];
        items.toArray(elementData);
    }

    public synchronized void copyInto(Object[] into) {
        System.arraycopy(elementData, 0, into, 0, elementCount);
    }

    public synchronized void trimToSize() {
        modCount++;
        if (elementCount < elementData.length) {
            elementData = Arrays.copyOf(elementData, elementCount);
        }
    }

    public synchronized void ensureCapacity(int least) {
        modCount++;
        makeRoom(least);
    }

    private void makeRoom(int least) {
        int old = elementData.length;
        if (least > old) {
            int more = capacityIncrement > 0 ? old + capacityIncrement : old * 2;
            elementData = Arrays.copyOf(elementData, Math.max(least, more));
        }
    }

    public synchronized void setSize(int size) {
        modCount++;
        if (size > elementCount) {
            makeRoom(size);
        } else {
            for (int i = size; i < elementCount; i++) {
                elementData[i] = null;
            }
        }
        elementCount = size;
    }

    public synchronized int capacity() {
        return elementData.length;
    }

    @Override
    public synchronized int size() {
        return elementCount;
    }

    public synchronized boolean isEmpty() {
        return elementCount == 0;
    }

    public Enumeration<Object> elements() {
        return new Enumeration<>() {
            private int count;

            @Override
            public boolean hasMoreElements() {
                return count < elementCount;
            }

            @Override
            public Object nextElement() {
                synchronized (Vector.this) {
                    return elementData[count++];
                }
            }
        };
    }

    @Override
    public boolean contains(Object item) {
        return indexOf(item, 0) >= 0;
    }

    public int indexOf(Object item) {
        return indexOf(item, 0);
    }

    public synchronized int indexOf(Object item, int from) {
        for (int i = from; i < elementCount; i++) {
            if (Objects.equals(item, elementData[i])) {
                return i;
            }
        }
        return -1;
    }

    public synchronized int lastIndexOf(Object item) {
        return lastIndexOf(item, elementCount - 1);
    }

    public synchronized int lastIndexOf(Object item, int from) {
        if (from >= elementCount) {
            throw new IndexOutOfBoundsException();
        }
        for (int i = from; i >= 0; i--) {
            if (Objects.equals(item, elementData[i])) {
                return i;
            }
        }
        return -1;
    }

    public synchronized Object elementAt(int index) {
        check(index);
        return elementData[index];
    }

    public synchronized Object firstElement() {
        check(0);
        return elementData[0];
    }

    public synchronized Object lastElement() {
        check(elementCount - 1);
        return elementData[elementCount - 1];
    }

    public synchronized void setElementAt(Object item, int index) {
        check(index);
        elementData[index] = item;
    }

    public synchronized void removeElementAt(int index) {
        modCount++;
        take(index);
    }

    public synchronized void insertElementAt(Object item, int index) {
        modCount++;
        makeRoom(elementCount + 1);
        System.arraycopy(elementData, index, elementData, index + 1, elementCount - index);
        elementData[index] = item;
        elementCount++;
    }

    public synchronized void addElement(Object item) {
        modCount++;
        makeRoom(elementCount + 1);
        elementData[elementCount++] = item;
    }

    public synchronized boolean removeElement(Object item) {
        modCount++;
        int i = indexOf(item);
        if (i < 0) {
            return false;
        }
        removeElementAt(i);
        return true;
    }

    public synchronized void removeAllElements() {
        modCount++;
        for (int i = 0; i < elementCount; i++) {
            elementData[i] = null;
        }
        elementCount = 0;
    }

    public synchronized Vector copy() {
        Vector copy = new Vector(elementCount, 0);
        System.arraycopy(elementData, 0, copy.elementData, 0, elementCount);
        copy.elementCount = elementCount;
        return copy;
    }

    @Override
    public synchronized Object[] toArray() {
        return Arrays.copyOf(elementData, elementCount);
    }

    @Override
    public synchronized Object[] toArray(Object[] into) {
        Object[] array = into.length < elementCount ? Arrays.copyOf(into, elementCount) : into;
        System.arraycopy(elementData, 0, array, 0, elementCount);
        if (array.length > elementCount) {
            array[elementCount] = null;
        }
        return array;
    }

    @Override
    public synchronized Object get(int index) {
        check(index);
        return elementData[index];
    }

    public synchronized Object set(int index, Object item) {
        check(index);
        Object old = elementData[index];
        elementData[index] = item;
        return old;
    }

    public synchronized boolean add(Object item) {
        modCount++;
        makeRoom(elementCount + 1);
        elementData[elementCount++] = item;
        return true;
    }

    public boolean remove(Object item) {
        return removeElement(item);
    }

    public void add(int index, Object item) {
        insertElementAt(item, index);
    }

    @Override
    public synchronized Object remove(int index) {
        modCount++;
        return take(index);
    }

    public void clear() {
        removeAllElements();
    }

    @Override
    public synchronized boolean containsAll(AbstractList items) {
        return super.containsAll(items);
    }

    public synchronized boolean addAll(AbstractList items) {
        modCount++;
        Object[] array = items.toArray();
        makeRoom(elementCount + array.length);
        System.arraycopy(array, 0, elementData, elementCount, array.length);
        elementCount += array.length;
        return array.length > 0;
    }

    @Override
    public synchronized boolean removeAll(AbstractList items) {
        return super.removeAll(items);
    }

    @Override
    public synchronized boolean retainAll(AbstractList items) {
        return super.retainAll(items);
    }

    public synchronized boolean addAll(int index, AbstractList items) {
        modCount++;
        Object[] array = items.toArray();
        makeRoom(elementCount + array.length);
        System.arraycopy(elementData, index, elementData, index + array.length, elementCount - index);
        System.arraycopy(array, 0, elementData, index, array.length);
        elementCount += array.length;
        return array.length > 0;
    }

    @Override
    public synchronized boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public synchronized int hashCode() {
        return super.hashCode();
    }

    @Override
    public synchronized String toString() {
        return super.toString();
    }

    private Object take(int index) {
        check(index);
        Object old = elementData[index];
        System.arraycopy(elementData, index + 1, elementData, index, elementCount - index - 1);
        elementCount--;
        elementData[elementCount] = null;
        return old;
    }

    private void check(int index) {
        if (index >= elementCount) {
            throw new ArrayIndexOutOfBoundsException(index);
        }
    }
}
