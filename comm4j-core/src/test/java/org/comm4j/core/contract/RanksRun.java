// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

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
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.AssertionFailedError;

/**
 * Runs suites, JUnit classes without a name that ends in "Test", in several processes at once: each rank executes the
 * same tests in the same order ({@link RanksProgram}), and what became of each test on the ranks becomes one test here.
 *
 * <p>A test that fails on one rank leaves the others anywhere; so all end then, and new ones go on with the tests that
 * are left.
 */
public final class RanksRun {
    private static final long SEED =
            Long.getLong("comm4j.seed", ThreadLocalRandom.current().nextLong());

    /** What a rank wrote of a test. */
    private record Line(char kind, String id, String name, String text) {
        static Line parse(String line) {
            String[] words = line.split("\t", -1);
            return new Line(words[0].charAt(0), words[1], decoded(words[2]), decoded(words[3]));
        }

        private static String decoded(String text) {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        }
    }

    private final int ranks;
    private final List<String> options;
    private final Map<String, String> environment;
    private final Duration limit;
    /** Of the MPI library whose launcher starts them; null for comm4j's. */
    private final @Nullable Mpiexec mpiexec;

    private final Path folder;
    /** By test: what the ranks wrote. */
    private final Map<String, Map<Integer, Line>> results = new LinkedHashMap<>();

    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, String> output = new LinkedHashMap<>();

    private RanksRun(
            int ranks,
            List<String> options,
            Map<String, String> environment,
            Duration limit,
            @Nullable Mpiexec mpiexec,
            Path folder) {
        this.ranks = ranks;
        this.options = options;
        this.environment = environment;
        this.limit = limit;
        this.mpiexec = mpiexec;
        this.folder = folder;
    }

    /**
     * The tests of the suites, each of which has run on so many ranks.
     *
     * @param options of the ranks' virtual machines, such as {@code -Dcomm4j.checked=true}
     * @param environment of the ranks, besides that of this process
     * @param limit after which the ranks are ended
     */
    public static Stream<DynamicTest> of(
            int ranks, List<String> options, Map<String, String> environment, Duration limit, Class<?>... suites) {
        return of(ranks, options, environment, limit, null, suites);
    }

    /** As the other one, with ranks that the launcher of an MPI library starts, unless {@code mpiexec} is null. */
    public static Stream<DynamicTest> of(
            int ranks,
            List<String> options,
            Map<String, String> environment,
            Duration limit,
            @Nullable Mpiexec mpiexec,
            Class<?>... suites) {
        try {
            Path folder = Files.createTempDirectory("comm4j-ranks");
            try {
                return new RanksRun(ranks, options, environment, limit, mpiexec, folder).run(suites);
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
            for (int rank = 0; rank < ranks; rank++) {
                read(rank, started, text);
            }
            more = code != 0 && started.size() > before;
            failure = code == 0 || more ? "" : "the ranks ended with code " + code + ":\n" + text;
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
        List<String> words = new ArrayList<>(List.of(RanksProgram.class.getName(), folder.toString()));
        for (Class<?> suite : suites) {
            words.add(suite.getName());
        }
        Launcher launcher = Launcher.ranks(ranks)
                // The same random data on all ranks.
                .jvmOptions("-Dcomm4j.seed=" + SEED)
                .jvmOptions(Natives.passedOn(Sizes.PROPERTY, Nightly.PROPERTY, RanksProgram.EXCLUDED)
                        .toArray(String[]::new))
                .jvmOptions(options.toArray(String[]::new))
                .java(words.toArray(String[]::new));
        environment.forEach(launcher::environment);
        if (mpiexec != null) {
            launcher.by(mpiexec, List.of());
        }
        return launcher.output(said, said).timeout(limit).run();
    }

    private void read(int rank, Set<String> started, String text) throws IOException {
        Path file = folder.resolve("rank." + rank);
        if (!Files.exists(file)) {
            return;
        }
        for (String line : Files.readAllLines(file)) {
            Line result = Line.parse(line);
            if (result.kind() == RanksProgram.BEGUN) {
                started.add(result.id());
                continue;
            }
            names.putIfAbsent(result.id(), result.name());
            Map<Integer, Line> lines = results.computeIfAbsent(result.id(), id -> new TreeMap<>());
            if (lines.put(rank, result) == null || result.kind() != RanksProgram.STARTED) {
                output.put(result.id(), text);
            }
        }
        Files.delete(file);
    }

    /** Throws what the ranks threw. */
    private void judge(String id) {
        Map<Integer, Line> lines = results.getOrDefault(id, Map.of());
        StringBuilder problems = new StringBuilder();
        String skipped = "";
        for (int rank = 0; rank < ranks; rank++) {
            Line line = lines.get(rank);
            char kind = line == null ? RanksProgram.STARTED : line.kind();
            switch (kind) {
                case RanksProgram.PASSED -> {}
                case RanksProgram.SKIPPED -> skipped = line.text();
                case RanksProgram.FAILED -> problems.append("rank " + rank + ": " + line.text() + "\n");
                default ->
                    problems.append("rank " + rank + (line == null ? " has not come so far\n" : " has not finished\n"));
            }
        }
        if (!problems.isEmpty()) {
            throw new AssertionFailedError(
                    "on " + ranks + " ranks:\n" + problems + "Output:\n" + output.getOrDefault(id, ""));
        }
        Assumptions.assumeTrue(skipped.isEmpty(), skipped);
    }
}
