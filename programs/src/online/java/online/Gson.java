package online;

import com.google.gson.GsonBuilder;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;

/** Issue 1829: while the adapters of classes that refer to each other are created, another thread finds an incomplete one. */
public final class Gson {
    private Gson() {
    }

    public static void main(String[] args) throws Exception {
        com.google.gson.Gson gson = new GsonBuilder().registerTypeAdapterFactory(new Stopping()).create();
        Race.run(() -> gson.toJson(new Outer()), () -> gson.toJson(new Inner(new Outer())));
    }

    /** Refers to {@code Inner}, and then to a class whose adapter is not there at once. */
    static final class Outer {
        Inner inner;
        Late late;
    }

    /** Refers back to {@code Outer}. */
    static final class Inner {
        final Outer outer;

        Inner(Outer outer) {
            this.outer = outer;
        }
    }

    /** The first thread stops where the adapter of this class is created. */
    static final class Late {
    }

    /** Creates no adapters. */
    private static final class Stopping implements TypeAdapterFactory {
        @Override
        public <T> TypeAdapter<T> create(com.google.gson.Gson gson, TypeToken<T> type) {
            if (type.getRawType() == Late.class) {
                Race.gate();
            }
            return null;
        }
    }
}
