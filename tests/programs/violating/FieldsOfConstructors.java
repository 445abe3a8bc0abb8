package violating;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import schedule.Steps;

/**
 * Private fields that seem to be written by constructors alone, before another thread can reach the object, and are not: another thread reads each
 * before it is written and after that.
 */
public class FieldsOfConstructors {
    static HasValue published;
    private static int step;

    interface HasValue {
        int value();
    }

    /** Another class of the nest writes it. */
    static final class OfNest implements HasValue {
        private int value;

        @Override
        public int value() {
            return value;
        }
    }

    /** The other thread can reach the object now, and reads it. */
    static void publish(HasValue o) {
        published = o;
        Steps.done(++step);
        Steps.await(++step);
    }

    // finding: violating.FieldsOfConstructors.twice(int) unrepeatable read
    // violated: violating.FieldsOfConstructors.twice(int) 9
    static int twice(int before) {
        Steps.await(before + 1);
        HasValue o = published;
        int first = o.value();
        Steps.done(before + 2);
        Steps.await(before + 3);
        return o.value() - first;
    }

    private static void written() {
        Steps.done(++step);
    }

    // finding: violating.FieldsOfConstructors.write() torn update
    private static void write() {
        new LeftBefore();
        written();
        new BelowLeaving();
        written();
        new AfterAnother();
        written();
        new CallsBefore();
        written();
        OfAnother other = new OfAnother();
        publish(other);
        new OfAnother(other);
        written();
        ByHandle handled = new ByHandle();
        publish(handled);
        handled.set();
        written();
        ByMethod changed = new ByMethod();
        publish(changed);
        ByMethod.set(changed);
        written();
        ByLambda captured = new ByLambda();
        publish(captured);
        captured.set.run();
        written();
        OfNest inNest = new OfNest();
        publish(inNest);
        inNest.value = 1;
        written();
    }

    public static void main(String[] args) throws InterruptedException {
        Steps.run(FieldsOfConstructors::write, () -> {
            int sum = 0;
            for (int i = 0; i < 9; i++) {
                sum += twice(3 * i);
            }
            System.out.println("changed " + sum);
        });
    }
}

final class LeftBefore implements FieldsOfConstructors.HasValue {
    private int value;

    // finding: violating.LeftBefore.<init>() torn update
    LeftBefore() {
        FieldsOfConstructors.publish(this);
        value = 1;
    }

    @Override
    public int value() {
        return value;
    }
}

abstract class Leaving implements FieldsOfConstructors.HasValue {
    Leaving() {
        FieldsOfConstructors.publish(this);
    }
}

final class BelowLeaving extends Leaving {
    private int value;

    BelowLeaving() {
        value = 1;
    }

    @Override
    public int value() {
        return value;
    }
}

final class AfterAnother implements FieldsOfConstructors.HasValue {
    private int value;

    AfterAnother() {
        this("leaves");
        value = 1;
    }

    AfterAnother(String ignored) {
        FieldsOfConstructors.publish(this);
    }

    @Override
    public int value() {
        return value;
    }
}

final class CallsBefore implements FieldsOfConstructors.HasValue {
    private int value;

    // finding: violating.CallsBefore.<init>() torn update
    CallsBefore() {
        leave();
        value = 1;
    }

    private void leave() {
        FieldsOfConstructors.publish(this);
    }

    @Override
    public int value() {
        return value;
    }
}

final class OfAnother implements FieldsOfConstructors.HasValue {
    private int value;

    OfAnother() {
        value = 0;
    }

    OfAnother(OfAnother other) {
        other.value = 1;
    }

    @Override
    public int value() {
        return value;
    }
}

final class ByHandle implements FieldsOfConstructors.HasValue {
    private static final VarHandle VALUE = handle();
    private int value;

    ByHandle() {
        value = 0;
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(ByHandle.class, "value", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    void set() {
        VALUE.set(this, 1);
    }

    @Override
    public int value() {
        return value;
    }
}

final class ByMethod implements FieldsOfConstructors.HasValue {
    private int value;

    ByMethod() {
        value = 0;
    }

    static void set(ByMethod o) {
        o.value = 1;
    }

    @Override
    public int value() {
        return value;
    }
}

final class ByLambda implements FieldsOfConstructors.HasValue {
    final Runnable set;
    private int value;

    ByLambda() {
        value = 0;
        set = () -> value = 1;
    }

    @Override
    public int value() {
        return value;
    }
}
