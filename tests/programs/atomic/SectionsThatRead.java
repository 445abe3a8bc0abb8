package atomic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import schedule.Turns;

/**
 * Two critical sections one after the other, and another thread's section under the same lock between them. None of them writes anything, so their order has no
 * consequence. {@code violating.SectionsThatWrite} has sections that look like these.
 */
public final class SectionsThatRead {
    private static int created;

    private final Turns turns = new Turns();
    private final ReentrantLock lock = new ReentrantLock();
    private final Lock other = new ReentrantLock();
    private final List<String> names = new ArrayList<>();
    private final Map<String, String> byName = new HashMap<>();
    private final int[] numbers = {1, 2, 3};
    private int size;
    private boolean isReady;
    private String cached;

    SectionsThatRead() {
        names.add("a");
        byName.put("a", "b");
    }

    synchronized int size() {
        return size;
    }

    static synchronized int created() {
        return created;
    }

    List<String> copy() {
        synchronized (names) {
            return new ArrayList<>(names);
        }
    }

    List<String> copyOfValues() {
        synchronized (byName) {
            return Collections.unmodifiableList(new LinkedList<>(byName.values()));
        }
    }

    String[] array() {
        synchronized (names) {
            return names.toArray(new String[0]);
        }
    }

    int[] numbers() {
        synchronized (numbers) {
            return numbers.clone();
        }
    }

    int length() {
        int length = 0;
        synchronized (names) {
            for (String name : names) {
                length += name.length();
            }
        }
        return length;
    }

    int underLock() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    int underOther() {
        final Lock held = other;
        held.lock();
        try {
            if (size > 0) {
                return size;
            }
            return names.isEmpty() ? 0 : 1;
        } finally {
            held.unlock();
        }
    }

    int nested() {
        synchronized (this) {
            synchronized (names) {
                return size + names.size();
            }
        }
    }

    synchronized int again() {
        synchronized (this) {
            return size();
        }
    }

    synchronized int sum() {
        return sumFrom(0);
    }

    private int sumFrom(int first) {
        int sum = 0;
        for (int i = first; i < numbers.length; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    /** It was filled before. */
    synchronized String cached() {
        if (cached == null) {
            cached = String.valueOf(names);
        }
        return cached;
    }

    synchronized void awaitReady() {
        while (!isReady) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    synchronized String failing(int at) {
        if (at >= size) {
            throw new IndexOutOfBoundsException("no more than " + size);
        }
        return names.get(at);
    }

    private String failed() {
        try {
            return failing(1);
        } catch (IndexOutOfBoundsException e) {
            return e.getMessage();
        }
    }

    Object twice(Supplier<Object> get) {
        get.get();
        turns.give(get::get);
        return get.get();
    }

    private void all() {
        Object[] results = {
            twice(this::size), twice(SectionsThatRead::created), twice(this::copy), twice(this::copyOfValues), twice(() -> array().length),
            twice(() -> numbers().length), twice(this::length), twice(this::underLock), twice(this::underOther), twice(this::nested), twice(this::again),
            twice(this::sum), twice(this::cached), twice(this::failed), twice(() -> {
                awaitReady();
                return true;
            })};
        System.out.println(List.of(results));
    }

    public static void main(String[] args) throws InterruptedException {
        SectionsThatRead sections = new SectionsThatRead();
        sections.cached();
        synchronized (sections) {
            sections.isReady = true;
            sections.size = 1;
        }
        sections.turns.run(sections::all);
    }
}
