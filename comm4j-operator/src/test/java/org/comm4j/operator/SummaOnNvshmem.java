// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Products of matrices in blocks, on GPUs that communicate by NVSHMEM, each in a process that has both. */
class SummaOnNvshmem extends SummaTest {
    @BeforeAll
    static void start() {
        Ranks.onNvshmem();
    }
}
