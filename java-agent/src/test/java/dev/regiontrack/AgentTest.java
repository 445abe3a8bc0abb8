package dev.regiontrack;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.Test;

/** The agent on real JVMs. */
public class AgentTest {
    private static final String PROGRAMS = System.getProperty("regiontrack.programs");
    /**
     * Endings of the agent's options, one for each mode: all events are recorded; only dependencies leave the threads, as by default or with each access; or only half of the calls
     * are watched.
     */
    private static final List<String> MODES = List.of("", ",mode=dependencies,reads=used,initializers=apart,readers=true", ",mode=dependencies",
        ",mode=dependencies,nested=false", ",mode=dependencies,sample=true");
    private static final List<String> FEW_MODES = MODES.subList(0, 2);
    /** The table of models, which the bridge for tests lacks. */
    private static final String MODELS = "models=" + System.getProperty("regiontrack.models");
    private static final String WITH_ASM = PROGRAMS + File.pathSeparator + System.getProperty("regiontrack.asm");

    private static List<String> modes(Jvm jvm) throws Exception {
        return jvm.isThorough() ? MODES : FEW_MODES;
    }

    @Test
    public void a_program_sees_no_difference() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            Jvm.Run plain = jvm.runSmall(List.of(), PROGRAMS, "Behaviour");
            for (String mode : modes(jvm)) {
                Jvm.Run agent = jvm.runSmall(Jvm.agent("arrays=all" + mode, "ring=64"), PROGRAMS, "Behaviour");
                assertEquals(jvm + agent.err, plain.out, agent.out);
                assertEquals(jvm.toString(), plain.exit, agent.exit);
                noneFailed(jvm, agent);
            }
        }
    }

    @Test
    public void todays_language_and_library_run_as_before() throws Exception {
        // Compiled here: a runtime without a compiler cannot run a source file. The other programs use an older version
        // of the language.
        Path classes = Files.createTempDirectory("modern");
        String source = System.getProperty("regiontrack.source-programs") + "/Modern.java";
        int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, "--release", "17", "-d", classes.toString(), source);
        assertEquals("Modern.java does not compile", 0, compiled);
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run plain = jvm.run(List.of(), classes.toString(), "Modern");
            if (plain.err.contains("UnsupportedClassVersionError")) {
                System.out.println(jvm + ": older than the language of this program");
                continue;
            }
            runsAsBefore(jvm, plain, classes.toString(), "Modern");
        }
    }

    @Test
    public void calls_that_are_lent_arrays_look_as_before() throws Exception {
        // If the class file does not name locals, messages have the numbers of locals and parameters.
        for (boolean isNamed : new boolean[] {true, false}) {
            String names = isNamed ? "-g:source,lines,vars" : "-g:source,lines";
            Path classes = Files.createTempDirectory("lent");
            String source = System.getProperty("regiontrack.source-programs") + "/Lent.java";
            int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, names, "--release", "11", "-d", classes.toString(), source);
            assertEquals("Lent.java does not compile", 0, compiled);
            if (isNamed || Jvm.isFull()) {
                runsAsBefore(classes.toString(), "Lent");
            }
            for (Jvm jvm : isNamed && !Jvm.isFull() ? List.<Jvm>of() : Jvm.some()) {
                List<String> linked = Jvm.agent("arrays=all");
                // Calls are linked to copies at their first execution, not once they are frequent.
                linked.add("-Dregiontrack.test.rare=1");
                assertEquals(jvm.toString(), jvm.runSmall(List.of(), classes.toString(), "Lent").out, jvm.runSmall(linked, classes.toString(), "Lent").out);
            }
        }
    }

    @Test
    public void calls_that_become_frequent_at_the_end_of_the_stack_are_linked_later() throws Exception {
        runsAsBefore(PROGRAMS, "DeepCalls");
    }

    @Test
    public void an_access_that_initialises_a_class_runs_as_before() throws Exception {
        runsAsBefore(PROGRAMS, "StaticInit");
    }

    @Test
    public void references_to_methods_with_a_model_look_as_before() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            Jvm.Run plain = jvm.runSmall(List.of(), PROGRAMS, "MethodReferences");
            for (String mode : modes(jvm)) {
                Jvm.Run agent = jvm.runSmall(Jvm.agent(mode.replaceFirst(",", ""), MODELS), PROGRAMS, "MethodReferences");
                assertEquals(jvm + mode + agent.err, plain.out, agent.out);
                noneFailed(jvm, agent);
                // The reference that can be serialized.
                assertTrue(jvm + mode + agent.err, agent.err.contains(" tolerated 1,"));
            }
        }
    }

    @Test
    public void old_class_files_run_as_before() throws Exception {
        runsAsBefore(WITH_ASM, "OldClasses");
    }

    @Test
    public void objects_are_made_and_fields_read_in_any_order() throws Exception {
        runsAsBefore(WITH_ASM, "Uninitialized");
    }

    @Test
    public void frames_need_not_know_a_local_that_nobody_needs() throws Exception {
        runsAsBefore(WITH_ASM, "ForgottenLocals");
    }

    @Test
    public void fields_can_have_names_with_colons() throws Exception {
        runsAsBefore(WITH_ASM, "OddNames");
        Jvm.Run agent = Jvm.some().get(0).runSmall(Jvm.agent("arrays=all"), WITH_ASM, "OddNames");
        assertTrue(agent.err, agent.err.contains(" failed 0, lost 0,"));
    }

    @Test
    public void events_of_flight_recorder_are_made_as_before() throws Exception {
        runsAsBefore(PROGRAMS, "Recorded");
    }

    @Test
    public void messages_about_null_pointers_are_those_of_the_program() throws Exception {
        runsAsBefore(PROGRAMS, "NullMessages");
    }

    /** Checks that the program ends successfully, and in the same way under the agent. */
    private static void runsAsBefore(String classPath, String program) throws Exception {
        for (Jvm jvm : Jvm.some()) {
            runsAsBefore(jvm, jvm.runSmall(List.of(), classPath, program), classPath, program);
        }
    }

    private static void runsAsBefore(Jvm jvm, Jvm.Run plain, String classPath, String program) throws Exception {
        assertEquals(jvm + plain.err, 0, plain.exit);
        for (String mode : modes(jvm)) {
            Jvm.Run agent = jvm.runSmall(Jvm.agent("arrays=all" + mode), classPath, program);
            assertEquals(jvm + mode + agent.err, plain.out, agent.out);
            assertEquals(jvm + mode + agent.err, plain.exit, agent.exit);
            noneFailed(jvm, agent);
        }
    }

    @Test
    public void an_initialiser_too_large_for_hooks_is_missed_only_if_there_are_other_threads() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            for (String how : jvm.isThorough() ? List.of("alone", "with", "inside", "throws") : List.of("with")) {
                Jvm.Run plain = jvm.run(List.of(), WITH_ASM, "LargeInitializer", how);
                Jvm.Run agent = jvm.run(Jvm.agent(""), WITH_ASM, "LargeInitializer", how);
                assertEquals(jvm + how + agent.err, plain.out, agent.out);
                assertEquals(jvm + how + agent.err, plain.exit, agent.exit);
                assertTrue(jvm + how + agent.err, agent.err.contains(how.equals("alone") ? " failed 0," : " failed 1,"));
                assertTrue(jvm + how + agent.err, agent.err.contains(how.equals("with") ? " tolerated 0," : " tolerated 1,"));
            }
        }
    }

    @Test
    public void classes_loaded_while_their_loader_is_asked_for_the_runtime_are_left_alone_and_reported() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run plain = jvm.run(List.of(), PROGRAMS, "OddLoaders");
            Jvm.Run agent = jvm.run(Jvm.agent(""), PROGRAMS, "OddLoaders");
            assertEquals(jvm + plain.err, 0, plain.exit);
            assertEquals(jvm + agent.err, plain.out, agent.out);
            assertTrue(jvm + agent.err, agent.err.contains(" failed 3,"));
            assertTrue(jvm + agent.err, agent.err.contains("OddLoaders$SecondAlone: it was loaded while a class loader was asked for the agent's runtime"));
        }
    }

    @Test
    public void recursion_on_a_started_thread_goes_as_deep_as_without_the_agent() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            for (String mode : List.of("-Xmixed", "-Xint")) {
                List<String> options = Jvm.agent("");
                options.add(mode);
                Jvm.Run agent = jvm.run(options, PROGRAMS, "Recursion", "started");
                assertTrue(jvm + mode + agent.err + agent.out, agent.out.endsWith("started 12001\n"));
            }
        }
    }

    @Test
    public void a_stack_size_that_the_program_has_set_stays_and_the_warning_names_the_option() throws Exception {
        // Interpreted, because compiled code may need less stack than the limit.
        for (Jvm jvm : Jvm.all()) {
            List<String> options = Jvm.agent("");
            options.add("-Xint");
            Jvm.Run plain = jvm.run(List.of("-Xint"), PROGRAMS, "Recursion", "started");
            Jvm.Run agent = jvm.run(options, PROGRAMS, "Recursion", "started");
            assertEquals(jvm + plain.err, "set overflow\nstarted 12001\n", plain.out);
            assertEquals(jvm + agent.err, plain.out, agent.out);
            assertTrue(jvm + agent.err, agent.err.contains("events at the end of the stack or of the heap; -Xss or -Xmx gives more room"));
        }
    }

    @Test
    public void on_the_main_thread_a_larger_stack_size_makes_room_for_the_same_recursion() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            List<String> options = Jvm.agent("");
            options.add("-Xss8m");
            Jvm.Run agent = jvm.run(options, PROGRAMS, "Recursion", "main");
            assertTrue(jvm + agent.err + agent.out, agent.out.startsWith("main 12001\n") && agent.out.endsWith("started 12001\n"));
        }
    }

    /** Compiled at the 200th call by the first compiler alone, whose frames are the largest. */
    @Test
    public void compiled_methods_with_hooks_recurse_8000_deep_on_a_main_thread_with_a_megabyte() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            List<String> options = Jvm.nativeAgent("mode=dependencies");
            options.addAll(List.of("-Xss1m", "-Xbatch", "-XX:TieredStopAtLevel=3"));
            Jvm.Run agent = jvm.run(options, PROGRAMS, "Deep", "8000");
            assertTrue(jvm + agent.err + agent.out, agent.out.startsWith("adds deep\ncounts deep\n"));
            Jvm.Run less = jvm.run(options, PROGRAMS, "Deep", "6800");
            assertEquals(jvm + agent.err, "adds deep\ncounts deep\nreads deep\nfollows deep\nlocks deep\n", less.out);
        }
    }

    /** An interpreted frame has one word for each local, and no more for hooks. */
    @Test
    public void interpreted_methods_with_hooks_recurse_6000_deep_on_a_main_thread_with_a_megabyte() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            List<String> options = Jvm.agent("mode=dependencies");
            options.addAll(List.of("-Xss1m", "-Xint"));
            Jvm.Run agent = jvm.run(options, PROGRAMS, "Deep", "6000");
            assertEquals(jvm + agent.err, "adds deep\ncounts deep\nreads deep\nfollows deep\nlocks deep\n", agent.out);
        }
    }

    @Test
    public void at_the_end_of_the_stack_nothing_stays_locked_and_blocks_are_balanced() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            for (String compiler : jvm.isThorough() ? List.of("-Xmixed", "-Xint") : List.of("-Xmixed")) {
                for (String mode : modes(jvm)) {
                    List<String> options = Jvm.agent("arrays=refs" + mode, "keep=true");
                    options.add(compiler);
                    Jvm.Run run = jvm.run(options, PROGRAMS, "Overflow", jvm.isThorough() ? "10" : "4");
                    assertEquals(jvm + compiler + mode + run.err, "ended\nended\nended\nbalanced\n", run.out);
                    assertTrue(jvm + compiler + mode + run.err, !run.err.contains("Exception"));
                }
            }
        }
    }

    @Test
    public void the_second_compiler_is_told_to_leave_the_instrumenter_to_the_first_if_there_is_one() throws Exception {
        Path folder = Files.createTempDirectory("a folder");
        for (Jvm jvm : Jvm.some()) {
            for (boolean isTiered : new boolean[] {true, false}) {
                List<String> options = Jvm.nativeAgent("");
                options.add(isTiered ? "-XX:+TieredCompilation" : "-XX:-TieredCompilation");
                options.add("-Djava.io.tmpdir=" + folder);
                Jvm.Run run = jvm.run(options, PROGRAMS, "Directives", "dev/regiontrack/asm/*.*", "-dev/regiontrack/runtime/hooks/*.*");
                assertEquals(jvm + run.err, isTiered + " true\n", run.out);
            }
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.filter(file -> file.toString().endsWith(".json")).collect(Collectors.toList()));
        }
    }

    @Test
    public void the_first_compiler_inlines_hooks_where_it_is_alone() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            List<String> options = Jvm.nativeAgent("");
            options.add("-XX:TieredStopAtLevel=1");
            Jvm.Run run = jvm.run(options, PROGRAMS, "Directives", "-dev/regiontrack/runtime/hooks/*.*");
            assertEquals(jvm + run.err, "false\n", run.out);
        }
    }

    @Test
    public void directives_of_the_user_stay_in_force() throws Exception {
        Path file = Files.createTempFile("directives", ".json");
        Files.write(file, "[{match: [\"*.*\"], inline: [\"-p/Own.*\"]}]".getBytes(StandardCharsets.UTF_8));
        for (Jvm jvm : Jvm.all()) {
            List<String> options = Jvm.nativeAgent("");
            options.add("-XX:CompilerDirectivesFile=" + file);
            Jvm.Run run = jvm.run(options, PROGRAMS, "Directives", "-p/Own.*", "dev/regiontrack/asm/*.*", "-dev/regiontrack/runtime/hooks/*.*");
            // The JVM prints how many directives are in the file.
            assertTrue(jvm + run.err + run.out, run.out.endsWith("\ntrue true false\n"));
        }
        Files.delete(file);
    }

    @Test
    public void a_join_names_the_thread_that_has_ended() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run run = jvm.run(Jvm.agent("", "keep=true"), PROGRAMS, "Joins");
            assertEquals(jvm + run.err, "400 balanced\n", run.out);
        }
    }

    @Test
    public void no_join_is_lost_however_many_threads_there_are() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            Jvm.Run run = jvm.run(Jvm.agent("", "keep=true"), PROGRAMS, "ManyThreads", jvm.isThorough() ? "2000" : "1200");
            assertEquals(jvm + run.err, "all joined\n", run.out);
        }
    }

    @Test
    public void a_thread_that_has_ended_keeps_little() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            Jvm.Run run = jvm.run(Jvm.agent(""), PROGRAMS, "DeadThreads", Jvm.isFull() ? "4000" : "1500");
            assertEquals(jvm + run.err, "little\n", run.out);
        }
    }

    @Test
    public void what_the_program_forgets_is_collected() throws Exception {
        for (Jvm jvm : Jvm.some()) {
            Jvm.Run plain = jvm.run(List.of(), PROGRAMS, "Collected");
            assertEquals(plain.out, jvm.run(Jvm.agent("arrays=all"), PROGRAMS, "Collected").out);
            List<String> interpreted = Jvm.agent("arrays=all");
            interpreted.add("-Xint");
            assertEquals(plain.out, jvm.run(interpreted, PROGRAMS, "Collected").out);
        }
    }

    @Test
    public void the_records_are_those_of_the_protocol() throws Exception {
        String expected = new String(getClass().getResourceAsStream("/events.txt").readAllBytes(), StandardCharsets.UTF_8);
        for (Jvm jvm : Jvm.all()) {
            assertEquals(jvm.toString(), expected, jvm.run(Jvm.agent("", "keep=true"), PROGRAMS, "Events").out);
        }
    }

    @Test
    public void a_call_that_fails_because_of_what_it_has_seen_is_a_read_of_the_block_that_it_leaves() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run run = jvm.run(Jvm.agent("", "keep=true", MODELS), PROGRAMS, "FailingCalls");
            assertEquals(jvm + run.err, "step true\nhead true\nelement true\npart false\n", run.out);
        }
    }

    @Test
    public void what_a_result_does_not_tell_is_looked_up_in_the_map() throws Exception {
        String expected = "copy of nothing false\ncopy of something true\nentry that is gone false\nentry that is there true\nget of the last one false\nget of another true\nget of the last one during a removal false\n"
            + "step to a key that was written true\nstep to a key that is gone false\n"
            + "removal of what compute has removed false\nremoval of what another thread removes meanwhile false\nremoval of what another thread looks at meanwhile true\nremoval of a key true\nremoval of what was taken false\nremoval of an element true\n";
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run run = jvm.run(Jvm.agent("", "keep=true", MODELS), PROGRAMS, "LookedUpCalls");
            assertEquals(jvm + run.err, expected, run.out);
        }
    }

    @Test
    public void redundant_accesses_are_recorded_if_they_are_asked_for() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            String all = jvm.run(Jvm.agent("redundant=true", "keep=true"), PROGRAMS, "Events").out;
            assertTrue(jvm + all, all.contains("# redundant read and write\nWRITE o1.0\n# nested\n"));
            assertTrue(jvm + all, all.contains("# implied\nREAD o1.0\n"));
            assertTrue(jvm + all, all.contains("# static\nWRITE o2.0\nREAD o2.0\nWRITE o2.0\n"));
            assertTrue(jvm + all, all.endsWith("READ o1.1\nREAD o1.1\nEND\n"));
        }
    }

    @Test
    public void fences_are_recorded_where_the_other_events_do_not_say_so() throws Exception {
        String expected = new String(getClass().getResourceAsStream("/fences.txt").readAllBytes(), StandardCharsets.UTF_8);
        for (Jvm jvm : Jvm.all()) {
            assertEquals(jvm.toString(), expected, jvm.run(Jvm.agent("fences=true", "keep=true"), PROGRAMS, "Fences").out);
            Jvm.Run without = jvm.run(Jvm.agent("", "keep=true"), PROGRAMS, "Fences");
            assertTrue(jvm + without.out, without.out.contains("WRITE") && !without.out.contains("FENCE"));
        }
    }

    @Test
    public void the_items_are_those_of_the_protocol() throws Exception {
        String expected = new String(getClass().getResourceAsStream("/items.txt").readAllBytes(), StandardCharsets.UTF_8);
        for (Jvm jvm : Jvm.all()) {
            assertEquals(jvm.toString(), expected, jvm.run(Jvm.agent("mode=dependencies,readers=true", "keep=true"), PROGRAMS, "Items").out);
        }
    }

    @Test
    public void virtual_threads_are_threads() throws Exception {
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run run = jvm.run(Jvm.agent("", "keep=true"), PROGRAMS, "VirtualThreads");
            assertEquals(run.err, 0, run.exit);
            // There is no output if the JVM has no virtual threads. Otherwise each is joined, so the main thread's last read
            // depends on it.
            assertTrue(jvm + run.out, run.out.isEmpty() || run.out.startsWith("12\n") && run.out.split("\nJOIN ").length == 4);
        }
    }

    @Test
    public void reads_return_the_last_write_in_the_recorded_order() throws Exception {
        isRight("", Jvm.isFull() ? 1_600_000 : 800_000);
    }

    @Test
    public void the_checker_finds_a_hook_that_looks_at_the_stamp_before_the_value() throws Exception {
        mutantIsFound("", "800000");
    }

    @Test
    public void every_dependency_that_the_values_show_follows_from_the_items() throws Exception {
        isRight(",mode=dependencies", Jvm.isFull() ? 400_000 : 200_000);
        mutantIsFound(",mode=dependencies", "400000");
    }

    @Test
    public void no_order_of_operations_is_invented() throws Exception {
        // In full size all threads together make 10 million operations, in several runs that fit into memory.
        int seeds = Jvm.isFull() ? 7 : 1;
        for (Jvm jvm : Jvm.some()) {
            String operations = Jvm.isFull() ? "400000" : jvm.isThorough() ? "40000" : "10000";
            for (int seed = 1; seed <= seeds; seed++) {
                operations(jvm, operations, Integer.toString(seed));
            }
            operations(jvm, operations, "1", "virtual");
        }
    }

    private static void operations(Jvm jvm, String... arguments) throws Exception {
        List<String> options = Jvm.agent("arrays=none", "probe=dev.regiontrack.runtime.testing.Pauses", "keep=true", MODELS);
        options.add("-Xmx3g");
        List<String> program = new ArrayList<>(List.of("stress.LibraryStress"));
        program.addAll(List.of(arguments));
        Jvm.Run run = jvm.run(options, PROGRAMS, program.toArray(new String[0]));
        System.out.println(jvm + " " + String.join(" ", arguments) + ": " + run.out.trim());
        assertEquals(run.out + run.err, 0, run.exit);
        noneFailed(jvm, run);
    }

    /** Checks that the stress test's checker finds nothing on any of these JVMs. JVMs that are not tested thoroughly make a quarter of the accesses. */
    private static void isRight(String mode, int n) throws Exception {
        for (Jvm jvm : Jvm.some()) {
            Jvm.Run run = stress(jvm, mode, Integer.toString(jvm.isThorough() ? n : n / 4), "probe=dev.regiontrack.runtime.testing.Tap", "keep=true", "renewals=4");
            System.out.println(jvm + ": " + run.out.trim());
            assertEquals(run.out + run.err, 0, run.exit);
            noneFailed(jvm, run);
        }
    }

    /** Checks that the checker detects wrong hooks. */
    private static void mutantIsFound(String mode, String n) throws Exception {
        Jvm.Run run = stress(Jvm.own(), mode, n, "probe=dev.regiontrack.runtime.testing.Tap", "keep=true", "mutant=true");
        System.out.println("mutant: " + run.out.trim());
        assertEquals(run.out + run.err, 1, run.exit);
    }

    private static Jvm.Run stress(Jvm jvm, String mode, String n, String... properties) throws Exception {
        List<String> options = Jvm.agent("arrays=all" + mode, properties);
        options.add("-Xmx3g");
        return jvm.run(options, PROGRAMS, "stress.OrderStress", n, "1");
    }

    @Test
    public void a_bad_value_is_one_clear_line_and_the_program_does_not_start() throws Exception {
        Jvm.Run run = Jvm.own().run(Jvm.agent("arrays=some"), PROGRAMS, "Hello");
        assertEquals(2, run.exit);
        assertEquals("", run.out);
        assertTrue(run.err, run.err.contains("regiontrack: arrays=some: one of refs, all, none"));
    }

    @Test
    public void without_a_native_library_the_program_does_not_start() throws Exception {
        refused(jarWith(null), "regiontrack: no native library for ");
    }

    @Test
    public void with_a_native_library_that_cannot_be_loaded_the_program_does_not_start() throws Exception {
        refused(jarWith("not a library\n"), "regiontrack: the native library for ");
    }

    @Test
    public void without_a_folder_for_temporary_files_the_program_does_not_start() throws Exception {
        Path file = Files.createTempFile("no", "folder");
        for (String folder : List.of(file.toString(), file + "missing")) {
            for (Jvm jvm : Jvm.all()) {
                List<String> options = Jvm.agent("");
                options.add("-Djava.io.tmpdir=" + folder);
                refused(jvm, options, "regiontrack: cannot unpack its boot");
            }
        }
        Files.delete(file);
    }

    @Test
    public void where_native_access_is_denied_the_program_does_not_start() throws Exception {
        Path jar = jarWith("not a library\n");
        for (Jvm jvm : Jvm.all()) {
            List<String> options = List.of("--illegal-native-access=deny", "-javaagent:" + jar);
            if (jvm.run(options.subList(0, 1), PROGRAMS, "Hello").exit == 0) {
                refused(jvm, options, "regiontrack: this JVM denies its library native access; allow it with --enable-native-access=ALL-UNNAMED");
            }
        }
        Files.delete(jar);
    }

    @Test
    public void with_a_part_of_its_jar_missing_the_program_does_not_start() throws Exception {
        Path jar = jarWithout("regiontrack/boot.jar", null);
        refused(Jvm.own(), List.of("-javaagent:" + jar), "regiontrack: its jar is damaged: there is no regiontrack/boot.jar");
        Files.delete(jar);
    }

    private static void refused(Path jar, String line) throws Exception {
        for (Jvm jvm : Jvm.all()) {
            refused(jvm, List.of("-javaagent:" + jar), line);
        }
        Files.delete(jar);
    }

    private static void refused(Jvm jvm, List<String> options, String line) throws Exception {
        Jvm.Run run = jvm.run(options, PROGRAMS, "Hello");
        assertEquals(jvm + run.err, 2, run.exit);
        assertEquals(jvm + run.err, "", run.out);
        // The JVM prints lines of its own about the library.
        String[] ours = run.err.lines().filter(said -> said.startsWith("regiontrack: ")).toArray(String[]::new);
        assertTrue(jvm + run.err, ours.length == 1 && ours[0].startsWith(line) && !run.err.contains("\tat "));
    }

    /** The agent's jar with this native library for every platform of the tests, or with none if it is null. */
    private static Path jarWith(String library) throws Exception {
        return jarWithout("native/", library);
    }

    private static Path jarWithout(String part, String library) throws Exception {
        Path copy = Files.createTempFile("agent", ".jar");
        try (JarFile jar = new JarFile(System.getProperty("regiontrack.jar"));
            JarOutputStream out = new JarOutputStream(Files.newOutputStream(copy), jar.getManifest())) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (!entry.isDirectory() && !entry.getName().startsWith("native/") && !entry.getName().startsWith(part) && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    jar.getInputStream(entry).transferTo(out);
                }
            }
            for (String platform : library == null ? List.<String>of() : List.of("linux-x86_64", "linux-aarch64", "macos-x86_64", "macos-aarch64")) {
                out.putNextEntry(new JarEntry("native/" + platform + '/' + System.mapLibraryName("regiontrack")));
                out.write(library.getBytes(StandardCharsets.UTF_8));
            }
        }
        return copy;
    }

    private static void noneFailed(Jvm jvm, Jvm.Run run) {
        assertTrue(jvm + run.err, run.err.contains(" failed 0,"));
        assertTrue(jvm + run.err, !run.err.contains("VerifyError") && !run.err.contains("regiontrack: failed"));
    }
}
