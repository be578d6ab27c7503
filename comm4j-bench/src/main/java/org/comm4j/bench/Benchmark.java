// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.host.HostCommunicator;
import org.jspecify.annotations.Nullable;

/**
 * Measures operations as nccl-tests does: for each size some calls for warming up, then a barrier and a timed block of calls,
 * whose mean is averaged over the ranks; then one more call with data whose result is known. In addition the ranks that take
 * part each copy as many bytes from their one buffer to their other, all at the same time, so that bandwidths can be given as a
 * multiple of what the machine's memory does at that moment for so many. Of several blocks the fastest counts, of calls and of
 * copies.
 *
 * <p>All ranks run the same benchmark with the same settings. Nothing but the measured calls happens in a timed block.
 */
public final class Benchmark {
    /** Into how many parts the time for warming up is cut at most. */
    private static final int LEAST = 10;

    private final World world;
    private final Communicator comm;
    private final Settings settings;
    private final Consumer<Row> consumer;
    private final Buffers buffers;
    /** One number that ranks agree on. */
    private final HostArray word;

    private final long blockNanos;

    private Benchmark(World world, Communicator comm, Settings settings, Consumer<Row> consumer, Buffers buffers) {
        this.world = world;
        this.comm = comm;
        this.settings = settings;
        this.consumer = consumer;
        this.buffers = buffers;
        this.word = HostArray.allocate(DataType.FLOAT64, 1);
        this.blockNanos = settings.blockTime().toNanos();
    }

    /**
     * Collective: measures everything that {@code settings} ask for and that makes sense with so many ranks.
     *
     * @param comm of all ranks of {@code world}
     * @param consumer gets each row as soon as there is one, the same on every rank
     * @return all rows
     * @throws IllegalArgumentException if the root is no rank, or an operation needs what this engine or number of ranks lacks
     */
    public static List<Row> run(World world, Communicator comm, Settings settings, Consumer<Row> consumer) {
        if (settings.root() != Settings.ALL_ROOTS && (settings.root() < 0 || settings.root() >= comm.size())) {
            throw new IllegalArgumentException("root " + settings.root() + " is not one of 0 to " + (comm.size() - 1));
        }
        for (Operation operation : settings.operations()) {
            String obstacle = obstacle(operation, comm);
            if (obstacle != null) {
                throw new IllegalArgumentException(operation + " " + obstacle);
            }
        }
        List<Row> rows = new ArrayList<>();
        try (Buffers buffers = new Buffers(comm, settings.largest(), settings.registered())) {
            Benchmark benchmark = new Benchmark(
                    world,
                    comm,
                    settings,
                    row -> {
                        rows.add(row);
                        consumer.accept(row);
                    },
                    buffers);
            for (Operation operation : settings.operations()) {
                benchmark.measure(operation);
            }
        }
        return Collections.unmodifiableList(rows);
    }

    /** Why an operation cannot be measured here, as the rest of a sentence; null if it can. */
    public static @Nullable String obstacle(Operation operation, Communicator comm) {
        if (operation.isOneSided() && !(comm instanceof HostCommunicator)) {
            return "needs the engine host, not " + comm.engine();
        }
        return operation == Operation.LATENCY && comm.size() < 2 ? "needs 2 ranks" : null;
    }

    private void measure(Operation operation) {
        List<DataType> types = operation.hasTypes()
                ? settings.types()
                : List.of(operation == Operation.LATENCY ? DataType.INT64 : DataType.UINT8);
        List<Integer> roots = !operation.hasRoot()
                ? List.of(-1)
                : settings.root() != Settings.ALL_ROOTS
                        ? List.of(settings.root())
                        : IntStream.range(0, comm.size()).boxed().toList();
        for (DataType type : types) {
            List<@Nullable ReduceOp> reductions = new ArrayList<>();
            if (operation.reduces()) {
                settings.reductions().stream().filter(op -> op.supports(type)).forEach(reductions::add);
            } else {
                reductions.add(null);
            }
            for (ReduceOp reduction : reductions) {
                for (int root : roots) {
                    List<Long> sizes = operation.sizes(settings.sizes());
                    for (long bytes : sizes) {
                        warmUp(operation, bytes, type, reduction, root, sizes.size());
                    }
                    for (long bytes : sizes) {
                        consumer.accept(measure(operation, bytes, type, reduction, root));
                    }
                }
            }
        }
    }

    /** Calls everything that will be measured for a while, without looking. */
    private void warmUp(
            Operation operation, long bytes, DataType type, @Nullable ReduceOp reduction, int root, int sizes) {
        Operation.Shape shape = operation.shape(bytes, type, comm.size());
        long nanos = settings.warmupTime().toNanos();
        for (int form = 0; form < (operation.hasInPlaceForm() ? 2 : 1); form++) {
            try (Trial trial = trial(operation, shape, type, reduction, root, form == 1)) {
                long ignored = warmUp(trial, trial.loop(), Math.max(nanos / sizes, nanos / LEAST));
            }
        }
    }

    private Row measure(Operation operation, long bytes, DataType type, @Nullable ReduceOp reduction, int root) {
        Operation.Shape shape = operation.shape(bytes, type, comm.size());
        long largest = shape.largest() * type.bytes();
        Copies copies = new Copies(operation.hasSizes() ? largest : 0);
        Row.Timing outOfPlace;
        try (Trial trial = trial(operation, shape, type, reduction, root, false)) {
            outOfPlace = timing(operation, largest, trial, copies);
        }
        Row.Timing inPlace = null;
        if (operation.hasInPlaceForm()) {
            try (Trial trial = trial(operation, shape, type, reduction, root, true)) {
                inPlace = timing(operation, largest, trial, copies);
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
                operation.hasSizes() ? copies.bandwidth : Double.NaN);
    }

    private Row.Timing timing(Operation operation, long bytes, Trial trial, Copies copies) {
        double seconds = time(trial, copies);
        long wrong = settings.check() && trial.hasResult() ? check(trial) : Row.UNCHECKED;
        return Row.Timing.of(operation, bytes, comm.size(), seconds, wrong);
    }

    private Trial trial(
            Operation operation,
            Operation.Shape shape,
            DataType type,
            @Nullable ReduceOp reduction,
            int root,
            boolean inPlace) {
        return switch (operation) {
            case PUT, GET ->
                new Trial.Copy((HostCommunicator) comm, buffers, operation == Operation.PUT, type, shape.count());
            case LATENCY -> new Trial.PingPong((HostCommunicator) comm);
            default -> new Trial.Collective(comm, buffers, operation, shape, type, reduction, root, inPlace);
        };
    }

    // ---- time ----

    /** Seconds of one call, in the fastest block. */
    private double time(Trial trial, Copies copies) {
        Trial.Loop loop = trial.loop();
        long iterations = warmUp(trial, loop, settings.warmupTime().toNanos() / LEAST);
        double best = Double.POSITIVE_INFINITY;
        for (int block = 0; block < settings.blocks(); block++) {
            // Side by side: a machine that others use, too, changes its speed.
            copies.measure(trial);
            best = Math.min(best, averaged(trial, block(trial, loop, iterations) / iterations));
        }
        return best;
    }

    private double averaged(Trial trial, double seconds) {
        if (!(trial instanceof Trial.Collective)) {
            // Those that take no part have no time.
            return agree(seconds, ReduceOp.MAX);
        }
        return switch (settings.average()) {
            case RANK0 -> agree(comm.rank() == 0 ? seconds : 0, ReduceOp.SUM);
            case MEAN -> agree(seconds, ReduceOp.AVG);
            case MIN -> agree(seconds, ReduceOp.MIN);
            case MAX -> agree(seconds, ReduceOp.MAX);
        };
    }

    /** Calls for a while, and tells how many calls a timed block has. */
    private long warmUp(Trial trial, Trial.Loop loop, long budget) {
        long spent = 0;
        long done = 0;
        long chunk = 1;
        double fastest = Double.POSITIVE_INFINITY;
        while (spent < budget || done < settings.warmup()) {
            // The longest time of all ranks: all must come to the same decision.
            double seconds = agree(block(trial, loop, chunk), ReduceOp.MAX);
            fastest = Math.min(fastest, seconds / chunk);
            spent += (long) (seconds * 1e9);
            done += chunk;
            // Twice as many, but not beyond the rest of the budget.
            chunk = Math.clamp(calls(budget - spent, seconds / chunk), 1, 2 * chunk);
        }
        return settings.iterations() > 0 ? settings.iterations() : Math.max(1, calls(blockNanos, fastest));
    }

    private static long calls(long nanos, double secondsOfOne) {
        return (long) Math.ceil(nanos / 1e9 / Math.max(secondsOfOne, 1e-9));
    }

    /** Seconds of so many calls on this rank; 0 if it takes no part. */
    private double block(Trial trial, Trial.Loop loop, long iterations) {
        comm.barrier();
        double seconds = 0;
        if (trial.takesPart()) {
            long start = System.nanoTime();
            loop.run(iterations);
            seconds = (System.nanoTime() - start) / 1e9;
        }
        if (!(trial instanceof Trial.Collective)) {
            // Whoever waits in the shared memory is woken by every store: sleep elsewhere.
            world.barrier();
        }
        return seconds;
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
            comm.barrier();
            double seconds = 0;
            if (trial.takesPart()) {
                long start = System.nanoTime();
                buffers.plainCopies(bytes, chunk);
                seconds = Math.max(System.nanoTime() - start, 1) / 1e9;
            }
            world.barrier();
            return agree(seconds, ReduceOp.MAX);
        }
    }

    // ---- check ----

    private long check(Trial trial) {
        trial.prepare();
        world.barrier();
        if (trial.takesPart()) {
            trial.loop().run(1);
        }
        world.barrier();
        return (long) agree((double) trial.wrong(), ReduceOp.SUM);
    }

    /** What all ranks' values amount to. */
    private double agree(double value, ReduceOp op) {
        word.setDouble(0, value);
        comm.allReduce(word, word, op);
        return word.getDouble(0);
    }
}
