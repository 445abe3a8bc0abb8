package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.Test;
import org.objectweb.asm.Opcodes;

/** After which first looks, before a lock, only the second one decides what the method does. */
public class SecondLooksTest {
    /** A method for each shape. In those that begin with "used", the first look has a consequence. */
    static class Shapes {
        static Object instance;
        final Lock lock = new ReentrantLock();
        Object made;
        int state;
        long ticks;
        int count;
        double fraction;
        boolean isReady;
        boolean isDebugging;

        void fills() {
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    }
                }
            }
        }

        boolean tellsWhatItFound() {
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                        return true;
                    }
                }
            }
            return false;
        }

        boolean tellsByALocal() {
            boolean isFirst = false;
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                        isFirst = true;
                    }
                }
            }
            return isFirst;
        }

        boolean tellsInBothCases() {
            if (made == null) {
                lock.lock();
                try {
                    if (made != null) {
                        return false;
                    }
                    made = "new";
                    return true;
                } finally {
                    lock.unlock();
                }
            }
            return false;
        }

        Object returnsWhatItFinds() {
            Object found = made;
            if (found != null) {
                return found;
            }
            synchronized (this) {
                found = made;
                if (found != null) {
                    return found;
                }
                made = "new";
                return made;
            }
        }

        static Object looksIntoAStatic() {
            Object result = instance;
            if (result == null) {
                synchronized (Shapes.class) {
                    result = instance;
                    if (result == null) {
                        instance = result = "new";
                    }
                }
            }
            return result;
        }

        void throwsInBothCases() {
            if (made != null) {
                throw new IllegalStateException("is there");
            }
            synchronized (this) {
                if (made != null) {
                    throw new IllegalStateException("is there");
                }
                made = "new";
            }
        }

        void moves() {
            if (state == 1) {
                synchronized (this) {
                    if (state == 1) {
                        state = 2;
                    }
                }
            }
        }

        void movesFromFew() {
            if (state < 5) {
                synchronized (this) {
                    if (state >= 5) {
                        return;
                    }
                    state = 5;
                }
            }
        }

        void advances(long now) {
            if (ticks < now) {
                synchronized (this) {
                    if (now > ticks) {
                        ticks = now;
                    }
                }
            }
        }

        void waitsUntilReady() throws InterruptedException {
            if (!isReady) {
                synchronized (this) {
                    while (!isReady) {
                        wait();
                    }
                }
            }
        }

        void countsInBothCases() {
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    } else {
                        count++;
                    }
                }
            } else {
                count++;
            }
        }

        /** What follows in both cases only computes. */
        Object suppliesOnce() {
            if (!isReady) {
                synchronized (this) {
                    if (!isReady) {
                        Object value = new Object();
                        made = value;
                        isReady = true;
                        return value;
                    }
                }
            }
            return cast(made);
        }

        private static Object cast(Object value) {
            return value;
        }

        private boolean isThere() {
            return made != null;
        }

        boolean asksByMethod() {
            if (!isThere()) {
                synchronized (this) {
                    if (!isThere()) {
                        made = "new";
                        return true;
                    }
                }
            }
            return false;
        }

        boolean movesInRange() {
            if (state >= 0 && state < 10) {
                synchronized (this) {
                    if (state >= 0 && state < 10) {
                        state++;
                        return true;
                    }
                }
            }
            return false;
        }

        String opens() {
            int seen = state;
            if (seen == 0) {
                synchronized (this) {
                    seen = state;
                    if (seen == 0) {
                        state = 1;
                        return "made";
                    }
                }
            }
            return seen == 7 ? "closed" : "open";
        }

        int opensByState() {
            switch (state) {
                case 0:
                    synchronized (this) {
                        if (state == 0) {
                            state = 1;
                            return 0;
                        }
                        return state == 7 ? 2 : 1;
                    }
                case 7:
                    return 2;
                default:
                    return 1;
            }
        }

        boolean looksIfEnabled(boolean isEnabled) {
            if (made == null && isEnabled) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    }
                }
            }
            return isEnabled;
        }

        void usedIfForced(boolean isForced) {
            if (made == null || isForced) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    }
                    count++;
                }
            }
        }

        String usedToOpen() {
            int seen = state;
            if (seen == 0) {
                synchronized (this) {
                    seen = state;
                    if (seen == 0) {
                        state = 1;
                        return "made";
                    }
                    return "open";
                }
            }
            return seen == 7 ? "closed" : "open";
        }

        int usedToOpenByState() {
            switch (state) {
                case 0:
                    synchronized (this) {
                        if (state == 0) {
                            state = 1;
                            return 0;
                        }
                        return 1;
                    }
                case 7:
                    return 2;
                default:
                    return 1;
            }
        }

        void usedToCountLost() {
            if (!isReady) {
                synchronized (this) {
                    if (!isReady) {
                        state++;
                    }
                }
            } else {
                count++;
            }
        }

        boolean usedByMethod() {
            if (!isThere()) {
                synchronized (this) {
                    if (!isThere()) {
                        made = "new";
                    }
                    return true;
                }
            }
            return false;
        }

        boolean usedInRange() {
            if (state >= 0 && state < 10) {
                synchronized (this) {
                    if (state >= 0 && state < 10) {
                        state++;
                    }
                    return true;
                }
            }
            return false;
        }

        boolean usedAsFraction() {
            if (fraction < 5) {
                synchronized (this) {
                    if (fraction < 5) {
                        fraction = 5;
                    }
                    return true;
                }
            }
            return false;
        }

        boolean usedByBits() {
            if ((state & 4) == 0) {
                synchronized (this) {
                    if ((state & 4) == 0) {
                        state |= 4;
                    }
                    return true;
                }
            }
            return false;
        }

        /** Some who are late are told. */
        String usedToTellSome(boolean tells) {
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                        return "first";
                    }
                    if (tells) {
                        return "late";
                    }
                    return "old";
                }
            }
            return "old";
        }

        boolean usedToTell() {
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    }
                }
                return true;
            }
            return false;
        }

        boolean usedToTellUnderLock() {
            if (made == null) {
                lock.lock();
                try {
                    if (made == null) {
                        made = "new";
                    }
                    return true;
                } finally {
                    lock.unlock();
                }
            }
            return false;
        }

        String usedToTellWho() {
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                        return "first";
                    }
                    return "late";
                }
            }
            return "old";
        }

        int usedToCount() {
            int mine = 0;
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    }
                    mine++;
                }
            }
            return mine;
        }

        int usedToCountOthers() {
            int late = 0;
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    } else {
                        late++;
                    }
                }
            }
            return late;
        }

        boolean usedToRemember() {
            boolean hasLocked = false;
            if (made == null) {
                synchronized (this) {
                    hasLocked = true;
                    if (made == null) {
                        made = "new";
                    }
                }
            }
            return hasLocked;
        }

        boolean usedToRememberWho() {
            boolean isLate = false;
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    } else {
                        isLate = true;
                    }
                }
            }
            return isLate;
        }

        Object usedWithoutALook() {
            Object found = null;
            if (made == null) {
                synchronized (this) {
                    found = made;
                    if (found == null) {
                        made = found = "new";
                    }
                }
            }
            return found;
        }

        void usedToWrite() {
            if (made == null) {
                synchronized (this) {
                    if (made == null) {
                        made = "new";
                    } else {
                        count++;
                    }
                }
            }
        }

        void usedToThrow() {
            if (made == null) {
                synchronized (this) {
                    if (made != null) {
                        throw new IllegalStateException("too late");
                    }
                    made = "new";
                }
            }
        }

        void usedToPass() {
            if (made != null) {
                throw new IllegalStateException("is there");
            }
            synchronized (this) {
                if (made == null) {
                    made = "new";
                }
            }
        }

        boolean usedAtAnotherLimit() {
            if (state < 5) {
                synchronized (this) {
                    if (state < 4) {
                        state = 5;
                    }
                    return true;
                }
            }
            return false;
        }

        int usedEachRound() {
            int rounds = 0;
            while (state < 5) {
                synchronized (this) {
                    if (state < 5) {
                        state++;
                    }
                    rounds++;
                }
            }
            return rounds;
        }

        void usedToLog() {
            if (made == null) {
                synchronized (this) {
                    if (made != null) {
                        if (isDebugging) {
                            System.out.println("late");
                        }
                        return;
                    }
                    made = "new";
                }
            }
        }
        enum Age { FIRST, LATE, OLD }

        Age usedToTellByAConstant() {
            if (state == 0) {
                synchronized (this) {
                    if (state == 0) {
                        state = 1;
                        return Age.FIRST;
                    }
                    return Age.LATE;
                }
            }
            return Age.OLD;
        }

        double usedToTellByAFraction() {
            if (state == 0) {
                synchronized (this) {
                    return state == 0 ? 0.5 : 1.5;
                }
            }
            return 2.5;
        }

        int usedToTellBySums(int n) {
            if (state == 0) {
                synchronized (this) {
                    return state == 0 ? n : n + 1;
                }
            }
            return n + 2;
        }

        int usedToTellByFields() {
            if (state == 0) {
                synchronized (this) {
                    if (state != 0) {
                        return count;
                    }
                    state = 1;
                }
                return 0;
            }
            return (int) ticks;
        }

        Object usedToTellByBoxes() {
            if (state == 0) {
                synchronized (this) {
                    if (state == 0) {
                        state = 1;
                        return null;
                    }
                    return 1;
                }
            }
            return true;
        }

        String usedTheOtherWayRound(boolean isClosed) {
            if (state == 0) {
                synchronized (this) {
                    if (state == 0) {
                        state = 1;
                        return "first";
                    }
                    return isClosed ? "closed" : "open";
                }
            }
            return isClosed ? "open" : "closed";
        }

        String asksTheSameInBoth(boolean isClosed) {
            if (state == 0) {
                synchronized (this) {
                    if (state == 0) {
                        state = 1;
                        return "first";
                    }
                    return isClosed ? "closed" : "open";
                }
            }
            return isClosed ? "closed" : "open";
        }

        int usedToDoLess(boolean isShort) {
            if (state == 0) {
                synchronized (this) {
                    if (state == 0) {
                        state = 1;
                    } else if (isShort) {
                        return 0;
                    }
                }
            }
            count++;
            return 0;
        }

        String usedIfItIsNull(Object other) {
            if (made != other) {
                synchronized (this) {
                    if (made == null) {
                        return "none";
                    }
                    return made == other ? "same" : "other";
                }
            }
            return "same";
        }

        int usedAfterAWrite() {
            int found = state;
            if (found != 0) {
                state = found + 1;
                return found;
            }
            synchronized (this) {
                found = state;
                if (found == 0) {
                    state = 1;
                    return 0;
                }
                state = found + 1;
                return state;
            }
        }

        int usedToCatch() {
            try {
                if (state == 0) {
                    synchronized (this) {
                        if (state != 0) {
                            throw new IllegalStateException();
                        }
                        state = 1;
                        return 0;
                    }
                }
            } catch (IllegalStateException e) {
                return 7;
            }
            throw new IllegalStateException();
        }

        int usedToCatchOfACall() {
            try {
                if (state == 0) {
                    synchronized (this) {
                        if (state != 0) {
                            System.gc();
                            return 1;
                        }
                        state = 1;
                        return 0;
                    }
                }
            } catch (IllegalStateException e) {
                return 7;
            }
            System.gc();
            return 1;
        }

        void usedToThrowAnother() {
            if (state == 0) {
                synchronized (this) {
                    if (state != 0) {
                        throw new IllegalStateException();
                    }
                    state = 1;
                }
                return;
            }
            throw new IllegalArgumentException();
        }

        int usedToDivide() {
            if (state != 0) {
                synchronized (this) {
                    if (100 / state > 20) {
                        return 3;
                    }
                }
            }
            return 3;
        }

        void unlock() {
            count++;
        }

        void usedToCallWhatIsNoUnlock() {
            if (state == 0) {
                synchronized (this) {
                    if (state == 0) {
                        state = 1;
                    } else {
                        unlock();
                    }
                }
            }
        }

        String usedByALoop(int rounds) {
            int left = rounds;
            String result = "same";
            if (state == 0) {
                synchronized (this) {
                    while (state != 0 && left > 0) {
                        result = "late";
                        left--;
                    }
                    state = 1;
                }
            }
            return result;
        }

        int usedIfTwoLooksDiffer() {
            if (state == 0) {
                if (state == 5) {
                    synchronized (this) {
                        if (state == 0) {
                            return 1;
                        }
                        return 2;
                    }
                }
            }
            return 3;
        }

        String isWaitingFirst() {
            while (state != 0) {
                Thread.onSpinWait();
            }
            synchronized (this) {
                if (state == 0) {
                    state = 1;
                    return "first";
                }
                return "late";
            }
        }

        boolean locksToChange(Object other) {
            Object found = made;
            if (found != null) {
                return found.equals(other);
            }
            synchronized (this) {
                if (made == null) {
                    made = "new";
                }
                return made.equals(other);
            }
        }
    }

    @Test
    public void only_the_second_look_decides() throws IOException {
        Set<String> wrong = new TreeSet<>();
        for (Map.Entry<String, List<Attempt>> entry : Shaped.attempts(Shapes.class).entrySet()) {
            boolean isNone = entry.getKey().startsWith("used") || entry.getKey().startsWith("<") || Set.of("cast", "isThere", "unlock", "values", "valueOf", "$values").contains(entry.getKey());
            if (entry.getValue().isEmpty() != isNone) {
                wrong.add(entry.getKey());
            }
        }
        assertEquals(Set.of(), wrong);
    }

    /** Alone, the method would wait forever where the second look finds something else. */
    @Test
    public void who_waits_before_the_lock_for_what_it_finds_under_it_has_looked() throws IOException {
        int locks = 0;
        for (Attempt attempt : Shaped.attempts(Shapes.class).get("isWaitingFirst")) {
            for (int i = 0; i < attempt.region().length() + 8; i++) {
                if (attempt.at(i).getOpcode() == Opcodes.MONITORENTER) {
                    locks++;
                    assertEquals(Attempt.Exit.USED, attempt.exitTo(i));
                }
            }
        }
        assertEquals(1, locks);
    }
}
