package dev.regiontrack.instrument.selection;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Which classes and methods of the user's table were found. */
public class OwnModelsTest {
    interface Above {
        void inherited();
    }

    static class Middle implements Above {
        @Override
        public void inherited() {
        }

        void own(int i) {
        }
    }

    static class Below extends Middle {
        void own() {
        }
    }

    static class Parameter {
    }

    static class Asked {
        void own(Parameter parameter) {
        }
    }

    static class BelowAsked extends Asked {
    }

    /** Loads the two classes itself, and lets another thread load a class before it has the parameter. */
    private static final class Waiting extends ClassLoader {
        private final Set<String> names = Set.of(Asked.class.getName(), Parameter.class.getName());
        Runnable meanwhile = () -> { };

        @Override
        protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
            if (!names.contains(name)) {
                return super.loadClass(name, isResolved);
            }
            if (name.equals(Parameter.class.getName())) {
                Thread other = new Thread(meanwhile);
                other.start();
                try {
                    other.join(TimeUnit.MINUTES.toMillis(1));
                    byte[] bytes = file(Parameter.class);
                    return other.isAlive() ? null : defineClass(name, bytes, 0, bytes.length);
                } catch (InterruptedException | IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            try {
                byte[] bytes = file(Asked.class);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private final Set<String> told = new TreeSet<>();

    private Transport report() {
        return (Transport) Proxy.newProxyInstance(Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> {
            assertEquals("describe", method.getName());
            assertEquals(NativeBridge.MODELLED, arguments[0]);
            told.add(((String) arguments[2]).replace(OwnModelsTest.class.getName() + '$', ""));
            return null;
        });
    }

    private OwnModels of(String table, Class<?>... loaded) {
        return new OwnModels(table.replace("%", OwnModelsTest.class.getName() + '$'), loaded, report());
    }

    private static byte[] file(Class<?> c) throws IOException {
        try (InputStream in = c.getResourceAsStream('/' + c.getName().replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }

    @Test
    public void a_class_that_is_loaded_has_its_methods_and_those_of_what_is_above_it() throws Exception {
        OwnModels models = of("class %Below\nread own/0 inherited other");
        models.see(file(Above.class));
        models.see(file(Middle.class));
        assertEquals(Set.of(), told);
        models.see(file(Below.class));
        assertEquals(Set.of("Below", "Below own/0", "Below own/1", "Below inherited/0"), told);
    }

    @Test
    public void it_does_not_matter_which_of_them_is_seen_first() throws Exception {
        OwnModels models = of("class %Below\nread own/0 inherited other");
        models.see(file(Below.class));
        assertEquals(Set.of("Below", "Below own/0"), told);
        models.see(file(Middle.class));
        models.see(file(Above.class));
        assertEquals(Set.of("Below", "Below own/0", "Below own/1", "Below inherited/0"), told);
    }

    @Test
    public void classes_that_were_loaded_before_the_agent_count() throws Exception {
        of("class %Middle\nwrite own", Middle.class, Above.class);
        assertEquals(Set.of("Middle", "Middle own/1"), told);
        told.clear();
        OwnModels models = of("class %Below\nwrite own inherited", Middle.class, Above.class);
        assertEquals(Set.of(), told);
        models.see(file(Below.class));
        assertEquals(Set.of("Below", "Below own/0", "Below own/1", "Below inherited/0"), told);
    }

    @Test
    public void no_thread_waits_for_another_one_whose_loader_is_asked() throws Exception {
        Waiting loader = new Waiting();
        OwnModels models = of("class %BelowAsked\nwrite own", loader.loadClass(Asked.class.getName()));
        loader.meanwhile = () -> {
            try {
                models.see(file(Above.class));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        };
        models.see(file(BelowAsked.class));
        assertEquals(Set.of("BelowAsked", "BelowAsked own/1"), told);
    }

    @Test
    public void what_stands_below_groups_and_arguments_names_no_class_and_no_method() throws Exception {
        OwnModels models = of("group mine\nread own\nclass %Below\nlike mine\narguments %Middle\nsize/0 own/1");
        models.see(file(Below.class));
        models.see(file(Middle.class));
        assertEquals(Set.of("Below"), told);
    }
}
