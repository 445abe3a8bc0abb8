package modelled;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/**
 * The orders that calls of futures give: every public method that an object of these classes has, by its name and the types of its parameters. The manual has the
 * same table ({@code docs/models.md}), and tests compare the two.
 *
 * <ul>
 * <li>{@code sees}: if the future is complete, the call comes after who has completed it; so it is with other futures that the call looks at.
 * <li>{@code awaits}: the same of a call that waits for it.
 * <li>{@code runs}: what is to run then, and the future that is returned, come after the call and after who has completed the first.
 * <li>{@code passes}: the same of a call that gives nothing to run.
 * <li>{@code completes}: the call, or the task that it gives away, comes before who sees that the future is complete.
 * <li>{@code none}: none of these.
 * </ul>
 */
public final class FutureTable {
    private static final String[][] COMPLETABLE = {
        {"sees runs", "thenApply(Function)", "thenApplyAsync(Function)", "thenApplyAsync(Function,Executor)"},
        {"sees runs", "thenAccept(Consumer)", "thenAcceptAsync(Consumer)", "thenAcceptAsync(Consumer,Executor)"},
        {"sees runs", "thenRun(Runnable)", "thenRunAsync(Runnable)", "thenRunAsync(Runnable,Executor)"},
        {"sees runs", "thenCombine(CompletionStage,BiFunction)", "thenCombineAsync(CompletionStage,BiFunction)",
            "thenCombineAsync(CompletionStage,BiFunction,Executor)"},
        {"sees runs", "thenAcceptBoth(CompletionStage,BiConsumer)", "thenAcceptBothAsync(CompletionStage,BiConsumer)",
            "thenAcceptBothAsync(CompletionStage,BiConsumer,Executor)"},
        {"sees runs", "runAfterBoth(CompletionStage,Runnable)", "runAfterBothAsync(CompletionStage,Runnable)",
            "runAfterBothAsync(CompletionStage,Runnable,Executor)"},
        {"sees runs", "applyToEither(CompletionStage,Function)", "applyToEitherAsync(CompletionStage,Function)",
            "applyToEitherAsync(CompletionStage,Function,Executor)"},
        {"sees runs", "acceptEither(CompletionStage,Consumer)", "acceptEitherAsync(CompletionStage,Consumer)",
            "acceptEitherAsync(CompletionStage,Consumer,Executor)"},
        {"sees runs", "runAfterEither(CompletionStage,Runnable)", "runAfterEitherAsync(CompletionStage,Runnable)",
            "runAfterEitherAsync(CompletionStage,Runnable,Executor)"},
        {"sees runs", "thenCompose(Function)", "thenComposeAsync(Function)", "thenComposeAsync(Function,Executor)"},
        {"sees runs", "whenComplete(BiConsumer)", "whenCompleteAsync(BiConsumer)", "whenCompleteAsync(BiConsumer,Executor)"},
        {"sees runs", "handle(BiFunction)", "handleAsync(BiFunction)", "handleAsync(BiFunction,Executor)"},
        {"sees runs", "exceptionally(Function)", "exceptionallyAsync(Function)", "exceptionallyAsync(Function,Executor)"},
        {"sees runs", "exceptionallyCompose(Function)", "exceptionallyComposeAsync(Function)", "exceptionallyComposeAsync(Function,Executor)"},
        {"sees passes", "copy()", "minimalCompletionStage()", "allOf(CompletableFuture[])", "anyOf(CompletableFuture[])"},
        {"sees", "isDone()", "isCancelled()", "isCompletedExceptionally()", "state()", "getNow(Object)", "resultNow()", "exceptionNow()", "toString()"},
        {"awaits", "get()", "get(long,TimeUnit)", "join()"},
        {"sees completes", "complete(Object)", "completeExceptionally(Throwable)", "cancel(boolean)", "orTimeout(long,TimeUnit)",
            "completeOnTimeout(Object,long,TimeUnit)"},
        {"completes", "completeAsync(Supplier)", "completeAsync(Supplier,Executor)", "obtrudeValue(Object)", "obtrudeException(Throwable)"},
        {"none", "supplyAsync(Supplier)", "supplyAsync(Supplier,Executor)", "runAsync(Runnable)", "runAsync(Runnable,Executor)",
            "completedFuture(Object)", "completedStage(Object)", "failedFuture(Throwable)", "failedStage(Throwable)", "newIncompleteFuture()",
            "toCompletableFuture()", "defaultExecutor()", "delayedExecutor(long,TimeUnit)", "delayedExecutor(long,TimeUnit,Executor)",
            "getNumberOfDependents()"},
    };
    private static final String[][] FORK_JOIN = {
        {"sees", "isDone()", "isCancelled()", "isCompletedNormally()", "isCompletedAbnormally()", "getException()", "state()", "resultNow()",
            "exceptionNow()"},
        {"awaits", "get()", "get(long,TimeUnit)", "join()", "invoke()", "quietlyJoin()", "quietlyJoin(long,TimeUnit)",
            "quietlyJoinUninterruptibly(long,TimeUnit)", "quietlyInvoke()"},
        {"sees completes", "complete(Object)", "quietlyComplete()", "completeExceptionally(Throwable)", "cancel(boolean)"},
        {"none", "fork()", "getRawResult()", "reinitialize()", "tryUnfork()", "getForkJoinTaskTag()", "setForkJoinTaskTag(short)",
            "compareAndSetForkJoinTaskTag(short,short)"},
    };

    private static final String[][] TASK = {
        {"sees", "isDone()", "isCancelled()", "state()", "resultNow()", "exceptionNow()", "toString()"},
        {"awaits", "get()", "get(long,TimeUnit)"},
        {"sees completes", "cancel(boolean)"},
        {"completes", "run()"},
    };

    private FutureTable() {
    }

    /** One call, and its orders. */
    public static final class Row {
        /** The class of the table. */
        final Class<?> type;
        final Method method;
        private final List<String> orders;

        private Row(Class<?> type, Method method, String orders) {
            this.type = type;
            this.method = method;
            this.orders = List.of(orders.split(" "));
        }

        boolean has(String order) {
            return orders.contains(order);
        }

        @Override
        public String toString() {
            return method.getName() + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(",", "(", ")"));
        }
    }

    /** The rows of every public method that objects of a class have in this JVM, in an order of their own; it fails for one that is not in the table. */
    public static List<Row> of(Class<?> type) {
        boolean isForked = type == ForkJoinTask.class;
        String[][] table = isForked ? FORK_JOIN : type == FutureTask.class ? TASK : COMPLETABLE;
        List<Row> rows = new ArrayList<>();
        for (Method method : type.getMethods()) {
            boolean isOwn = method.getDeclaringClass() != Object.class && !method.isBridge() && !(isForked && Modifier.isStatic(method.getModifiers()));
            if (isOwn) {
                Row row = new Row(type, method, "none");
                String text = row.toString();
                String[] found = Arrays.stream(table)
                    .filter(line -> Arrays.asList(line).indexOf(text) > 0).findFirst().orElseThrow(() -> new IllegalStateException("no row for " + text));
                rows.add(new Row(type, method, found[0]));
            }
        }
        rows.sort((one, other) -> one.toString().compareTo(other.toString()));
        return rows;
    }
}
