package uses;

import static schedule.Threads.second;

import java.io.IOException;
import java.util.stream.IntStream;

/**
 * Buffers of characters.
 */
class Buffers {
    private final StringBuilder text = new StringBuilder("ab");
    private final StringBuffer locked = new StringBuffer("ab");
    private final StringBuilder other = new StringBuilder("c");

    String lengthThenInsertAroundAppendIsViolated() {
        int end = text.length();
        second(() -> text.append("c"));
        return text.insert(end, "d").toString();
    }

    String lengthThenInsertOfLockedAroundAppendIsViolated() {
        int end = locked.length();
        second(() -> locked.append("c"));
        return locked.insert(end, "d").toString();
    }

    int lengthThenIndexAroundCharIsAtomic() {
        int end = text.length();
        second(() -> text.charAt(0));
        return end + text.indexOf("b");
    }

    int lengthTwiceAroundAppendToAnotherIsAtomic() {
        int end = text.length();
        second(() -> other.append("c"));
        return end + text.length();
    }

    String chainAroundLengthIsViolated() {
        StringBuilder chain = text.append("c").append(1);
        second(text::length);
        return chain.append('d').toString();
    }

    int deleteOfNothingThenLengthAroundAppendIsAtomic() {
        text.delete(1, 1);
        second(() -> text.append("c"));
        return text.length();
    }

    int deleteThenLengthAroundAppendIsViolated() {
        text.delete(0, 1);
        second(() -> text.append("c"));
        return text.length();
    }

    int charsMadeBeforeAppendIsAtomic() {
        IntStream chars = text.chars();
        second(() -> text.append("c"));
        return chars.sum();
    }

    int charsTwiceAroundAppendIsViolated() {
        int sum = text.chars().sum();
        second(() -> text.append("c"));
        return sum + text.chars().sum();
    }

    int appendOfSequenceTwiceAroundLengthIsViolated() throws IOException {
        text.append((CharSequence) "x");
        second(text::length);
        return text.append("x", 0, 1).length();
    }
}
