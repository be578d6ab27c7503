// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GridReduce;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On the executor of the CPU, where wrong calls are noticed; {@code debug} runs what a GPU does. */
@Timeout(120)
class CpuGridReduceTest extends GridReduceContract {
    static Stream<Machine> machines() {
        return Stream.of(
                        CpuOptions.fast(),
                        CpuOptions.fast().processors(1),
                        CpuOptions.fast().shuffled(5),
                        CpuOptions.debug(),
                        CpuOptions.checked(9))
                .map(Machine::cpu);
    }

    /** Some threads do not come. */
    @Kernel
    static void divergent(F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        if (ThreadIdx.x() < 5) {
            GridReduce.sum(result, workspace, counter, 1.0);
        }
    }

    /** Threads come to different calls. */
    @Kernel
    static void mixed(F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        if (ThreadIdx.x() < 5) {
            GridReduce.min(result, workspace, counter, 1.0);
        } else {
            GridReduce.max(result, workspace, counter, 1.0);
        }
    }

    @Kernel
    static void counts(F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        GridReduce.sum(result, workspace, counter, 1.0, 2.0);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void allThreadsCome(Machine machine) {
        LaunchConfig config = LaunchConfig.grid(2).block(64);
        HostArray memory = HostArray.allocate(DataType.FLOAT64, 2);
        HostArray counter = HostArray.allocate(DataType.INT32, 1);
        CompiledKernel kernel = machine.kernel(CpuGridReduceTest.class, "divergent");
        assertThatThrownBy(() -> machine.launch(kernel, config, memory, memory, counter))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("CpuGridReduceTest.java");
    }

    @Test
    void allThreadsComeToTheSameCall() {
        Machine machine = Machine.cpu(CpuOptions.fast());
        LaunchConfig config = LaunchConfig.grid(2).block(64);
        HostArray memory = HostArray.allocate(DataType.FLOAT64, 2);
        HostArray counter = HostArray.allocate(DataType.INT32, 1);
        CompiledKernel kernel = machine.kernel(CpuGridReduceTest.class, "mixed");
        assertThatThrownBy(() -> machine.launch(kernel, config, memory, memory, counter))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("GridReduce.max() meets GridReduce.min()");
    }

    @ParameterizedTest
    @MethodSource("machines")
    void aShortWorkspaceIsNoticed(Machine machine) {
        LaunchConfig config = LaunchConfig.grid(3).block(40);
        HostArray workspace = HostArray.allocate(DataType.FLOAT64, GridReduce.workspace(config, 2) - 1);
        HostArray counter = HostArray.allocate(DataType.INT32, 1);
        HostArray result = HostArray.allocate(DataType.FLOAT64, 2);
        CompiledKernel kernel = machine.kernel(CpuGridReduceTest.class, "counts");
        assertThatThrownBy(() -> machine.launch(kernel, config, result, workspace, counter))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("element 5 of 8 bytes is outside of an array of 40 bytes")
                .hasMessageContaining("CpuGridReduceTest.java");
    }

    @Test
    void workspacesAreForOneToFourValues() {
        LaunchConfig config = LaunchConfig.grid(3, 4, 5).block(7);
        assertThat(GridReduce.workspace(config, 1)).isEqualTo(60);
        assertThat(GridReduce.workspace(config, 4)).isEqualTo(240);
        assertThatThrownBy(() -> GridReduce.workspace(config, 0)).hasMessageContaining("1 to 4 values");
        assertThatThrownBy(() -> GridReduce.workspace(config, 5)).hasMessageContaining("1 to 4 values");
        LaunchConfig large = LaunchConfig.grid(Integer.MAX_VALUE, 2).block(1);
        assertThatThrownBy(() -> GridReduce.workspace(large, 1)).hasMessageContaining("2^31 - 1 blocks");
    }
}
