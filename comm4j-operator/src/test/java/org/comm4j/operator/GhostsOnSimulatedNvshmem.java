// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Ghost rows on ranks with simulated GPUs that communicate by a simulated NVSHMEM, each in a process that has both. */
class GhostsOnSimulatedNvshmem extends GhostsContract {
    @BeforeAll
    static void simulate() {
        Ranks.onSimulatedNvshmem();
    }
}
