// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cases on GPUs: a process for each of them. */
@Tag("gpu")
class GpuCasesTest extends DeviceContract {
    private final Map<Integer, String> jobs = new ConcurrentHashMap<>();

    @Override
    List<Integer> sizes() {
        return Gpus.most() == 4 ? List.of(2, 4) : List.of(2);
    }

    private String job(int pes) {
        return jobs.computeIfAbsent(pes, size -> DeviceProgram.run(size, DeviceProgram.GPU));
    }

    @Override
    void run(int pes, DeviceCase deviceCase) {
        DeviceProgram.judge(job(pes), pes, deviceCase);
    }

    @Override
    void require(int pes) {
        Gpus.require(pes);
    }

    @Test
    void theJobEndsInOrder() {
        for (int pes : sizes()) {
            require(pes);
            assertThat(job(pes)).endsWith("exit code 0\n");
        }
    }
}
