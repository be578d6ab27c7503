// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;

/**
 * What to measure, and how.
 *
 * @param operations in this order
 * @param sizes in bytes, of the larger buffer of a rank
 * @param types element types
 * @param reductions for operations that reduce; those that a type does not have are left out
 * @param root of operations that have one, or {@link #ALL_ROOTS}
 * @param iterations in a timed block; 0: as many as {@code blockTime} takes
 * @param warmup untimed iterations before, at least
 * @param warmupTime how long untimed iterations go on with all sizes together, and again a tenth of it before each size
 *     is timed: different sizes may take different ways, and the compiler needs time for each
 * @param blockTime of a timed block when {@code iterations} is 0
 * @param blocks timed blocks, of which the fastest counts
 * @param cycles how often everything is measured, one row each time
 * @param check whether every element of a result is compared with what it must be
 * @param average which of the ranks' times is shown
 * @param registered whether buffers are in shared memory, so that the engine needs no staging copy
 * @param issue how calls are made on an engine whose calls only start work
 */
public record Settings(
        List<Operation> operations,
        List<Long> sizes,
        List<DataType> types,
        List<ReduceOp> reductions,
        int root,
        int iterations,
        int warmup,
        Duration warmupTime,
        Duration blockTime,
        int blocks,
        int cycles,
        boolean check,
        Average average,
        boolean registered,
        Issue issue) {

    /** For {@link #root}: measure with every rank as the root. */
    public static final int ALL_ROOTS = -1;

    /** Enough for {@link #warmupTime} on a quiet machine. */
    public static final Duration WARMUP_TIME = Duration.ofMillis(400);

    /** Which time a row shows; the order is that of nccl-tests' option {@code -a}. */
    public enum Average {
        /** Rank 0's. */
        RANK0,
        /** The mean of all ranks'. */
        MEAN,
        /** The shortest. */
        MIN,
        /** The longest. */
        MAX
    }

    /** Whether and how buffers are made known to the communicator; the order is that of nccl-tests' option {@code -R}. */
    public enum Registration {
        NONE,
        /** Known to this rank's communicator. */
        LOCAL,
        /** A symmetric window of all ranks. */
        SYMMETRIC
    }

    /**
     * How GPUs are driven.
     *
     * @param threads of a process that make calls
     * @param gpus that each thread makes calls for, in a group
     * @param registration of the buffers
     * @param blocking whether each call is waited for before the next one
     * @param graphLaunches how often a captured graph of all iterations is launched, 0: no graph
     * @param aggregated calls in one group
     * @param cpuTime whether times end when all calls were issued
     */
    public record Issue(
            int threads,
            int gpus,
            Registration registration,
            boolean blocking,
            int graphLaunches,
            int aggregated,
            boolean cpuTime) {

        /** One thread for one GPU, call by call. */
        public static final Issue PLAIN = new Issue(1, 1, Registration.NONE, false, 0, 1, false);

        public Issue {
            if (threads < 1 || gpus < 1 || graphLaunches < 0 || aggregated < 1) {
                throw new IllegalArgumentException(threads + " threads of " + gpus + " GPUs, " + aggregated
                        + " calls a group, " + graphLaunches + " graph launches: numbers below one make no sense");
            }
            if (blocking && graphLaunches > 0) {
                throw new IllegalArgumentException("calls of a graph cannot be waited for one by one");
            }
        }
    }

    public Settings {
        operations = List.copyOf(operations);
        sizes = List.copyOf(sizes);
        types = List.copyOf(types);
        reductions = List.copyOf(reductions);
        Objects.requireNonNull(average, "average");
        Objects.requireNonNull(issue, "issue");
        if (operations.isEmpty() || sizes.isEmpty() || types.isEmpty() || reductions.isEmpty()) {
            throw new IllegalArgumentException(
                    "a benchmark needs an operation, a size, a type and a reduction at least");
        }
        if (iterations < 0
                || warmup < 0
                || blocks < 1
                || cycles < 1
                || !blockTime.isPositive()
                || warmupTime.isNegative()) {
            throw new IllegalArgumentException("a benchmark of " + cycles + " cycles of " + blocks + " blocks of "
                    + iterations + " iterations after " + warmup + " for warming up, blocks of " + blockTime
                    + ": numbers below zero make no sense");
        }
    }

    /** Float sums of 8 bytes to 64 MiB, checked, in blocks of 20 ms. */
    public static Settings of(Operation... operations) {
        return new Settings(
                List.of(operations),
                Sizes.series(8, 64 << 20, 2, 0),
                List.of(DataType.FLOAT32),
                List.of(ReduceOp.SUM),
                0,
                0,
                5,
                WARMUP_TIME,
                Duration.ofMillis(20),
                1,
                1,
                true,
                Average.MEAN,
                true,
                Issue.PLAIN);
    }

    /** The same for other operations. */
    public Settings with(List<Operation> operations) {
        return new Settings(
                operations,
                sizes,
                types,
                reductions,
                root,
                iterations,
                warmup,
                warmupTime,
                blockTime,
                blocks,
                cycles,
                check,
                average,
                registered,
                issue);
    }

    long largest() {
        return sizes.stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
