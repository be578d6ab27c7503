// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Cuda;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link PersistentKernels} compiled, and on GPUs, a process for each of them. */
class GpuPersistentTest {
    /** The depth of most grids, unless there is much time. */
    static List<Integer> depths() {
        return Nightly.variants(2, List.of(1, 2, 4, 8));
    }

    /** For every architecture, and what a thread works with stays in registers but for a little; nothing is called. */
    @ParameterizedTest
    @MethodSource("depths")
    void kernelsCompile(int depth) {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        for (String architecture :
                Nightly.variants(Integer.numberOfTrailingZeros(depth), List.of("sm_80", "sm_90", "sm_100"))) {
            KernelCode code = KernelCode.compile(
                    KernelMethod.named(PersistentKernels.class, "persist" + depth),
                    CudaArch.parse(architecture),
                    CompileOptions.DEFAULT);
            KernelAttributes attributes = code.attributes();
            assertThat(attributes.localBytes())
                    .as("depth %d for %s", depth, architecture)
                    .isLessThan(128);
            assertThat(code.ptx()).doesNotContain("call");
        }
    }

    /**
     * A wave of tiles for passes of one iteration, few and high ones for deep passes, the least high ones of a small
     * grid.
     */
    @ParameterizedTest
    @CsvSource({"16384, 4096, 1, 32", "16384, 4096, 8, 12", "1024, 256, 8, 12", "3, 1, 1, 32", "1000000, 8, 8, 12"})
    void tilesAreForAllWarps(int nx, int rows, int depth, int atOnce) {
        JacobiProblem problem = new JacobiProblem(nx, 4 * rows + 2);
        PersistentTiles tiles = PersistentTiles.of(problem, rows, depth, 132, atOnce);
        assertThat(tiles.down()).isBetween(1, rows / depth);
        assertThat(tiles.blocks() * tiles.warps()).isLessThanOrEqualTo(132 * atOnce);
        long shares = Math.ceilDiv((long) tiles.across() * tiles.down(), tiles.blocks() * tiles.warps());
        assertThat(shares).isEqualTo(nx == 1_000_000 ? Math.ceilDiv(tiles.across(), 132 * atOnce) : 1);
    }

    private static void needsGpus(int count) {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(Cuda.deviceCount() >= count, "there are fewer than " + count + " GPUs");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
    }

    /** Against the problem's definition: the same grids to the last bit, and the norms. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    @Tag("gpu")
    void sameAsTheDefinition(int pes) {
        needsGpus(pes);
        String output = job(pes, "cases");
        for (int pe = 0; pe < pes; pe++) {
            assertThat(output).contains((pes == 1 ? "" : "[" + pe + "] ") + "all cases passed\n");
        }
        assertThat(output).endsWith("exit code 0\n");
    }

    /** The process of a PE ends in the middle; the others say so within the limit, and end. */
    @Test
    @Tag("gpu")
    void thePeThatDiesIsNamed() {
        needsGpus(2);
        int pes = Math.min(Cuda.deviceCount(), 4);
        String output = job(pes, "death");
        for (int pe = 0; pe < pes - 1; pe++) {
            // In the kernel, or between two of them.
            assertThat(output)
                    .containsAnyOf(
                            "[" + pe + "] noticed: jacobi on rank " + pe + " of " + pes,
                            "on PE " + pe + " of " + pes + " (GPU " + pe + "): PE " + (pes - 1) + " is gone");
        }
    }

    private static String job(int pes, String what) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher launcher = Launcher.ranks(pes)
                .java(PersistentProgram.class.getName(), what)
                .timeout(Duration.ofMinutes(4))
                .output(output, output);
        environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
        environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
        environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        int code = launcher.run();
        return output.toString(StandardCharsets.UTF_8) + "exit code " + code + "\n";
    }

    private static void environment(Launcher launcher, String name, String value) {
        launcher.environment(name, System.getenv().getOrDefault(name, value));
    }
}
