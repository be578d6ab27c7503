// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Test;

/** The cases with kernels on the CPU, and PEs that are processes, as {@code comm4j run} starts them. */
class CpuProcessesTest extends DeviceContract {
    private final Map<Integer, String> jobs = new ConcurrentHashMap<>();

    @Override
    List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(3, 4) : Sizes.of(2);
    }

    @Override
    List<DeviceCase> some() {
        return DeviceProgram.SOME;
    }

    private String job(int pes) {
        // So many JVMs would spend most of the time compiling.
        return jobs.computeIfAbsent(pes, size -> DeviceProgram.run(size, DeviceProgram.CPU, "-XX:TieredStopAtLevel=1"));
    }

    @Override
    void run(int pes, DeviceCase deviceCase) {
        DeviceProgram.judge(job(pes), pes, deviceCase);
    }

    @Test
    void theJobEndsInOrder() {
        for (int pes : sizes()) {
            assertThat(job(pes)).endsWith("exit code 0\n");
        }
    }
}
