// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.comm4j.bench.Agreement;
import org.comm4j.bench.DevicePe;
import org.comm4j.bench.JvmRest;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.shmem.OpenShmem;
import org.jspecify.annotations.Nullable;

/** Runs research kernels and reports as the reference's programs do. */
public final class Prk {
    /** The version of the reference whose parameters, formulas and output these are. */
    private static final String REFERENCE = "2020";

    private static final Duration WAKING = Duration.ofMillis(20);

    private Prk() {}

    /**
     * What came of a run.
     *
     * @param error what is wrong with the result; null if it is right
     */
    public record Outcome(
            ResearchKernel kernel,
            int pes,
            List<Rate> rates,
            @Nullable String error) {
        public Outcome {
            rates = List.copyOf(rates);
        }

        public boolean isRight() {
            return error == null;
        }
    }

    /**
     * Collective: runs a kernel, PE 0 printing what the reference prints.
     *
     * @param warmUp how long a run that does not count goes on before, so that the JVM compiles its loops; at least one
     *     pass, unless it is zero
     * @throws IllegalArgumentException if the kernel cannot run on so many PEs
     */
    public static Outcome run(OpenShmem shmem, ResearchKernel kernel, Duration warmUp, PrintWriter out) {
        int pes = shmem.nPes();
        kernel.check(pes);
        boolean prints = shmem.myPe() == 0;
        if (prints) {
            out.println("Parallel Research Kernels version " + REFERENCE);
            out.println("SHMEM " + kernel.title());
            parameters(kernel, pes, shmem.engine().toString(), out);
            out.flush();
        }
        Outcome outcome = measure(shmem, kernel, warmUp);
        if (prints) {
            result(outcome, out);
        }
        return outcome;
    }

    /**
     * Collective: runs a kernel that communicates by itself, PE 0 printing what the reference prints.
     *
     * @param engine its name, to be printed
     * @param warmUp about how long the memory is filled and passes go on before that do not count, so that clocks are
     *     up
     */
    public static Outcome run(
            World world, DevicePe pe, OnGpus kernel, String engine, Duration warmUp, PrintWriter out) {
        kernel.check(pe.nPes);
        boolean prints = pe.myPe == 0;
        if (prints) {
            out.println("Parallel Research Kernels version " + REFERENCE);
            out.println("SHMEM " + kernel.title());
            parameters(kernel, pe.nPes, engine, out);
            out.flush();
        }
        Outcome outcome = measure(world, pe, kernel, warmUp);
        if (prints) {
            result(outcome, out);
        }
        return outcome;
    }

    private static Outcome measure(World world, DevicePe pe, OnGpus kernel, Duration warmUp) {
        Agreement agreement = new Agreement(world, "prk");
        try (OnGpus.Run run = kernel.prepare(pe)) {
            agreement.meet();
            long start = System.nanoTime();
            run.fill();
            // Before anybody reads another's memory.
            agreement.meet();
            while (agreement.of((double) (System.nanoTime() - start), ReduceOp.MAX) < warmUp.toNanos()) {
                run.passes().issue(1);
                pe.complete();
            }
            run.fill();
            agreement.meet();
            int[] marks = kernel.marks();
            run.passes().issue(marks[0]);
            pe.complete();
            double[] seconds = new double[marks.length - 1];
            for (int i = 0; i < seconds.length; i++) {
                int passes = marks[i + 1] - marks[i];
                agreement.meet();
                seconds[i] = agreement.of(run.passes().micros(passes) * passes * 1e-6, ReduceOp.MAX);
            }
            String error = run.error(agreement);
            agreement.meet();
            return new Outcome(kernel, pe.nPes, List.of(kernel.rates(pe.nPes, seconds)), error);
        }
    }

    private static void result(Outcome outcome, PrintWriter out) {
        out.println(outcome.isRight() ? "Solution validates" : "ERROR: " + outcome.error);
        if (outcome.isRight()) {
            outcome.rates.forEach(out::println);
        }
        out.flush();
    }

    private static void parameters(ResearchKernel kernel, int pes, String engine, PrintWriter out) {
        Map<String, Object> given = kernel.parameters(pes);
        String ranks = "Number of ranks";
        int width = given.keySet().stream().mapToInt(String::length).reduce(ranks.length(), Math::max);
        String line = "%-" + width + "s = %s%n";
        out.printf(line, ranks, pes);
        given.forEach((name, value) -> out.printf(line, name, value));
        out.printf(line, "Engine", engine);
    }

    private static Outcome measure(OpenShmem shmem, ResearchKernel kernel, Duration warmUp) {
        try (Totals totals = new Totals(shmem)) {
            if (!warmUp.isZero()) {
                warmUp(shmem, kernel, totals, warmUp);
            }
            try (Trial trial = kernel.prepare(shmem, totals)) {
                if (!warmUp.isZero()) {
                    // Its preparation has loops that run once: the compiler is at work on them just now.
                    long ignored = JvmRest.await();
                    wake(shmem, totals);
                }
                int[] marks = kernel.marks();
                double[] seconds = new double[marks.length - 1];
                passes(trial, 0, marks[0]);
                for (int i = 0; i < seconds.length; i++) {
                    shmem.barrierAll();
                    long start = System.nanoTime();
                    passes(trial, marks[i], marks[i + 1]);
                    seconds[i] = totals.max((System.nanoTime() - start) * 1e-9);
                }
                String error = trial.error();
                // Nobody frees what others still look at.
                shmem.barrierAll();
                return new Outcome(kernel, shmem.nPes(), List.of(kernel.rates(shmem.nPes(), seconds)), error);
            }
        }
    }

    private static void warmUp(OpenShmem shmem, ResearchKernel kernel, Totals totals, Duration limit) {
        try (Trial trial = kernel.prepare(shmem, totals)) {
            shmem.barrierAll();
            long start = System.nanoTime();
            int pass = 0;
            do {
                trial.pass(pass++);
            } while (totals.nanosSince(start) < limit.toNanos());
            shmem.barrierAll();
        }
    }

    /** Keeps processors that have slept busy for a while, until they are as fast as they get. */
    private static void wake(OpenShmem shmem, Totals totals) {
        long start = System.nanoTime();
        do {
            shmem.barrierAll();
        } while (totals.nanosSince(start) < WAKING.toNanos());
    }

    private static void passes(Trial trial, int from, int to) {
        for (int pass = from; pass < to; pass++) {
            trial.pass(pass);
        }
    }
}
