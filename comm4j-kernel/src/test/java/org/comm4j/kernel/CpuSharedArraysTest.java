// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On the executor of the CPU. */
@Timeout(60)
class CpuSharedArraysTest extends SharedArraysContract {
    static Stream<Machine> machines() {
        return Stream.of(CpuOptions.fast(), CpuOptions.fast().shuffled(5), CpuOptions.debug(), CpuOptions.checked(9))
                .map(Machine::cpu);
    }

    private static void launch(Machine machine, String kernel, int threads, Object... arguments) {
        machine.launch(
                machine.kernel(CpuSharedArraysTest.class, kernel),
                LaunchConfig.grid(1).block(threads),
                arguments);
    }

    @Kernel
    static void tooFar(int n, I32Ptr out) {
        Odd[] odds = Shared.of(Odd.class, 10);
        odds[ThreadIdx.x() + n] = new Odd(1, 2, 3);
        out.set(ThreadIdx.x(), 1);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void recordsOutsideOfAnArrayAreNamed(Machine machine) {
        HostArray out = HostArray.allocate(DataType.INT32, 8);
        launch(machine, "tooFar", 8, 2, out);
        assertThatThrownBy(() -> launch(machine, "tooFar", 8, 5, out))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("IndexOutOfBoundsException")
                .message()
                .containsPattern("thread \\([567], 0, 0\\) of block \\(0, 0, 0\\), at \\S*tooFar\\(");
    }

    @Kernel
    static void meet(I32Ptr out) {
        Nested[] all = Shared.of(Nested.class, 10);
        all[ThreadIdx.x() / 2] = nested(ThreadIdx.x());
        Block.sync();
        out.set(ThreadIdx.x(), all[ThreadIdx.x() / 2].first());
    }

    @Kernel
    static void unwritten(I32Ptr out) {
        Two[] all = Shared.of(Two.class, 10);
        if (ThreadIdx.x() != 3) {
            all[ThreadIdx.x()] = two(1);
        }
        Block.sync();
        out.set(ThreadIdx.x(), all[ThreadIdx.x()].b());
    }

    @Test
    void theCheckedModeNamesRecords() {
        Machine machine = Machine.cpu(CpuOptions.checked(1));
        HostArray out = HostArray.allocate(DataType.INT32, 8);
        assertThatThrownBy(() -> launch(machine, "meet", 2, out))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("race on element 0 of the shared array");
        assertThatThrownBy(() -> launch(machine, "unwritten", 8, out))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("element 3 of the shared array is read before it was written");
    }

    /** As much as arrays and the launch want together. */
    @ParameterizedTest
    @MethodSource("machines")
    void moreThanABlockHasIsRefused(Machine machine) {
        HostArray sums = HostArray.allocate(DataType.INT64, 4);
        assertThatThrownBy(() -> machine.launch(
                        machine.kernel(SharedArraysContract.class, "large"),
                        LaunchConfig.grid(1).block(32).shared(150_000),
                        0,
                        sums))
                .message()
                .containsAnyOf(
                        "its shared arrays take 99904 bytes of a block, so that it needs 249904, and a GPU has 232448",
                        // The kernel's own class does not know what comes.
                        "a block has 98304 bytes of shared arrays and 150000 of dynamic shared memory; a GPU has"
                                + " 232448 for a block at most");
    }
}
