// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.time.Duration;
import java.util.List;
import org.comm4j.nvshmem.NvshmemOptions;
import org.jspecify.annotations.Nullable;

/**
 * A perftest of NVSHMEM in one of its variants. Bandwidths are those of its programs: what moves is a PE's part, and is
 * never in place.
 */
public sealed interface NvshmemCase extends Measured permits PerftestCase, DeviceCase {
    /**
     * What is free of a heap beside the tests' arrays: for the library's own needs, and for what is lost between
     * pieces.
     */
    long SPARE = 64 << 20;

    /** What a communicator calls it, for data and bandwidths; null if it is no such collective. */
    @Nullable
    Operation operation();

    @Override
    default boolean hasInPlaceForm() {
        return false;
    }

    @Override
    default double algorithmPart(int ranks) {
        return 1;
    }

    @Override
    default double busFactor(int ranks) {
        Operation operation = operation();
        return operation == null ? 1 : operation.busFactor(ranks);
    }

    /**
     * Whether there is something to measure.
     *
     * @param warmup calls at least that are not timed
     * @param min smallest size in bytes
     * @throws IllegalArgumentException if not; the message says why
     */
    static void check(
            List<? extends NvshmemCase> cases,
            int iterations,
            int warmup,
            Duration warmupTime,
            long min,
            long max,
            int factor) {
        if (cases.isEmpty()) {
            throw new IllegalArgumentException("a benchmark needs a test at least");
        }
        if (iterations < 1) {
            throw new IllegalArgumentException(iterations + " iterations: at least 1 is needed");
        }
        if (warmup < 0 || warmupTime.isNegative()) {
            throw new IllegalArgumentException(
                    warmup + " calls for warming up, and " + warmupTime + ": neither may be below 0");
        }
        if (min < 1 || factor < 2) {
            throw new IllegalArgumentException("sizes from " + min + " bytes by factor " + factor
                    + " do not grow; give a factor of at least 2 and a smallest size above 0");
        }
        if (max < min) {
            throw new IllegalArgumentException("sizes from " + min + " to " + max + " bytes: there is none");
        }
    }

    /** Options of a heap of so many bytes at least. */
    static NvshmemOptions heap(long bytes) {
        // A heap of fixed size is of 1 GiB unless somebody says more.
        return bytes > 1 << 30 ? NvshmemOptions.DEFAULT.symmetricSize(bytes) : NvshmemOptions.DEFAULT;
    }
}
