// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.mpi.Mpi;
import org.comm4j.mpi.MpiFacts;

/** What each MPI library of this machine can, found out by initialising it in a process of its own. */
final class MpiDoctor {
    /** Hidden option of {@code comm4j doctor} that makes it the process that is asked. */
    static final String OPTION = "--mpi-facts";

    private static final String MARK = "mpi-facts\t";
    private static final long PATIENCE_SECONDS = 30;
    private static final List<String> HEADER = List.of(
            "MPI library",
            "interface",
            "threads",
            "64-bit counts",
            "persistent collectives",
            "going on without a rank",
            "CUDA-aware",
            "signals taken");

    private MpiDoctor() {}

    /** Returns the row of the library that {@code COMM4J_MPI} names, as a line. */
    static String answer() {
        MpiFacts facts = Mpi.facts();
        Boolean cuda = facts.cuda();
        return MARK
                + String.join(
                        "\t",
                        facts.library(),
                        facts.family(),
                        facts.severalThreads() ? "several" : "one at a time",
                        yes(facts.largeCounts()),
                        yes(facts.persistentCollectives()),
                        yes(facts.goesOn()),
                        cuda == null ? "unknown" : yes(cuda),
                        facts.signals().isEmpty() ? "none" : String.join(" ", facts.signals()));
    }

    private static String yes(boolean fact) {
        return fact ? "yes" : "no";
    }

    static Doctor.Section section() {
        List<List<String>> rows = new ArrayList<>();
        for (Mpiexec each : Mpiexec.all(System.getenv())) {
            Path library = each.library();
            if (library != null) {
                rows.add(ask(library));
            }
        }
        if (rows.isEmpty()) {
            rows.add(padded("none"));
        }
        return new Doctor.Section("mpi libraries", HEADER, rows);
    }

    private static List<String> padded(String first) {
        List<String> row = new ArrayList<>(List.of(first));
        while (row.size() < HEADER.size()) {
            row.add("-");
        }
        return row;
    }

    private static List<String> ask(Path library) {
        try {
            ProcessBuilder builder = new ProcessBuilder(Ranks.command(List.of("doctor", OPTION)));
            builder.environment().put(Mpiexec.VARIABLE, library.toString());
            // What it prints besides the answer is of no use here.
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
            Process process = builder.start();
            boolean[] late = {false};
            Thread limit = Thread.ofVirtual().start(() -> {
                try {
                    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                        late[0] = true;
                        process.destroyForcibly();
                    }
                } catch (InterruptedException e) {
                    process.destroyForcibly();
                }
            });
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            limit.join();
            return text.lines()
                    .filter(line -> line.startsWith(MARK))
                    .map(line -> List.of(line.substring(MARK.length()).split("\t")))
                    .findFirst()
                    .orElseGet(() -> padded(library
                            + (late[0] ? " does not start within " + PATIENCE_SECONDS + " s" : " ends with " + code)));
        } catch (IOException e) {
            return padded(library + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return padded(library + ": interrupted");
        }
    }
}
