// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

/** Shuffles and reductions of records, and 16-bit floats in shared memory. */
class RecordLanesTest {
    enum Side {
        LEFT,
        RIGHT
    }

    record Best(double value, int at) {
        Best or(Best other) {
            return other.value > value || other.value == value && other.at < at ? other : this;
        }
    }

    record Mixed(Best best, long bits, boolean odd, byte small, char letter, Side side, float real) {}

    @Kernel
    static void largest(F64Ptr values, F64Ptr out, I32Ptr at) {
        int t = GlobalIdx.x();
        Best best = Warp.reduce(new Best(values.get(t), t), (a, b) -> a.or(b));
        out.set(t, best.value());
        at.set(t, best.at());
    }

    @Kernel
    static void mixed(I64Ptr out) {
        int lane = Warp.laneId();
        Mixed own = new Mixed(
                new Best(lane / 2.0, lane),
                lane * 0x1_0000_0001L,
                lane % 2 != 0,
                (byte) (lane - 16),
                (char) (lane + 65),
                lane < 16 ? Side.LEFT : Side.RIGHT,
                lane / 4f);
        Mixed up = Warp.shuffleUp(own, 1);
        Mixed other = Warp.shuffleXor(Warp.shuffleDown(own, 3, 16, -1), 5);
        long sum = other.bits()
                + (other.odd() ? 1 : 0)
                + other.small()
                + other.letter()
                + other.best().at()
                + (long) (8 * other.best().value())
                + (long) (4 * other.real())
                + (other.side() == Side.LEFT ? 1000 : 0);
        out.set(2 * lane, sum);
        out.set(2 * lane + 1, Warp.shuffle(up, 31 - lane).bits());
    }

    @Kernel
    static void halves(F32Ptr x, F16Ptr out) {
        F16Ptr tile = Shared.f16(64);
        BF16Ptr other = Shared.bf16(64);
        int t = ThreadIdx.x();
        tile.set(t, x.get(t));
        other.set(t, 2 * x.get(t));
        Block.sync();
        if (t % 8 == 0) {
            out.set8(t, tile.get8(t));
        }
        Block.sync();
        if (t % 8 == 7) {
            out.set(t, other.get(t));
        }
    }

    record Pointing(I32Ptr to) {}

    @Kernel
    static void pointing(I32Ptr x) {
        Warp.shuffleDown(new Pointing(x), 1).to().set(0, 1);
    }

    private static long expected(int lane) {
        int from = lane ^ 5;
        int source = from % 16 + 3 < 16 ? from + 3 : from;
        return source * 0x1_0000_0001L
                + source % 2
                + (source - 16)
                + (source + 65)
                + source
                + 4L * source
                + source
                + (source < 16 ? 1000 : 0);
    }

    @Test
    void recordsGoThroughTheWarp() {
        HostArray values = HostArray.allocate(DataType.FLOAT64, 64);
        for (int i = 0; i < 64; i++) {
            values.setDouble(i, Math.abs((i * 37) % 61 - 20));
        }
        HostArray out = HostArray.allocate(DataType.FLOAT64, 64);
        HostArray at = HostArray.allocate(DataType.INT32, 64);
        HostArray longs = HostArray.allocate(DataType.INT64, 64);
        for (CpuOptions options : new CpuOptions[] {CpuOptions.fast(), CpuOptions.checked(3), CpuOptions.debug()}) {
            try (var compiler = KernelCompiler.cpu(options)) {
                compiler.compile(RecordLanesTest::largest)
                        .launch(LaunchConfig.grid(1).block(64), values, out, at);
                compiler.compile(RecordLanesTest::mixed)
                        .launch(LaunchConfig.grid(1).block(32), longs);
            }
            for (int i = 0; i < 64; i++) {
                Best best = new Best(-1, 0);
                for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++) {
                    best = best.or(new Best(values.getDouble(k), k));
                }
                assertThat(at.getInt(i)).isEqualTo(best.at());
                assertThat(out.getDouble(i)).isEqualTo(best.value());
            }
            for (int lane = 0; lane < 32; lane++) {
                assertThat(longs.getLong(2 * lane)).as("lane " + lane).isEqualTo(expected(lane));
                assertThat(longs.getLong(2 * lane + 1)).isEqualTo(Math.max(30 - lane, 0) * 0x1_0000_0001L);
            }
        }
    }

    @Test
    void halvesInSharedMemory() {
        HostArray x = HostArray.allocate(DataType.FLOAT32, 64);
        for (int i = 0; i < 64; i++) {
            x.setFloat(i, i / 4f);
        }
        HostArray out = HostArray.allocate(DataType.FLOAT16, 64);
        try (var compiler = KernelCompiler.cpu(CpuOptions.checked(3))) {
            compiler.compile(RecordLanesTest::halves)
                    .launch(LaunchConfig.grid(1).block(64), x, out);
        }
        for (int i = 0; i < 64; i++) {
            assertThat(F16Ptr.of(out).get(i)).isEqualTo(i % 8 == 7 ? i / 2f : i / 4f);
        }
    }

    @Test
    void becomeShufflesAndWideAccesses() throws Exception {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        String ptx = code("largest").ptx();
        assertThat(ptx.split("shfl.sync.bfly", -1)).hasSize(1 + 5 * 3);
        assertThat(code("halves").ptx()).contains("ld.shared.v4", "st.global.v4");
        assertThat(code("mixed").cubin()).startsWith(0x7f, 'E', 'L', 'F');
        assertThatThrownBy(() -> code("pointing"))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("a shuffle of a record with a I32Ptr is not available on the GPU");
    }

    private static KernelCode code(String name) {
        for (var method : RecordLanesTest.class.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                return KernelCode.compile(method, CudaArch.parse("sm_90"), CompileOptions.DEFAULT.withoutCache());
            }
        }
        throw new AssertionError(name);
    }
}
