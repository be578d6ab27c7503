// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.operator.Ranks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Pipelined conjugate gradients on GPUs, whose reductions have a stream of their own. */
@Tag("gpu")
class GpuPipelinedTest extends PipelinedTest {
    @BeforeAll
    static void onGpus() {
        Ranks.onGpus(true);
    }

    @AfterAll
    static void onProcessors() {
        Ranks.onGpus(false);
    }
}
