// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.cuda.Cuda;
import org.comm4j.kernel.KernelCode;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclVersion;
import org.comm4j.nvshmem.Nvshmem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link MoeLayerCase} and {@link MoeGpuCases} on GPUs: a process for each PE. With {@code -Dcomm4j.gpu.pes} so many
 * PEs share the GPUs by CUDA's Multi-Process Service.
 */
@Tag("gpu")
class GpuExpertsTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());
    private static final int LAYERS = 24;
    /** The first NCCL whose ranks may share a GPU. */
    private static final NcclVersion SHARING = new NcclVersion(2, 32, 0);

    /** Rows go by NCCL, or by NVSHMEM as if PEs did not reach each other. */
    @ParameterizedTest
    @CsvSource({"2, gpu-nccl", "4, gpu-nccl", "2, gpu-network", "4, gpu-network"})
    void rowsGoFar(int pes, String kind) {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        int places = Integer.getInteger("comm4j.gpu.pes", Cuda.deviceCount());
        assumeTrue(places >= pes, "there are fewer than " + pes + " GPUs");
        boolean shared = pes > Cuda.deviceCount();
        assumeTrue(
                kind.equals(MoeProgram.NETWORK) || !shared || Nccl.version().compareTo(SHARING) >= 0,
                "this NCCL has no ranks that share a GPU");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        String output = MoeProgram.job(pes, kind, LAYERS / 2, SEED);
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < LAYERS / 2; i++) {
                assertThat(output.lines()).contains("[" + pe + "] passed layer " + i);
            }
            assertThat(output.lines()).contains("[" + pe + "] passed by rank");
        }
        assertThat(output).endsWith("exit code 0\n");
    }

    /** On GPUs of their own: whose process is killed takes the others along where they share one. */
    @ParameterizedTest
    @CsvSource({"dispatch, dispatch", "between, combine", "combine, combine"})
    void aPeThatIsKilledIsNamedAndExcluded(String where, String operation) {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(Cuda.deviceCount() >= 3, "there are fewer than 3 GPUs");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        DeathTest.isNamed(MoeProgram.GPU, where, operation, 1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void allCasesPass(int pes) {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        int places = Integer.getInteger("comm4j.gpu.pes", Cuda.deviceCount());
        assumeTrue(places >= pes, "there are fewer than " + pes + " GPUs");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        String output = MoeProgram.job(pes, MoeProgram.GPU, LAYERS, SEED);
        for (int pe = 0; pe < pes; pe++) {
            // The launcher marks the lines of several.
            String from = pes == 1 ? "" : "[" + pe + "] ";
            for (int i = 0; i < LAYERS; i++) {
                assertThat(output.lines()).contains(from + "passed layer " + i);
            }
            for (String name : MoeGpuCases.NAMES) {
                assertThat(output.lines()).contains(from + "passed " + name);
            }
        }
        assertThat(output).endsWith("exit code 0\n");
    }
}
