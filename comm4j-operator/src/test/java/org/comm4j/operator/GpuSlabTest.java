// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Transforms slab by slab on GPUs. */
@Tag("gpu")
class GpuSlabTest extends SlabTest {
    @BeforeAll
    static void onGpus() {
        Ranks.onGpus(true);
    }

    @AfterAll
    static void onProcessors() {
        Ranks.onGpus(false);
    }
}
