// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Operators on ranks with simulated GPUs that communicate by a simulated NVSHMEM, each in a process that has both. */
class OnSimulatedNvshmem extends ContractTest {
    @BeforeAll
    static void simulate() {
        Ranks.onSimulatedNvshmem();
    }
}
