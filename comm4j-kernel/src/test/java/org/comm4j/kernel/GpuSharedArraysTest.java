// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a GPU. */
@Tag("gpu")
@Timeout(60)
class GpuSharedArraysTest extends SharedArraysContract {
    private static final int LARGE = (64 << 10) + (32 << 10) + 1600;

    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    static Stream<Machine> machines() {
        return Stream.of(
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT),
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT).withChecks())
                .map(Machine::gpu);
    }

    /** Of a kernel that each launch gives memory for its arrays. */
    @Test
    void whatArraysTakeCounts() {
        Machine.Gpu machine = Machine.gpu(CompileOptions.DEFAULT);
        GpuKernel kernel = machine.kernel(SharedArraysContract.class, "large");
        assertThat(kernel.attributes().sharedBytes()).isEqualTo(LARGE);
        assertThat(kernel.code().attributes().sharedBytes()).isEqualTo(LARGE);
        int multiprocessors = machine.open().properties().multiprocessors();
        assertThat(kernel.residentBlocks(256, 0)).isBetween(multiprocessors, 2 * multiprocessors);
        assertThat(kernel.residentBlocks(256, 60_000)).isEqualTo(multiprocessors);
        assertThat(kernel.suggestedBlock()).isPositive();
        int most = machine.open().properties().maxSharedBytesPerBlock();
        HostArray sums = HostArray.allocate(DataType.INT64, 4);
        assertThatThrownBy(() ->
                        machine.launch(kernel, LaunchConfig.grid(1).block(32).shared(most - LARGE + 1), 0, sums))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "its shared arrays take " + LARGE + " bytes of a block, so that it needs " + (most + 1L))
                .hasMessageContaining(" has " + most);
    }

    @Test
    void preparedLaunchesHaveTheirArrays() {
        Machine.Gpu machine = Machine.gpu(CompileOptions.DEFAULT);
        GpuKernel kernel = machine.kernel(SharedArraysContract.class, "large");
        try (DeviceArray sums = machine.open().allocate(DataType.INT64, 4);
                org.comm4j.cuda.Stream stream = machine.open().newStream()) {
            PreparedLaunch launch =
                    kernel.prepare(LaunchConfig.grid(1).block(128).shared(4000), 1000, sums);
            launch.launch(stream);
            launch.launch(stream);
            stream.synchronize();
            assertThat(sums.toHost().getLong(3)).isEqualTo(5 * 999L * 1000 / 2);
        }
    }
}
