package programs;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Provider;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.matcher.Matchers;
import com.google.inject.name.Named;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;

/** Guice: threads that create injectors, and objects from an injector that they share. */
public final class GuiceInjection {
    private GuiceInjection() {
    }

    /** The arguments are threads and injectors of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Injector shared = Guice.createInjector(new Shop("shared"));
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                Injector own = Guice.createInjector(new Shop(number + "-" + i));
                for (int k = 0; k < 50; k++) {
                    digest.add(own.getInstance(Order.class).describe(k)).add(shared.getInstance(Order.class).describe(k));
                }
            }
            return digest;
        });
    }

    /** The bindings, and an interceptor around the methods of orders. */
    private static final class Shop extends AbstractModule {
        private final String name;

        Shop(String name) {
            this.name = name;
        }

        @Override
        protected void configure() {
            bind(Pricing.class).to(Discount.class);
            bind(Stock.class).in(Singleton.class);
            MethodInterceptor exclaim = invocation -> invocation.proceed() + "!";
            bindInterceptor(Matchers.subclassesOf(Order.class), Matchers.returns(Matchers.only(String.class)), exclaim);
        }

        @Provides
        @Named("shop")
        String shop() {
            return name;
        }

        @Provides
        @Singleton
        Set<String> names(@Named("shop") String shop) {
            return Set.of(shop);
        }
    }

    /** An interface with a bound implementation. */
    interface Pricing {
        int price(int item);
    }

    /** A price. */
    static final class Discount implements Pricing {
        private final Stock stock;

        @Inject
        Discount(Stock stock) {
            this.stock = stock;
        }

        @Override
        public int price(int item) {
            return stock.value(item) * 9 / 10;
        }
    }

    /** One for each injector. */
    static final class Stock {
        private final int[] values = new int[50];

        int value(int item) {
            values[item] = item * 31;
            return values[item];
        }
    }

    /** The class with the most injected values. */
    static class Order {
        @Inject
        private Pricing pricing;
        private final Provider<Set<String>> names;

        @Inject
        Order(Provider<Set<String>> names) {
            this.names = names;
        }

        String describe(int item) {
            return names.get() + " " + item + " costs " + pricing.price(item);
        }
    }
}
