// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ModulesTest {
    /**
     * Words for kernels' collectives cost memory for each PE of a job on each PE, and large jobs go over a network
     * anyhow.
     */
    @Test
    void wordsForCollectivesAreOfJobsWithinReach() {
        assertThat(Modules.pairBytes(8)).isEqualTo(512L * 8 * 1056);
        assertThat(Modules.pairBytes(72)).isEqualTo(512L * 72 * 1056);
        assertThat(Modules.tooMany(72)).isNull();
        assertThat(Modules.pairBytes(73)).isZero();
        assertThat(Modules.tooMany(73)).contains("73 PEs").contains("72 at most");
    }
}
