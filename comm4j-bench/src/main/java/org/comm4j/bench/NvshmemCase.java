// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.nvshmem.NvshmemOptions;
import org.jspecify.annotations.Nullable;

/** A perftest of NVSHMEM in one of its variants. Bandwidths are those of its programs: what moves is a PE's part, and is never in place. */
public sealed interface NvshmemCase extends Measured permits PerftestCase, DeviceCase {
    /** What is free of a heap beside the tests' arrays: for the library's own needs, and for what is lost between pieces. */
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

    /** Options of a heap of so many bytes at least. */
    static NvshmemOptions heap(long bytes) {
        // A heap of fixed size is of 1 GiB unless somebody says more.
        return bytes > 1 << 30 ? NvshmemOptions.DEFAULT.symmetricSize(bytes) : NvshmemOptions.DEFAULT;
    }
}
