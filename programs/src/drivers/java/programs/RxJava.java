package programs;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.processors.PublishProcessor;
import io.reactivex.rxjava3.schedulers.Schedulers;

/** RxJava: streams that are split over the threads of a scheduler and joined again. */
public final class RxJava {
    private RxJava() {
    }

    /** The arguments are the number of concurrent streams, and of elements of each. */
    public static void main(String[] arguments) throws Exception {
        int streams = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        long sum = Flowable.range(0, streams).flatMap(number -> Flowable.range(number * size, size).subscribeOn(Schedulers.computation())
            .map(i -> (long) i * i % 1_000_003).filter(i -> i % 3 != 0).buffer(10).concatMapIterable(list -> list))
            .parallel(2).runOn(Schedulers.computation()).map(i -> i * 31 % 1_000_003).sequential().reduce(0L, Long::sum).blockingGet();
        System.out.println("sum " + sum);
        PublishProcessor<Integer> hot = PublishProcessor.create();
        var counted = hot.onBackpressureBuffer().observeOn(Schedulers.io()).groupBy(i -> i % 5).flatMapSingle(group -> group.count().map(n -> group.getKey() + "=" + n))
            .sorted().toList().cache();
        counted.subscribe();
        for (int i = 0; i < size; i++) {
            hot.onNext(i);
        }
        hot.onComplete();
        System.out.println(counted.blockingGet());
    }
}
