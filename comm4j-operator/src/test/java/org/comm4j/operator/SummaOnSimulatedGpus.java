// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Products of matrices in blocks on ranks with simulated GPUs, in a process that has loaded the simulation. */
class SummaOnSimulatedGpus extends SummaTest {
    @BeforeAll
    static void simulate() {
        Ranks.onSimulatedGpus();
    }
}
