package jdk14;

/** The methods that JDK 1.4's {@code java.util.Stack} adds to those of {@link Vector}. */
public class Stack extends Vector {
    public Object push(Object item) {
        addElement(item);
        return item;
    }

    public synchronized Object pop() {
        int length = size();
        Object item = peek();
        removeElementAt(length - 1);
        return item;
    }

    public synchronized Object peek() {
        return elementAt(size() - 1);
    }

    public boolean empty() {
        return size() == 0;
    }

    public synchronized int search(Object item) {
        int i = lastIndexOf(item);
        return i >= 0 ? size() - i : -1;
    }
}
