// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.TestInstance;

/** What the contract classes have in common: an engine, and probes that are run on its ranks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class Contract {

    /**
     * All random data comes from this number; a failure prints it, and {@code -Dcomm4j.seed=…} brings the same data
     * again.
     */
    static final long SEED =
            Long.getLong("comm4j.seed", ThreadLocalRandom.current().nextLong());

    /** No wait of a healthy engine takes this long; a lost message becomes an exception instead of a hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final ContractEngine engine;

    Contract(ContractEngine engine) {
        this.engine = engine;
    }

    /** The wanted number of ranks, or as many as there can be. */
    final int ranks(int wanted) {
        return Math.min(wanted, engine.mostRanks());
    }

    /** What a rank does, with what a test needs around its communicator. */
    interface ProbeBody {
        void run(Probe probe) throws Exception;
    }

    /**
     * Runs {@code body} on every rank, with buffers of at most {@code bytes} bytes, and fails with all that was found.
     */
    final void probe(int ranks, long bytes, ProbeBody body) {
        try {
            engine.run(ranks, comm -> {
                comm.timeout(PATIENCE);
                try (Probe probe = new Probe(engine, comm, bytes)) {
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
