// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;

/** The real thing, for tests that need it. */
final class Gpu {
    /** Contexts stay alive between tests, because making one takes long. */
    private static final List<Device> OPEN = new ArrayList<>();

    private Gpu() {}

    /** Skips the test on a machine with fewer devices. */
    static void require(int devices) {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        assumeTrue(Cuda.deviceCount() >= devices, () -> "needs " + devices + " GPUs, there are " + Cuda.deviceCount());
        synchronized (OPEN) {
            while (OPEN.size() < devices) {
                OPEN.add(Device.of(OPEN.size()));
            }
        }
    }
}
