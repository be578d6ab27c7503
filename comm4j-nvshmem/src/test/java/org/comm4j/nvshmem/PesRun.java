// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.AssertionFailedError;

/**
 * Runs suites, JUnit classes without a name that ends in "Test", in several processes at once: each PE executes the same tests in the
 * same order ({@link PesProgram}), and what became of each test on the PEs becomes one test here.
 *
 * <p>A test that fails on one PE leaves the others anywhere; so all end then, and new ones go on with the tests that are left.
 */
final class PesRun {
    /** Waits of PEs for each other; what takes longer hangs. */
    static final Duration WAIT = Duration.ofSeconds(30);

    private static final Duration LIMIT = Duration.ofMinutes(Boolean.getBoolean(EnduranceContract.PROPERTY) ? 60 : 20);

    private static final long SEED =
            Long.getLong("comm4j.seed", ThreadLocalRandom.current().nextLong());

    /** What a PE wrote of a test. */
    private record Line(char kind, String id, String name, String text) {
        static Line parse(String line) {
            String[] words = line.split("\t", -1);
            return new Line(words[0].charAt(0), words[1], decoded(words[2]), decoded(words[3]));
        }

        private static String decoded(String text) {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        }
    }

    private final int pes;
    private final Machine machine;
    private final List<String> options;
    private final Map<String, String> environment;
    private final Path folder;
    /** By test: what the PEs wrote. */
    private final Map<String, Map<Integer, Line>> results = new LinkedHashMap<>();

    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, String> output = new LinkedHashMap<>();

    private PesRun(int pes, Machine machine, List<String> options, Map<String, String> environment, Path folder) {
        this.pes = pes;
        this.machine = machine;
        this.options = options;
        this.environment = environment;
        this.folder = folder;
    }

    /** The tests of the suites, each of which has run on so many PEs, or is skipped if there are not that many. */
    static Stream<DynamicTest> of(int pes, Machine machine, Class<?>... suites) {
        return of(pes, machine, List.of(), suites);
    }

    /**
     * The same with options of the PEs' virtual machines.
     *
     * @param options such as {@code -Dcomm4j.checked=true}
     */
    static Stream<DynamicTest> of(int pes, Machine machine, List<String> options, Class<?>... suites) {
        return of(pes, machine, options, Map.of(), suites);
    }

    /** The same in an environment of the PEs' own: what the library reads once in the life of a process. */
    static Stream<DynamicTest> of(
            int pes, Machine machine, List<String> options, Map<String, String> environment, Class<?>... suites) {
        machine.require(pes);
        try {
            Path folder = Files.createTempDirectory("comm4j-pes");
            try {
                return new PesRun(pes, machine, options, environment, folder).run(suites);
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private Stream<DynamicTest> run(Class<?>... suites) throws IOException {
        Set<String> started = new LinkedHashSet<>();
        String failure = "";
        for (boolean more = true; more; ) {
            Files.write(folder.resolve("done"), started);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            int code = launch(said, suites);
            String text = said.toString(StandardCharsets.UTF_8);
            int before = started.size();
            for (int rank = 0; rank < pes; rank++) {
                read(rank, started, text);
            }
            more = code != 0 && started.size() > before;
            failure = code == 0 || more ? "" : "the PEs ended with code " + code + ":\n" + text;
        }
        List<DynamicTest> tests = new ArrayList<>();
        names.forEach((id, name) -> tests.add(DynamicTest.dynamicTest(name, () -> judge(id))));
        String end = failure;
        if (tests.isEmpty() || !end.isEmpty()) {
            tests.add(DynamicTest.dynamicTest("all tests ran", () -> {
                assertThat(end).isEmpty();
                assertThat(names).as("tests of " + List.of(suites)).isNotEmpty();
            }));
        }
        return tests.stream();
    }

    private int launch(ByteArrayOutputStream said, Class<?>... suites) {
        List<String> words = new ArrayList<>(List.of(PesProgram.class.getName(), folder.toString()));
        for (Class<?> suite : suites) {
            words.add(suite.getName());
        }
        Launcher launcher = launcher(pes, machine, options, words);
        environment.forEach(launcher::environment);
        return launcher.output(said, said).timeout(LIMIT).run();
    }

    /** A launcher of PEs, with what the machine's library needs in the environment. */
    static Launcher launcher(int pes, Machine machine, List<String> words) {
        return launcher(pes, machine, List.of(), words);
    }

    private static Launcher launcher(int pes, Machine machine, List<String> more, List<String> words) {
        List<String> options = new ArrayList<>(machine.jvmOptions());
        // The same random data on all PEs.
        options.add("-Dcomm4j.seed=" + SEED);
        options.addAll(more);
        Launcher launcher = Launcher.ranks(pes)
                .jvmOptions(options.toArray(String[]::new))
                .java(words.toArray(String[]::new))
                .environment("COMM4J_TIMEOUT", Long.toString(WAIT.toSeconds()));
        if (!machine.simulated()) {
            // One host, whose fabric manager may not allow multicast.
            Map.of(
                            "NVSHMEM_DISABLE_NVLS", "1",
                            "NVSHMEM_REMOTE_TRANSPORT", "none",
                            "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo")
                    .forEach((name, value) ->
                            launcher.environment(name, System.getenv().getOrDefault(name, value)));
        }
        return launcher;
    }

    private void read(int rank, Set<String> started, String text) throws IOException {
        Path file = folder.resolve("rank." + rank);
        if (!Files.exists(file)) {
            return;
        }
        for (String line : Files.readAllLines(file)) {
            Line result = Line.parse(line);
            if (result.kind() == PesProgram.BEGUN) {
                started.add(result.id());
                continue;
            }
            names.putIfAbsent(result.id(), result.name());
            Map<Integer, Line> lines = results.computeIfAbsent(result.id(), id -> new TreeMap<>());
            if (lines.put(rank, result) == null || result.kind() != PesProgram.STARTED) {
                output.put(result.id(), text);
            }
        }
        Files.delete(file);
    }

    /** Throws what the PEs threw. */
    private void judge(String id) {
        Map<Integer, Line> lines = results.getOrDefault(id, Map.of());
        StringBuilder problems = new StringBuilder();
        String skipped = "";
        for (int rank = 0; rank < pes; rank++) {
            Line line = lines.get(rank);
            char kind = line == null ? PesProgram.STARTED : line.kind();
            switch (kind) {
                case PesProgram.PASSED -> {}
                case PesProgram.SKIPPED -> skipped = line.text();
                case PesProgram.FAILED -> problems.append("PE " + rank + ": " + line.text() + "\n");
                default ->
                    problems.append("PE " + rank + (line == null ? " has not come so far\n" : " has not finished\n"));
            }
        }
        if (!problems.isEmpty()) {
            throw new AssertionFailedError(
                    "on " + pes + " PEs:\n" + problems + "Output:\n" + output.getOrDefault(id, ""));
        }
        Assumptions.assumeTrue(skipped.isEmpty(), skipped);
    }
}
