// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Cuda;
import org.comm4j.kernel.KernelCode;
import org.comm4j.nvshmem.Nvshmem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernels on GPUs: on one PE in this JVM, whose threads are one PE of NVSHMEM, and on several processes. */
@Tag("gpu")
class GpuPrkTest extends OnGpusContract {
    GpuPrkTest() {
        super(true, 1);
    }

    @BeforeEach
    void needsAGpu() {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
    }

    /** A GPU for each, or with {@code -Dcomm4j.gpu.pes} so many that share GPUs by CUDA's Multi-Process Service. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    @Timeout(240)
    void processesToo(int pes) throws Exception {
        int places = Integer.getInteger("comm4j.gpu.pes", Cuda.deviceCount());
        assumeTrue(places >= pes, pes + " GPUs are needed, there are " + places);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(pes)
                .java(Pe.class.getName())
                .timeout(Duration.ofSeconds(200))
                .output(output, output)
                .run();
        assertThat(code).as(output.toString(StandardCharsets.UTF_8)).isZero();
    }

    static final class Pe {
        private Pe() {}

        public static void main(String[] args) {
            try (World world = World.join()) {
                everything(world, true);
            }
        }
    }
}
