// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.ffi.cuda.CUlaunchConfig;
import org.junit.jupiter.api.Test;

class LaunchConfigTest {

    @Test
    void partsAreSetOneByOne() {
        LaunchConfig config = LaunchConfig.grid(6, 4, 2)
                .block(8, 4, 2)
                .shared(100)
                .cooperatively()
                .cluster(3, 2, 1);
        assertThat(config).isEqualTo(new LaunchConfig(6, 4, 2, 8, 4, 2, 100, true, false, 3, 2, 1));
        assertThat(config.threadsPerBlock()).isEqualTo(64);
        assertThat(config.blocks()).isEqualTo(48);
        assertThat(config.clusterBlocks()).isEqualTo(6);
        assertThat(config)
                .hasToString("grid 6 x 4 x 2, block 8 x 4 x 2, 100 bytes shared, cooperative, cluster 3 x 2 x 1");
    }

    /** GPUs before Hopper run the same kernels, one behind the other. */
    @Test
    void onlyDevicesThatCanStartEarlyAreAskedTo() {
        LaunchConfig config = LaunchConfig.grid(2).block(32).dependently();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment early = PreparedLaunch.layOut(arena, config, true);
            MemorySegment late = PreparedLaunch.layOut(arena, config, false);
            assertThat(early.get(ValueLayout.JAVA_INT, CUlaunchConfig.numAttrs)).isEqualTo(1);
            assertThat(late.get(ValueLayout.JAVA_INT, CUlaunchConfig.numAttrs)).isZero();
        }
    }

    @Test
    void thereIsAThreadForEachElement() {
        assertThat(LaunchConfig.forElements(0).gridX()).isEqualTo(1);
        assertThat(LaunchConfig.forElements(256).gridX()).isEqualTo(1);
        assertThat(LaunchConfig.forElements(257).gridX()).isEqualTo(2);
        long most = 256L * Integer.MAX_VALUE;
        assertThat(LaunchConfig.forElements(most).gridX()).isEqualTo(Integer.MAX_VALUE);
        refused(() -> LaunchConfig.forElements(most + 1), "let threads loop");
        refused(() -> LaunchConfig.forElements(-1), "-1 elements");
        refused(() -> LaunchConfig.forElements(Long.MAX_VALUE), "let threads loop");
    }

    @Test
    void whatNoDeviceCanDoIsRefused() {
        refused(() -> LaunchConfig.grid(0), "a grid of 0 x 1 x 1 is not between 1 and");
        refused(() -> LaunchConfig.grid(1, 65536), "65535");
        refused(() -> LaunchConfig.grid(-1), "grid");
        refused(() -> LaunchConfig.grid(1).block(1025), "block");
        refused(() -> LaunchConfig.grid(1).block(1, 1, 65), "64");
        refused(() -> LaunchConfig.grid(1).block(32, 33), "more than 1024");
        refused(() -> LaunchConfig.grid(1).shared(-1), "-1 bytes");
        refused(() -> LaunchConfig.grid(32).cluster(17), "cluster");
        refused(() -> LaunchConfig.grid(32, 32).cluster(8, 4, 1), "more than 16");
        refused(() -> LaunchConfig.grid(9).cluster(2), "cannot be divided into clusters of 2 x 1 x 1");
    }

    private static void refused(ThrowingCallable call, String words) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(words);
    }

    @Test
    void computeCapabilitiesHaveNames() {
        ComputeCapability blackwell = new ComputeCapability(10, 3);
        assertThat(blackwell).hasToString("10.3");
        assertThat(blackwell.sm()).isEqualTo("sm_103");
        assertThat(blackwell.compute()).isEqualTo("compute_103");
        assertThat(blackwell).isGreaterThan(new ComputeCapability(9, 0));
        refused(() -> new ComputeCapability(0, 1), "0.1");
    }
}
