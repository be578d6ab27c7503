// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of processes whose kernels run on GPUs. */
@Tag("gpu")
class GpuDeviceFaultTest extends DeviceFaultContract {
    GpuDeviceFaultTest() {
        super(DeviceProgram.GPU, Gpus.most());
    }

    @Override
    void require() {
        Gpus.require(pes);
    }

    @Override
    String wait(String kernel, String function) {
        return "kernel FaultProgram." + kernel;
    }

    @Test
    void aWaitForAStreamNamesThePeAndTheKernel() {
        int code = program("killed, in a stream", 1);
        assertThat(code).as(text()).isEqualTo(137);
        assertTold(1, 8_000, "kernel FaultProgram.await", "RankFailedException", "PE 1 is gone");
        assertThat(lines(".*survived")).as(text()).hasSize(pes - 1);
    }

    /** In kernels with checks: NVSHMEM itself would write somewhere. */
    @Test
    void aPeThatThereIsNotEndsTheKernel() {
        int code = program("no such PE", pes);
        assertThat(lines("\\[\\d] told.*FaultProgram.toPe.*assert.*"))
                .as(text())
                .hasSize(pes);
        assertThat(text()).contains("there is no such PE", "FaultProgram.java:");
        assertThat(lines(".*survived")).as(text()).hasSize(pes);
        assertThat(code).as(text()).isZero();
    }

    @Test
    void anArrayThatIsNotSymmetricEndsTheKernel() {
        int code = program("elsewhere", 0);
        assertThat(lines("\\[\\d] told.*FaultProgram.toPe.*assert.*"))
                .as(text())
                .hasSize(pes);
        assertThat(text()).contains("not in the symmetric heap", "FaultProgram.java:");
        assertThat(lines(".*survived")).as(text()).hasSize(pes);
        assertThat(code).as(text()).isZero();
    }
}
