// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.AfterAll;

/** PEs that are processes. A job starts once for each number of PEs and goes through all cases, until one fails. */
abstract class ProcessesContract extends ShmemContract {
    /** What came of a job: its exit code and output, and what each PE wrote down. */
    record Job(int code, String output, List<Set<String>> passed) {}

    private final Map<Integer, Job> jobs = new HashMap<>();
    private final Path folder = temporary();

    private static Path temporary() {
        try {
            return Files.createTempDirectory("comm4j-shmem");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts so many PEs with these words for {@code java}, and waits for their end. The list is the exit code as text,
     * and the output.
     */
    abstract Map.Entry<Integer, String> start(int pes, String... words);

    /**
     * Whether so many JVMs have the compiler that reorders the most, and that removes what calls would allocate. They
     * spend two thirds of the time compiling: for a change those of one engine do, and two of them.
     */
    boolean isOptimised(int pes) {
        return pes <= 2 && Nightly.isOn();
    }

    @Override
    void run(int pes, Each each) {
        Job job = jobs.computeIfAbsent(pes, this::job);
        for (int pe = 0; pe < pes; pe++) {
            if (!job.passed().get(pe).contains(each.name())) {
                throw new AssertionError("PE " + pe + " of " + pes + " has not passed " + each + "; exit code "
                        + job.code() + ", output:\n" + job.output());
            }
        }
        if (each.equals(ALL.getLast())) {
            assertThat(job.code()).as(job.output()).isZero();
        }
    }

    private Job job(int pes) {
        try {
            Path notes = Files.createDirectory(folder.resolve(Integer.toString(pes)));
            String compiler = isOptimised(pes) ? "-XX:+TieredCompilation" : CasesProgram.FIRST_COMPILER;
            Map.Entry<Integer, String> end = start(
                    pes,
                    Stream.of(
                                    Natives.passedOn(Nightly.PROPERTY).stream(),
                                    Stream.of(compiler, CasesProgram.class.getName(), notes.toString()))
                            .flatMap(each -> each)
                            .toArray(String[]::new));
            List<Set<String>> passed = java.util.stream.IntStream.range(0, pes)
                    .mapToObj(pe -> read(notes.resolve("pe." + pe)))
                    .toList();
            return new Job(end.getKey(), end.getValue(), passed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> read(Path file) {
        try {
            return Files.exists(file) ? Set.copyOf(Files.readAllLines(file)) : Set.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterAll
    void tidy() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
