// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** What the contract classes have in common: how ranks are started, and what an engine may say about itself. */
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

    /**
     * Whether reductions combine the ranks' values in rank order, each result rounded to the type that accumulates. An
     * engine that associates differently returns false and is then tested with sums and products that are exact in any order.
     */
    protected boolean reducesInRankOrder() {
        return true;
    }

    /** A size in bytes beyond the engine's staging buffers, used with every type and reduction. */
    protected long beyondStaging() {
        return 256 << 10;
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
                try (Probe probe = new Probe(comm, bytes)) {
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
