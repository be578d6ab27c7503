// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a kernel of 50 lines takes to compile, and where the time goes. */
@Tag("nightly")
class CompileTimeTest {
    private static final int TILE = 16;
    private static final int ROUNDS = 15;
    /** What is Java has to be compiled itself first. */
    private static final int WARM = 150;

    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        ToolchainTest.require();
    }

    /** A tiled matrix product with a stencil's smoothing behind it, so that there are 50 lines. */
    @Kernel
    static void product(F32Ptr c, F32Ptr a, F32Ptr b, int n, float alpha, float beta) {
        float[] left = Shared.f32(TILE * TILE);
        float[] right = Shared.f32(TILE * TILE);
        int tx = ThreadIdx.x() % TILE;
        int ty = ThreadIdx.x() / TILE;
        int row = BlockIdx.y() * TILE + ty;
        int column = BlockIdx.x() * TILE + tx;
        float sum = 0;
        for (int tile = 0; tile < n; tile += TILE) {
            int from = tile + tx;
            if (row < n && from < n) {
                left[ty * TILE + tx] = a.get((long) row * n + from);
            } else {
                left[ty * TILE + tx] = 0;
            }
            int down = tile + ty;
            if (column < n && down < n) {
                right[ty * TILE + tx] = b.get((long) down * n + column);
            } else {
                right[ty * TILE + tx] = 0;
            }
            Block.sync();
            for (int k = 0; k < TILE; k++) {
                sum += left[ty * TILE + k] * right[k * TILE + tx];
            }
            Block.sync();
        }
        left[ty * TILE + tx] = sum;
        Block.sync();
        float smooth = sum;
        if (tx > 0 && tx < TILE - 1) {
            smooth = 0.25f * left[ty * TILE + tx - 1] + 0.5f * sum + 0.25f * left[ty * TILE + tx + 1];
        }
        if (ty > 0 && ty < TILE - 1) {
            float above = left[(ty - 1) * TILE + tx];
            float below = left[(ty + 1) * TILE + tx];
            smooth = 0.5f * smooth + 0.25f * (above + below);
        }
        if (row < n && column < n) {
            long at = (long) row * n + column;
            float old = beta == 0 ? 0 : beta * c.get(at);
            float made = alpha * smooth + old;
            if (Float.isNaN(made)) {
                made = 0;
            }
            int all = BlockDim.x() * 2 + GlobalIdx.x() % 3;
            c.set(at, all > 0 ? made : -made);
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /**
     * The least time that the thread had a processor, in milliseconds: other programs take their share of the machine.
     */
    private static double time(int rounds, String what, Step step) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double[] wall = new double[rounds];
        double best = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            long begin = System.nanoTime();
            long used = threads.getCurrentThreadCpuTime();
            step.run();
            best = Math.min(best, (threads.getCurrentThreadCpuTime() - used) / 1e6);
            wall[i] = (System.nanoTime() - begin) / 1e6;
        }
        double first = wall[0];
        Arrays.sort(wall);
        System.out.printf(
                Locale.ROOT,
                "compile time: %-34s processor %6.2f ms, wall %6.2f ms (median %6.2f, first %6.2f)%n",
                what,
                best,
                wall[0],
                wall[rounds / 2],
                first);
        return best;
    }

    @Test
    void fiftyLinesAreCompiledInTime() throws Exception {
        Method method = CompileTimeTest.class.getDeclaredMethod(
                "product", F32Ptr.class, F32Ptr.class, F32Ptr.class, int.class, float.class, float.class);
        CudaArch arch = CudaArch.parse("sm_90");
        CompileOptions uncached = CompileOptions.DEFAULT.withoutCache();
        time(WARM, "bytecode to NVVM IR", () -> KernelCode.compile(method, arch, uncached));
        double all = time(
                ROUNDS,
                "everything, without cache",
                () -> assertThat(KernelCode.compile(method, arch, uncached).cubin())
                        .isNotEmpty());
        KernelCode code = KernelCode.compile(method, arch, uncached);
        List<String> arithmetic = List.of("-fma=0", "-ftz=0", "-prec-div=1", "-prec-sqrt=1");
        List<String> nvvm =
                new java.util.ArrayList<>(List.of("-arch=compute_90", "-gen-lto", "-opt=3", "-generate-line-info"));
        nvvm.addAll(arithmetic);
        time(ROUNDS, "libNVVM: check, compile to LTO-IR", () -> Nvvm.compile("product", code.nvvm(), nvvm, false));
        byte[] lto = Nvvm.compile("product", code.nvvm(), nvvm, false);
        List<String> link = new java.util.ArrayList<>(List.of("-arch=sm_90", "-lto", "-O3", "-lineinfo"));
        link.addAll(arithmetic);
        time(
                ROUNDS,
                "nvJitLink: LTO-IR to cubin",
                () -> JitLink.link("product", List.of(new JitLink.Input("product", 3, lto)), link, false));

        DiskCache cache = new DiskCache(folder.resolve("cache"), 1 << 24);
        Toolchain toolchain = new Toolchain(arch, CompileOptions.DEFAULT, cache);
        double cached = time(WARM, "everything, from the disk cache", () -> {
            KernelCode again = KernelCode.compile(method, arch, uncached);
            toolchain.cubin(
                    new Toolchain.Source(again.name(), again.symbol(), again.nvvm(), Kernel.Math.EXACT, List.of()));
        });
        // The figures above are for docs/results; how busy the machine is does not touch which one is larger.
        assertThat(cached).as("milliseconds from the disk cache").isLessThan(all);
    }
}
