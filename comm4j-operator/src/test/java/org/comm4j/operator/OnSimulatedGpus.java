// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Operators on ranks with simulated GPUs, in a process that has loaded the simulation. */
class OnSimulatedGpus extends ContractTest {
    @BeforeAll
    static void simulate() {
        Ranks.onSimulatedGpus();
    }
}
