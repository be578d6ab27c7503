// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;

/** What the contract classes have in common: how ranks are started, and what an engine may say about itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class Contract {

    /** All random data comes from this number; a failure prints it, and {@code -Dcomm4j.seed=…} brings the same data again. */
    static final long SEED =
            Long.getLong("comm4j.seed", ThreadLocalRandom.current().nextLong());

    /** No wait of a healthy engine takes this long; a lost message becomes an exception instead of a hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Runs {@code body} once on each of {@code ranks} ranks at the same time, each with its own communicator of all of
     * them. Returns when all have ended, and throws what a rank threw (the first one to fail, where several did).
     */
    protected abstract void run(int ranks, RankBody body) throws Exception;

    /** The most ranks that there can be, at least 1; tests with more are left out. */
    protected int mostRanks() {
        return 8;
    }

    /**
     * Zeroed memory that {@link Communicator#allocate} did not give, of the kind that a program brings itself. It ends with
     * {@code arena}, or is {@link AutoCloseable} and then closed by the suite.
     */
    protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
        return HostArray.allocate(arena, type, count);
    }

    /**
     * Whether the engine has this operation for elements of this type. What it does not have must be an
     * {@link UnsupportedOperationException}, with nothing sent.
     *
     * @param op null for operations that only move data
     */
    protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
        return true;
    }

    /**
     * Whether reductions combine the ranks' values in rank order, each result rounded to the type that accumulates. An
     * engine that associates, rounds or divides differently returns false and is then tested with numbers whose sums and products
     * are exact in any order, and whose means may differ in their last bits.
     */
    protected boolean reducesInRankOrder() {
        return true;
    }

    /** A size in bytes beyond the engine's staging buffers, used with every type and reduction. */
    protected long beyondStaging() {
        return 256 << 10;
    }

    /** Sizes in bytes of a rank's larger buffer at which an engine may change its way; tried one element below, at and above. */
    protected long[] turningPoints() {
        long[] sizes = new long[13];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 16L << i;
        }
        return sizes;
    }

    /** How often to repeat what is usually done {@code usual} times; fewer where a step of the engine takes long. */
    protected int times(int usual) {
        return usual;
    }

    /** The wanted number of ranks, or as many as there can be. */
    final int ranks(int wanted) {
        return Math.min(wanted, mostRanks());
    }

    /** What a rank does, with what a test needs around its communicator. */
    interface ProbeBody {
        void run(Probe probe) throws Exception;
    }

    /** Runs {@code body} on every rank, with buffers of at most {@code bytes} bytes, and fails with all that was found. */
    final void probe(int ranks, long bytes, ProbeBody body) {
        try {
            run(ranks, comm -> {
                comm.timeout(PATIENCE);
                try (Probe probe = new Probe(this, comm, bytes)) {
                    try {
                        body.run(probe);
                    } catch (Throwable e) {
                        throw new AssertionError(probe.where() + ": " + e, e);
                    }
                    probe.finish();
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(e.getMessage() + "\n(the same data again: -Dcomm4j.seed=" + SEED + ")", e);
        }
    }

    /** {@link #probe(int, long, ProbeBody)} with small buffers. */
    final void probe(int ranks, ProbeBody body) {
        probe(ranks, 64 << 10, body);
    }

    /** Random numbers that are the same on every rank. */
    static SplittableRandom random(String purpose) {
        return new SplittableRandom(SEED ^ purpose.hashCode() * 0x9E3779B97F4A7C15L);
    }
}
