package modelled;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import schedule.Flag;
import schedule.Turns;

/**
 * Every public method of futures, called so that each order of {@link FutureTable} takes part in a cycle: a method writes a field, another thread reads it and
 * then does something, and by the order that comes before what the method does next. What other futures have to do with does not. Arguments are the names of
 * methods; without any it is all of them. It prints how many instances of each of its methods are violated, and no others are.
 */
public class FutureOrders {
    private final Turns turns = new Turns();
    private int request;

    /** A call of a future, with all that it needs. */
    private static final class Call {
        private final FutureTable.Row row;
        private final CompletableFuture<Object> future = new CompletableFuture<>();
        private final CompletableFuture<Object> second = new CompletableFuture<>();
        private final CompletableFuture<Object> other = new CompletableFuture<>();
        /** In place of these, if the call is one of a task. */
        private final Future<?> task;
        private final Future<?> otherTask;
        /** A result that comes late does so at once, or never. */
        private TimeUnit unit = TimeUnit.HOURS;

        Call(FutureTable.Row row) {
            this.row = row;
            task = task(row.type);
            otherTask = task(row.type);
        }

        private static Future<?> task(Class<?> type) {
            return type == ForkJoinTask.class ? ForkJoinTask.adapt(() -> "forked") : type == FutureTask.class ? new FutureTask<>(() -> "run") : null;
        }

        private static void complete(Future<?> task) {
            if (task instanceof FutureTask) {
                ((FutureTask<?>) task).run();
            } else {
                ((ForkJoinTask<?>) task).quietlyComplete();
            }
        }

        /** Completes the futures that the call is given. */
        void complete() {
            if (task != null) {
                complete(task);
            } else {
                second.complete("second");
                future.complete("first");
            }
        }

        /** Completes another one. */
        void completeOther() {
            if (task != null) {
                complete(otherTask);
            } else {
                other.complete("other");
            }
        }

        /** Makes the call on the same futures, or on others. */
        Object make(boolean isOther) {
            Object receiver = task == null ? isOther ? other : future : isOther ? otherTask : task;
            Object[] arguments = new Object[row.method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = argument(row.method.getParameterTypes()[i], isOther);
            }
            try {
                return row.method.invoke(receiver, arguments);
            } catch (InvocationTargetException e) {
                // Some throw what a future was completed with, or that it was not completed so.
                return e.getCause();
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }

        private Object argument(Class<?> type, boolean isOther) {
            if (type == Function.class) {
                boolean isStage = row.method.getName().contains("ompose");
                Function<Object, Object> function = x -> isStage ? CompletableFuture.completedFuture(x) : x;
                return function;
            } else if (type == BiFunction.class) {
                BiFunction<Object, Object, Object> function = (x, y) -> x;
                return function;
            } else if (type == Consumer.class) {
                Consumer<Object> consumer = x -> { };
                return consumer;
            } else if (type == BiConsumer.class) {
                BiConsumer<Object, Object> consumer = (x, y) -> { };
                return consumer;
            } else if (type == Supplier.class) {
                Supplier<Object> supplier = () -> "supplied";
                return supplier;
            } else if (type == Runnable.class) {
                Runnable runnable = () -> { };
                return runnable;
            } else if (type == Executor.class) {
                Executor executor = Runnable::run;
                return executor;
            } else if (type == CompletionStage.class) {
                return isOther ? new CompletableFuture<Object>() : second;
            } else if (type == CompletableFuture[].class) {
                return isOther ? new CompletableFuture<?>[] {other, new CompletableFuture<Object>()} : new CompletableFuture<?>[] {future, second};
            } else if (type == Throwable.class) {
                return new IllegalArgumentException();
            } else if (type == long.class) {
                return 20L;
            } else if (type == short.class) {
                return (short) 1;
            } else if (type == boolean.class) {
                return false;
            }
            return type == TimeUnit.class ? unit : "value";
        }

        Flag flagOf(Object stage) {
            Flag flag = new Flag();
            ((CompletionStage<?>) stage).whenComplete((value, exception) -> flag.set());
            return flag;
        }
    }

    Object sees(Call call) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.complete();
            }
        });
        return call.make(false);
    }

    Object awaits(Call call) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.complete();
            }
        });
        return call.make(false);
    }

    /** What the other thread has registered runs here. */
    boolean runs(Call call) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.make(false);
            }
        });
        call.complete();
        return true;
    }

    /** What was registered before, perhaps by this thread, is complete when another one has completed that. */
    String passes(Call call, CompletionStage<?> stage, Flag flag) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.complete();
            }
            flag.await();
        });
        return stage.toString();
    }

    boolean completes(Call call, Flag flag) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.make(false);
            }
            flag.await();
        });
        return call.task == null ? call.future.isDone() : call.task.isDone();
    }

    // These have nothing to do with what the other thread does.

    Object seesAnother(Call call) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.completeOther();
            }
        });
        return call.make(false);
    }

    Object seesNothing(Call call) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.completeOther();
            }
        });
        return call.make(false);
    }

    boolean runsAnother(Call call) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.make(true);
            }
        });
        call.complete();
        return true;
    }

    boolean completesAnother(Call call) {
        request++;
        turns.give(() -> {
            if (request > 0) {
                call.make(true);
            }
        });
        return call.task == null ? call.future.isDone() : call.task.isDone();
    }

    public static void main(String[] names) throws InterruptedException {
        FutureOrders p = new FutureOrders();
        List<FutureTable.Row> rows = new ArrayList<>(FutureTable.of(CompletableFuture.class));
        rows.addAll(FutureTable.of(ForkJoinTask.class));
        rows.addAll(FutureTable.of(FutureTask.class));
        rows.removeIf(row -> names.length > 0 && !List.of(names).contains(row.toString()));
        int[] counts = new int[5];
        p.turns.run(() -> {
            for (FutureTable.Row row : rows) {
                Call call = new Call(row);
                if (row.has("sees")) {
                    p.sees(call);
                    counts[0]++;
                } else if (row.has("awaits")) {
                    p.awaits(call);
                    counts[1]++;
                }
                Call another = new Call(row);
                another.complete();
                p.seesAnother(another);
                if (!row.has("awaits") && !row.method.getName().equals("fork")) {
                    p.seesNothing(new Call(row));
                }
                if (row.has("runs") || row.has("passes")) {
                    p.runs(new Call(row));
                    counts[2]++;
                    p.runsAnother(new Call(row));
                    Call passing = new Call(row);
                    CompletionStage<?> stage = (CompletionStage<?>) passing.make(false);
                    p.passes(passing, stage, passing.flagOf(stage));
                    counts[3]++;
                }
                if (row.has("completes")) {
                    Call completing = new Call(row);
                    completing.unit = TimeUnit.MILLISECONDS;
                    Flag flag = new Flag();
                    if (completing.task == null) {
                        flag = completing.flagOf(completing.future);
                    } else {
                        flag.set();
                    }
                    p.completes(completing, flag);
                    counts[4]++;
                    p.completesAnother(new Call(row));
                }
            }
        });
        System.out.println("sees " + counts[0] + "\nawaits " + counts[1] + "\nruns " + counts[2] + "\npasses " + counts[3] + "\ncompletes " + counts[4]);
    }
}
