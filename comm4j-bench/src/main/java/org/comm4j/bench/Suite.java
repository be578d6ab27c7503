// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.comm4j.bench.Settings.Registration;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/**
 * All collectives of GPUs in all modes, by {@code comm4j bench} and, where its programs are, by nccl-tests in turn: the
 * same options, the same machine, one operation after the other, in rounds. What was measured stays in files, {@code
 * OUT/group-R0/1/all_reduce.comm4j.json} and {@code all_reduce_perf.txt} for the first round of a mode, and what is
 * there is not measured again: a suite that ran out of time goes on where it stopped.
 */
public final class Suite {
    /** Behind the name of an operation. */
    static final String OURS = ".comm4j.json";

    static final String THEIRS = "_perf.txt";

    static final String AGAIN = "_perf_again.txt";

    /** Who makes the calls for which GPUs. */
    public enum Mode {
        /** One thread makes the calls of all GPUs, in a group: {@code -g N}. */
        GROUP,
        /** Each GPU has a thread of one process: {@code -t N}. */
        THREADS,
        /** Each GPU has a process. */
        PROCESSES;

        /** The mode that users call so. */
        public static Mode named(String name) {
            for (Mode mode : values()) {
                if (mode.toString().equalsIgnoreCase(name)) {
                    return mode;
                }
            }
            throw new IllegalArgumentException(
                    "there is no mode '" + name + "'; there are group, threads and processes");
        }

        List<String> options(int gpus) {
            return switch (this) {
                case GROUP -> List.of("-g", "" + gpus);
                case THREADS -> List.of("-t", "" + gpus);
                case PROCESSES -> List.of();
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The programs of nccl-tests.
     *
     * @param folder where they are
     * @param processFolder where those are that were built with MPI; may be the same
     * @param launcher what starts the latter, in words separated by spaces, such as {@code mpirun -np %n}: {@code %n}
     *     stands for the number of processes, which comes last where it does not occur; empty if nothing does, then
     *     that mode is ours alone
     * @param again whether they are measured once more in each round: a second table lays them beside themselves, which
     *     tells how much a row can tell on this machine
     */
    public record Peer(Path folder, Path processFolder, String launcher, boolean again) {
        boolean takesPart(Mode mode) {
            return mode != Mode.PROCESSES || !launcher.isBlank();
        }

        /** The program of an operation; null if it was not built. */
        @Nullable
        Path program(Operation operation, Mode mode) {
            Path in = mode == Mode.PROCESSES ? processFolder : folder;
            for (String name : List.of(operation + "_perf_mpi", operation + "_perf")) {
                Path file = in.resolve(name);
                // The first name is of those built with MPI.
                if (Files.isExecutable(file) && (mode == Mode.PROCESSES || name.endsWith("_perf"))) {
                    return file.toAbsolutePath();
                }
            }
            return null;
        }

        List<String> launch(int processes) {
            List<String> words = new ArrayList<>();
            boolean said = launcher.contains("%n");
            for (String word : launcher.strip().split(" +")) {
                words.add(word.replace("%n", "" + processes));
            }
            if (!said) {
                words.add("" + processes);
            }
            return words;
        }
    }

    /**
     * What to measure.
     *
     * @param gpus how many are used
     * @param options that both programs have
     * @param rounds how often each mode is measured
     * @param statistic what of all rounds goes into the tables
     * @param limit no mode is begun that would probably not end before; zero: no limit
     * @param timeout how long a program may take before it is ended and counts as failed
     * @param out the folder of the results
     */
    public record Plan(
            int gpus,
            List<Operation> operations,
            List<Mode> modes,
            List<Registration> registrations,
            List<String> options,
            int rounds,
            Statistic statistic,
            Duration limit,
            Duration timeout,
            Path out,
            @Nullable Peer peer) {
        public Plan {
            operations = List.copyOf(operations);
            modes = List.copyOf(modes);
            registrations = List.copyOf(registrations);
            options = List.copyOf(options);
            if (gpus < 1 || rounds < 1 || operations.isEmpty() || modes.isEmpty() || registrations.isEmpty()) {
                throw new IllegalArgumentException("a suite of " + rounds + " rounds of " + operations + " in modes "
                        + modes + " with registrations " + registrations + " on " + gpus + " GPUs measures nothing");
            }
        }
    }

    private final Plan plan;
    private final UnaryOperator<List<String>> comm4j;
    private final Consumer<String> progress;
    private int failures;

    private Suite(Plan plan, UnaryOperator<List<String>> comm4j, Consumer<String> progress) {
        this.plan = plan;
        this.comm4j = comm4j;
        this.progress = progress;
    }

    /**
     * Measures what is missing, and writes {@code summary.json} and {@code table.md} of all that is there.
     *
     * @param comm4j makes the command that runs {@code comm4j} with such arguments
     * @param progress gets a line for each program that runs, fails or is left out
     * @return whether everything that ran succeeded
     * @throws CommException if this thread is interrupted; the program that ran has been ended
     */
    public static boolean run(Plan plan, UnaryOperator<List<String>> comm4j, Consumer<String> progress)
            throws IOException {
        Suite suite = new Suite(plan, comm4j, progress);
        suite.run();
        SuiteTable table = SuiteTable.read(plan);
        Files.writeString(plan.out.resolve("summary.json"), table.json());
        Files.writeString(plan.out.resolve("table.md"), table.markdown());
        return suite.failures == 0 && table.wrong() == 0;
    }

    private void run() throws IOException {
        long start = System.nanoTime();
        long longest = 0;
        for (int round = 1; round <= plan.rounds; round++) {
            for (Mode mode : plan.modes) {
                for (Registration registration : plan.registrations) {
                    long begin = System.nanoTime();
                    if (!plan.limit.isZero() && begin - start + longest > plan.limit.toNanos()) {
                        progress.accept("out of time before round " + round + " of " + name(mode, registration)
                                + ": run it again to go on");
                        return;
                    }
                    round(mode, registration, round);
                    longest = Math.max(longest, System.nanoTime() - begin);
                }
            }
        }
    }

    static String name(Mode mode, Registration registration) {
        return mode + "-R" + registration.ordinal();
    }

    static Path folder(Plan plan, Mode mode, Registration registration, int round) {
        return plan.out.resolve(name(mode, registration)).resolve("" + round);
    }

    private void round(Mode mode, Registration registration, int round) throws IOException {
        Path folder = Files.createDirectories(folder(plan, mode, registration, round));
        for (Operation operation : plan.operations) {
            // Whoever comes first does so in every other round only.
            if (round % 2 == 1) {
                ours(operation, mode, registration, folder);
                theirs(operation, mode, registration, folder);
            } else {
                theirs(operation, mode, registration, folder);
                ours(operation, mode, registration, folder);
            }
        }
    }

    /** A process for each operation, as nccl-tests has it: processes differ more than the calls in one of them. */
    private void ours(Operation operation, Mode mode, Registration registration, Path folder) throws IOException {
        Path result = folder.resolve(operation + OURS);
        if (Files.exists(result)) {
            return;
        }
        Path part = folder.resolve(operation + OURS + ".part");
        List<String> words = new ArrayList<>(List.of(
                "bench",
                operation.toString(),
                "--engine",
                "nccl",
                "-R",
                "" + registration.ordinal(),
                "--warmup-time",
                "100",
                "--json",
                part.toString()));
        words.addAll(mode == Mode.PROCESSES ? List.of("--ranks", "" + plan.gpus) : mode.options(plan.gpus));
        words.addAll(plan.options);
        if (succeeds(comm4j.apply(words), "comm4j " + operation, folder, folder.resolve(operation + ".comm4j.txt"))) {
            Files.move(part, result, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void theirs(Operation operation, Mode mode, Registration registration, Path folder) throws IOException {
        Peer peer = plan.peer;
        Path program = peer == null || !peer.takesPart(mode) ? null : peer.program(operation, mode);
        if (peer == null || program == null) {
            return;
        }
        List<String> words = new ArrayList<>(mode == Mode.PROCESSES ? peer.launch(plan.gpus) : List.of());
        words.add(program.toString());
        words.addAll(mode.options(plan.gpus));
        words.addAll(List.of("-R", "" + registration.ordinal()));
        words.addAll(plan.options);
        theirs(words, folder, operation + THEIRS);
        if (peer.again) {
            theirs(words, folder, operation + AGAIN);
        }
    }

    private void theirs(List<String> words, Path folder, String name) throws IOException {
        Path result = folder.resolve(name);
        Path part = folder.resolve(name + ".part");
        if (!Files.exists(result) && succeeds(words, name.replaceFirst("\\.txt$", ""), folder, part)) {
            Files.move(part, result, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Runs a program; what it prints goes to a file. */
    private boolean succeeds(List<String> command, String name, Path folder, Path output) throws IOException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        String where = plan.out.relativize(folder) + ": " + name;
        try {
            boolean ended = process.waitFor(plan.timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                end(process);
            }
            if (ended && process.exitValue() == 0) {
                progress.accept(String.format(Locale.ROOT, "%s, %.1f s", where, (System.nanoTime() - start) / 1e9));
                return true;
            }
            failures++;
            List<String> lines = Files.readAllLines(output);
            progress.accept(where + (ended ? " failed with code " + process.exitValue() : " does not end") + "; "
                    + String.join(" ", command) + "; its last words, all are in " + output + ":");
            lines.subList(Math.max(0, lines.size() - 5), lines.size()).forEach(line -> progress.accept("    " + line));
            return false;
        } catch (InterruptedException e) {
            end(process);
            Thread.currentThread().interrupt();
            throw new CommException("interrupted while " + where + " was running", e);
        }
    }

    /** With what it started: a launcher's processes may outlive it. */
    private static void end(Process process) {
        List<ProcessHandle> all = process.descendants().toList();
        process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
