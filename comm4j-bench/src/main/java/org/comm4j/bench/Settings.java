// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.nccl.CtaPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What to measure, and how.
 *
 * @param operations in this order
 * @param sizes in bytes, of the larger buffer of a rank
 * @param types element types
 * @param reductions for operations that reduce; those that a type does not have are left out
 * @param root of operations that have one, or {@link #ALL_ROOTS}
 * @param iterations in a timed block; 0: as many as {@code blockTime} takes, or {@link #USUAL_ITERATIONS} where that
 *     cannot be
 * @param warmup untimed iterations before, at least
 * @param warmupTime how long untimed iterations go on with all sizes together, and again a tenth of it before each size
 *     is timed: different sizes may take different ways, and the compiler needs time for each
 * @param blockTime of a timed block when {@code iterations} is 0
 * @param blocks timed blocks, of which the fastest counts
 * @param cycles how often everything is measured, one row each time
 * @param checks how many more calls are made of which every element of the result is compared with what it must be
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
        int checks,
        Average average,
        boolean registered,
        Issue issue) {

    /** For {@link #root}: measure with every rank as the root. */
    public static final int ALL_ROOTS = -1;

    /**
     * Of a graph and of calls that are timed one by one: these are made before anybody knows how long they take. The
     * number is nccl-tests'.
     */
    public static final int USUAL_ITERATIONS = 20;

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

    /**
     * Whether and how buffers are made known to the communicator; the order is that of nccl-tests' option {@code -R}.
     */
    public enum Registration {
        NONE,
        /** Known to this rank's communicator. */
        LOCAL,
        /** A symmetric window of all ranks. */
        SYMMETRIC
    }

    /** Whether and how calls are waited for; the order is that of nccl-tests' option {@code -z}. */
    public enum Waiting {
        /** Once for all. */
        NONE,
        /** For each one, then for all ranks. */
        EACH_AND_ALL,
        /** For each one. */
        EACH,
        /** For each one, then for all ranks, which is not timed. */
        EACH_AND_ALL_UNTIMED
    }

    /**
     * What is rarely asked for when GPUs are measured.
     *
     * @param timeout how long a block of calls may take before the communicators are aborted; zero: no limit
     * @param perIteration whether iterations are timed one by one, too, by events in the streams
     * @param skipped iterations that statistics of these times leave out
     * @param unaligned elements by which buffers are moved away from where memory begins
     * @param defaultStream whether calls go to the default stream instead of streams of their own
     * @param ctaPolicy how NCCL trades speed for multiprocessors; null: as it likes
     * @param memory whether the memory that all this takes on a GPU is told
     * @param timestamps whether rows tell when they were measured
     */
    public record Details(
            Duration timeout,
            boolean perIteration,
            int skipped,
            int unaligned,
            boolean defaultStream,
            @Nullable CtaPolicy ctaPolicy,
            boolean memory,
            boolean timestamps) {
        public static final Details NONE = new Details(Duration.ZERO, false, 0, 0, false, null, false, false);

        public Details {
            if (timeout.isNegative() || skipped < 0 || unaligned < 0) {
                throw new IllegalArgumentException("timeout " + timeout + ", " + skipped + " iterations left out, "
                        + unaligned + " elements unaligned: numbers below zero make no sense");
            }
            if (skipped > 0 && !perIteration) {
                throw new IllegalArgumentException("iterations can be left out only where each one is timed");
            }
        }
    }

    /**
     * How GPUs are driven.
     *
     * @param threads of a process that make calls
     * @param gpus that each thread makes calls for, in a group
     * @param registration of the buffers
     * @param waiting whether and how each call is waited for before the next one
     * @param graphLaunches how often a captured graph of all iterations is launched, 0: no graph
     * @param aggregated calls in one group
     * @param cpuTime whether times, but not bandwidths, are those until all calls were issued
     * @param details what is usually left as it is
     */
    public record Issue(
            int threads,
            int gpus,
            Registration registration,
            Waiting waiting,
            int graphLaunches,
            int aggregated,
            boolean cpuTime,
            Details details) {

        /** One thread for one GPU, call by call. */
        public static final Issue PLAIN = new Issue(1, 1, Registration.NONE, Waiting.NONE, 0, 1, false, Details.NONE);

        public Issue {
            if (threads < 1 || gpus < 1 || graphLaunches < 0 || aggregated < 1) {
                throw new IllegalArgumentException(threads + " threads of " + gpus + " GPUs, " + aggregated
                        + " calls a group, " + graphLaunches + " graph launches: numbers below one make no sense");
            }
            if (graphLaunches > 0 && (waiting != Waiting.NONE || details.perIteration)) {
                throw new IllegalArgumentException("calls of a graph cannot be waited for, nor be timed, one by one");
            }
            if (graphLaunches > 0 && details.defaultStream) {
                throw new IllegalArgumentException("the default stream cannot record a graph");
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
        if (iterations == 0 && (issue.graphLaunches > 0 || issue.details.perIteration)) {
            iterations = USUAL_ITERATIONS;
        }
        if (issue.details.perIteration && iterations <= issue.details.skipped) {
            throw new IllegalArgumentException("-K leaves out " + issue.details.skipped + " of " + iterations
                    + " iterations: fewer, or more with -n");
        }
        if (checks < 0
                || iterations < 0
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
                1,
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
                checks,
                average,
                registered,
                issue);
    }

    long largest() {
        return sizes.stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
