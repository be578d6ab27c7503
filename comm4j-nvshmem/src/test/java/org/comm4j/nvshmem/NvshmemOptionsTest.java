// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NvshmemOptionsTest {
    @Test
    void eachIsAVariable() {
        NvshmemOptions options = NvshmemOptions.DEFAULT
                .symmetricSize(3L << 30)
                .growing(false)
                .granularity(2 << 20)
                .maxMemory(1L << 40)
                .maxTeams(40)
                .multicast(false)
                .nccl(true)
                .remoteTransport("none")
                .variable("NVSHMEM_DEBUG", "WARN");
        assertThat(options.variables())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "NVSHMEM_SYMMETRIC_SIZE", "3221225472",
                        "NVSHMEM_DISABLE_CUDA_VMM", "1",
                        "NVSHMEM_CUMEM_GRANULARITY", "2097152",
                        "NVSHMEM_MAX_MEMORY_PER_GPU", "1099511627776",
                        "NVSHMEM_MAX_TEAMS", "40",
                        "NVSHMEM_DISABLE_NVLS", "1",
                        "NVSHMEM_DISABLE_NCCL", "0",
                        "NVSHMEM_REMOTE_TRANSPORT", "none",
                        "NVSHMEM_DEBUG", "WARN"));
        assertThat(NvshmemOptions.DEFAULT.variables()).isEmpty();
    }

    @Test
    void theLastWordCounts() {
        NvshmemOptions first = NvshmemOptions.DEFAULT.maxTeams(1);
        assertThat(first.maxTeams(2))
                .isEqualTo(NvshmemOptions.DEFAULT.maxTeams(2))
                .isNotEqualTo(first);
        assertThat(first.maxTeams(2)).hasSameHashCodeAs(NvshmemOptions.DEFAULT.maxTeams(2));
        assertThat(first).hasToString("NvshmemOptions{NVSHMEM_MAX_TEAMS=1}");
    }

    @Test
    void whatMakesNoSense() {
        NvshmemOptions options = NvshmemOptions.DEFAULT;
        assertThatThrownBy(() -> options.symmetricSize(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("symmetricSize 0");
        assertThatThrownBy(() -> options.maxMemory(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.maxTeams(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.granularity(3 << 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.granularity(1 << 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.variable("PATH", "/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'PATH'");
    }
}
