// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The real thing, for tests that need it. */
final class Gpu {
    private Gpu() {}

    /** Skips the test on a machine with fewer devices. */
    static void require(int devices) {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        assumeTrue(Cuda.deviceCount() >= devices, () -> "needs " + devices + " GPUs, there are " + Cuda.deviceCount());
    }
}
