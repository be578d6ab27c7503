// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * Measures operations as nccl-tests does: for each size some calls for warming up, then a barrier and a timed block of
 * calls, whose mean is averaged over the ranks; then one more call with data whose result is known. In host memory the
 * ranks that take part also each copy as many bytes from their one buffer to their other, all at the same time, so that
 * bandwidths can be given as a multiple of what the machine's memory does at that moment for so many. Of several blocks
 * the fastest counts, of calls and of copies.
 *
 * <p>All ranks run the same benchmark with the same settings. Nothing but the measured calls happens in a timed block.
 */
public final class Benchmark {
    /** Into how many parts the time for warming up is cut at most. */
    private static final int LEAST = 10;

    private final Station station;
    private final Settings settings;
    private final Consumer<Row> consumer;
    private final long blockNanos;

    private Benchmark(Station station, Settings settings, Consumer<Row> consumer) {
        this.station = station;
        this.settings = settings;
        this.consumer = consumer;
        this.blockNanos = settings.blockTime().toNanos();
    }

    /**
     * Collective: measures everything that {@code settings} ask for and that makes sense with so many ranks.
     *
     * @param consumer gets each row as soon as there is one, the same at every station
     * @return all rows
     * @throws IllegalArgumentException if the root is no rank, or an operation needs what this engine or number of
     *     ranks lacks
     */
    public static List<Row> run(Station station, Settings settings, Consumer<Row> consumer) {
        if (settings.root() != Settings.ALL_ROOTS && (settings.root() < 0 || settings.root() >= station.ranks())) {
            throw new IllegalArgumentException(
                    "root " + settings.root() + " is not one of 0 to " + (station.ranks() - 1));
        }
        for (Operation operation : settings.operations()) {
            String obstacle = station.obstacle(operation);
            if (obstacle != null) {
                throw new IllegalArgumentException(operation + " " + obstacle);
            }
        }
        List<Row> rows = new ArrayList<>();
        Benchmark benchmark = new Benchmark(station, settings, row -> {
            rows.add(row);
            consumer.accept(row);
        });
        for (Operation operation : settings.operations()) {
            benchmark.measure(operation);
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("of " + settings.reductions() + " and " + settings.types()
                    + " there is no reduction that this engine has of such a type");
        }
        return Collections.unmodifiableList(rows);
    }

    /** {@link #run(Station, Settings, Consumer)} with calls that block, one rank a process or thread. */
    public static List<Row> run(World world, Communicator comm, Settings settings, Consumer<Row> consumer) {
        try (Station station = Station.of(world, comm, settings)) {
            return run(station, settings, consumer);
        }
    }

    private void measure(Operation operation) {
        List<DataType> types = operation.hasTypes()
                ? settings.types()
                : List.of(operation == Operation.LATENCY ? DataType.INT64 : DataType.UINT8);
        List<Integer> roots = !operation.hasRoot()
                ? List.of(-1)
                : settings.root() != Settings.ALL_ROOTS
                        ? List.of(settings.root())
                        : IntStream.range(0, station.ranks()).boxed().toList();
        for (DataType type : types) {
            List<@Nullable ReduceOp> reductions = new ArrayList<>();
            if (operation.reduces()) {
                settings.reductions().stream()
                        .filter(op -> station.supports(operation, type, op))
                        .forEach(reductions::add);
            } else if (station.supports(operation, type, null)) {
                reductions.add(null);
            }
            for (ReduceOp reduction : reductions) {
                for (int root : roots) {
                    List<Long> sizes = operation.sizes(settings.sizes());
                    for (long bytes : sizes) {
                        warmUp(operation, bytes, type, reduction, root, sizes.size());
                    }
                    for (int cycle = 0; cycle < settings.cycles(); cycle++) {
                        // Later cycles find all warm.
                        long budget = cycle == 0 ? settings.warmupTime().toNanos() / LEAST : 0;
                        for (long bytes : sizes) {
                            consumer.accept(measure(operation, bytes, type, reduction, root, budget));
                        }
                    }
                }
            }
        }
    }

    /** Calls everything that will be measured for a while, without looking. */
    private void warmUp(
            Operation operation, long bytes, DataType type, @Nullable ReduceOp reduction, int root, int sizes) {
        Operation.Shape shape = operation.shape(bytes, type, station.ranks());
        long nanos = settings.warmupTime().toNanos();
        for (int form = 0; form < (operation.hasInPlaceForm() ? 2 : 1); form++) {
            try (Trial trial = station.trial(operation, shape, type, reduction, root, form == 1)) {
                long ignored = warmUp(trial, trial.loop(), Math.max(nanos / sizes, nanos / LEAST));
            }
        }
    }

    private Row measure(
            Operation operation, long bytes, DataType type, @Nullable ReduceOp reduction, int root, long warmup) {
        Operation.Shape shape = operation.shape(bytes, type, station.ranks());
        long largest = shape.largest() * type.bytes();
        Copies copies = new Copies(operation.hasSizes() && station.copiesPlainly() ? largest : 0);
        Row.Timing outOfPlace;
        try (Trial trial = station.trial(operation, shape, type, reduction, root, false)) {
            outOfPlace = timing(operation, largest, trial, copies, warmup);
        }
        Row.Timing inPlace = null;
        if (operation.hasInPlaceForm()) {
            try (Trial trial = station.trial(operation, shape, type, reduction, root, true)) {
                inPlace = timing(operation, largest, trial, copies, warmup);
            }
        }
        return new Row(
                operation,
                largest,
                shape.count(),
                type,
                reduction,
                root,
                outOfPlace,
                inPlace,
                operation.hasSizes() && station.copiesPlainly() ? copies.bandwidth : Double.NaN);
    }

    private Row.Timing timing(Operation operation, long bytes, Trial trial, Copies copies, long warmup) {
        Block block = time(trial, copies, warmup);
        long wrong = settings.checks() > 0 && trial.hasResult() ? check(trial) : Row.UNCHECKED;
        Row.Timing done = Row.Timing.of(operation, bytes, station.ranks(), block.seconds, wrong, block.iterations);
        return settings.issue().cpuTime()
                ? new Row.Timing(block.issuing, done.algorithmBandwidth(), done.busBandwidth(), wrong, block.iterations)
                : done;
    }

    // ---- time ----

    /** Seconds of one call, and how many of these it took to issue it. */
    private record Block(
            double seconds, double issuing, @Nullable Iterations iterations) {}

    /** Seconds of some calls on this rank, and those until they were issued; 0 if it takes no part. */
    private record Span(double done, double issued) {}

    /** The fastest block. */
    private Block time(Trial trial, Copies copies, long warmup) {
        Trial.Loop loop = trial.loop();
        long iterations = warmUp(trial, loop, warmup);
        Block best = new Block(Double.POSITIVE_INFINITY, 0, null);
        for (int block = 0; block < settings.blocks(); block++) {
            // Side by side: a machine that others use, too, changes its speed.
            copies.measure(trial);
            Span span = block(trial, loop, iterations);
            double seconds = averaged(trial, span.done / iterations);
            double issuing = averaged(trial, span.issued / iterations);
            Iterations times = iterations(trial.iterationTimes());
            if (seconds < best.seconds) {
                best = new Block(seconds, issuing, times);
            }
        }
        return best;
    }

    /** The longest time of all ranks for each iteration; null where none are taken. */
    private @Nullable Iterations iterations(double[] mine) {
        if (!settings.issue().details().perIteration()) {
            return null;
        }
        return new Iterations(
                Arrays.stream(mine)
                        .map(each -> agree(each, ReduceOp.MAX))
                        .boxed()
                        .toList(),
                settings.issue().details().skipped());
    }

    private double averaged(Trial trial, double seconds) {
        if (!trial.isCollective()) {
            // Those that take no part have no time.
            return station.agree(seconds, ReduceOp.MAX);
        }
        return switch (settings.average()) {
            case RANK0 -> agree(station.speaks() ? seconds : 0, ReduceOp.SUM);
            case MEAN -> agree(seconds, ReduceOp.AVG);
            case MIN -> agree(seconds, ReduceOp.MIN);
            case MAX -> agree(seconds, ReduceOp.MAX);
        };
    }

    /** Calls for a while, and tells how many calls a timed block has. */
    private long warmUp(Trial trial, Trial.Loop loop, long budget) {
        long spent = 0;
        long done = 0;
        long chunk = trial.rounded(1);
        double fastest = Double.POSITIVE_INFINITY;
        while (done == 0 || spent < budget || done < settings.warmup()) {
            // The longest time of all ranks: all must come to the same decision.
            double seconds = agree(block(trial, loop, chunk).done, ReduceOp.MAX);
            fastest = Math.min(fastest, seconds / chunk);
            spent += (long) (seconds * 1e9);
            done += chunk;
            // Twice as many, but not beyond the rest of the budget.
            chunk = trial.rounded(Math.clamp(calls(budget - spent, seconds / chunk), 1, 2 * chunk));
        }
        return settings.iterations() > 0
                ? trial.block(settings.iterations())
                : trial.rounded(Math.max(1, calls(blockNanos, fastest)));
    }

    private static long calls(long nanos, double secondsOfOne) {
        return (long) Math.ceil(nanos / 1e9 / Math.max(secondsOfOne, 1e-9));
    }

    private Span block(Trial trial, Trial.Loop loop, long iterations) {
        station.meet();
        Span span = new Span(0, 0);
        if (trial.takesPart()) {
            long start = System.nanoTime();
            loop.run(iterations);
            long issued = System.nanoTime();
            trial.complete();
            long end = System.nanoTime();
            start += trial.uncounted();
            span = new Span((end - start) / 1e9, (issued - start) / 1e9);
        }
        if (!trial.isCollective()) {
            station.rest();
        }
        return span;
    }

    /** Plain copies, on all ranks that take part in what is measured at the same time, while all others sleep. */
    private final class Copies {
        private final long bytes;
        /** How many copies a block has; 0 before that is known. */
        private long chunk;
        /** GB/s of the slowest rank in the fastest block. */
        private double bandwidth;

        Copies(long bytes) {
            this.bytes = bytes;
        }

        void measure(Trial trial) {
            if (bytes == 0) {
                return;
            }
            for (long fits = chunk == 0 ? 1 : 0; fits > 0; ) {
                chunk = fits;
                fits = block(trial) * 1e9 < blockNanos ? 2 * chunk : 0;
            }
            bandwidth = Math.max(bandwidth, Operation.algorithmBandwidth(bytes * chunk, block(trial)));
        }

        /** Seconds that the slowest rank takes. */
        private double block(Trial trial) {
            station.meet();
            double seconds = 0;
            if (trial.takesPart()) {
                long start = System.nanoTime();
                station.copyPlainly(bytes, chunk);
                seconds = Math.max(System.nanoTime() - start, 1) / 1e9;
            }
            station.rest();
            return agree(seconds, ReduceOp.MAX);
        }
    }

    // ---- check ----

    private long check(Trial trial) {
        long wrong = 0;
        for (int i = 0; i < settings.checks() && wrong == 0; i++) {
            trial.prepare();
            station.rest();
            if (trial.takesPart()) {
                trial.once();
            }
            station.rest();
            wrong = (long) agree((double) trial.wrong(), ReduceOp.SUM);
        }
        return wrong;
    }

    private double agree(double value, ReduceOp op) {
        return station.agree(value, op);
    }
}
