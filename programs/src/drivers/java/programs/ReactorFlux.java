package programs;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Reactor: fluxes over parallel and bounded schedulers. */
public final class ReactorFlux {
    private ReactorFlux() {
    }

    /** The arguments are the number of concurrent fluxes, and of elements of each. */
    public static void main(String[] arguments) throws Exception {
        int streams = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        Long sum = Flux.range(0, streams).flatMap(number -> Flux.range(number * size, size).publishOn(Schedulers.parallel())
            .flatMap(i -> Mono.just((long) i * i % 1_000_003)).window(20).concatMap(window -> window.reduce(0L, Long::sum)))
            .parallel(2).runOn(Schedulers.boundedElastic()).map(i -> i * 31 % 1_000_003).sequential().reduce(0L, Long::sum).block();
        System.out.println("sum " + sum);
        Sinks.Many<Integer> sink = Sinks.many().unicast().onBackpressureBuffer();
        Mono<Long> counted = sink.asFlux().publishOn(Schedulers.parallel()).groupBy(i -> i % 5).flatMap(Flux::count).reduce(0L, Long::sum).cache();
        counted.subscribe();
        for (int i = 0; i < size; i++) {
            sink.tryEmitNext(i).orThrow();
        }
        sink.tryEmitComplete().orThrow();
        System.out.println("counted " + counted.block());
        Schedulers.shutdownNow();
    }
}
