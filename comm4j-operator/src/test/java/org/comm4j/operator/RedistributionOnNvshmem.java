// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Arrays that change their layout, on GPUs that communicate by NVSHMEM, each in a process that has both. */
class RedistributionOnNvshmem extends RedistributionContract {
    @BeforeAll
    static void start() {
        Ranks.onNvshmem();
    }
}
