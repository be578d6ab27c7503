// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.junit.jupiter.api.Test;

/** What orders accesses in a checked run, and what does not. */
class LoopRacesTest {
    private static void launch(long seed, String name, LaunchConfig config, Object... arguments) {
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.checked(seed));
                CompiledKernel kernel = compiler.compile(Arrays.stream(LoopRacesTest.class.getDeclaredMethods())
                        .filter(method -> method.getName().equals(name))
                        .findFirst()
                        .orElseThrow())) {
            kernel.launch(config, arguments);
        }
    }

    /** Runs it in several orders. */
    private static void isRace(String message, String name, LaunchConfig config, Object... arguments) {
        for (long seed = 0; seed < 4; seed++) {
            long drawn = seed;
            assertThatThrownBy(() -> launch(drawn, name, config, arguments))
                    .hasMessageContaining(message)
                    .hasMessageContaining("LoopRacesTest." + name + "(LoopRacesTest.java:");
        }
    }

    private static void isNone(String name, LaunchConfig config, Object... arguments) {
        for (long seed = 0; seed < 4; seed++) {
            long drawn = seed;
            assertThatCode(() -> launch(drawn, name, config, arguments)).doesNotThrowAnyException();
        }
    }

    private static HostArray ints(int count) {
        return HostArray.of(new int[count]);
    }

    /** What lanes of a warp have written, they read after a barrier of the warp. */
    @Kernel
    static void inWarps(int by, boolean syncs, I32Ptr out) {
        int[] box = Shared.i32(64);
        int t = ThreadIdx.x();
        box[t] = t;
        if (syncs) {
            Warp.sync();
        }
        out.set(t, box[t ^ by]);
    }

    @Test
    void barriersOfWarpsOrderTheirLanes() {
        LaunchConfig config = LaunchConfig.grid(1).block(64);
        isNone("inWarps", config, 5, true, ints(64));
        isRace("of the shared array", "inWarps", config, 5, false, ints(64));
        // The other warp was not there.
        isRace("of the shared array", "inWarps", config, 32, true, ints(64));
    }

    /** Half the threads hand something to the others. */
    @Kernel
    static void named(int count, I32Ptr out) {
        int[] box = Shared.i32(32);
        int t = ThreadIdx.x();
        if (t < 32) {
            box[t] = t + 1;
            Block.arrive(1, 64);
        } else {
            Block.barrier(count, 64);
            out.set(t - 32, box[63 - t]);
        }
        if (count != 1 && t < 32) {
            Block.arrive(count, 64);
        } else if (count != 1) {
            Block.arrive(1, 64);
        }
    }

    @Test
    void namedBarriersOrder() {
        HostArray out = ints(32);
        isNone("named", LaunchConfig.grid(1).block(64), 1, out);
        assertThat(out.getInt(0)).isEqualTo(32);
        assertThat(out.getInt(31)).isEqualTo(1);
        isNone("named", LaunchConfig.grid(1).block(64), 2, out);
    }

    /** Threads read neighbours' words. */
    @Kernel
    static void neighbours(I32Ptr x, I32Ptr y) {
        int i = GlobalIdx.x();
        y.set(i, x.get(i + 1));
    }

    /** Two parameters are the same memory. */
    @Test
    void overlappingArgumentsAreOneMemory() {
        HostArray x = ints(65);
        isNone("neighbours", LaunchConfig.grid(2).block(32), x, ints(64));
        isRace("race on element", "neighbours", LaunchConfig.grid(2).block(32), x, x);
    }

    @Kernel
    static void bytes(int by, I8Ptr x) {
        x.set(GlobalIdx.x() / by, (byte) 1);
    }

    @Test
    void neighbouringBytesAreDifferentMemory() {
        HostArray x = HostArray.allocate(DataType.INT8, 64);
        isNone("bytes", LaunchConfig.grid(2).block(32), 1, x);
        isRace("race on element", "bytes", LaunchConfig.grid(2).block(32), 2, x);
    }

    /** All blocks write, meet, and read what their neighbour wrote. */
    @Kernel
    static void grid(boolean syncs, I32Ptr x, I32Ptr y) {
        int i = GlobalIdx.x();
        x.set(i, i);
        if (syncs) {
            Grid.sync();
        } else {
            Block.sync();
        }
        y.set(i, x.get(63 - i));
    }

    @Test
    void barriersOfGridsOrderBlocks() {
        HostArray y = ints(64);
        LaunchConfig config = LaunchConfig.grid(4).block(16).cooperatively();
        isNone("grid", config, true, ints(64), y);
        assertThat(y.getInt(0)).isEqualTo(63);
        isRace("race on element", "grid", config, false, ints(64), y);
    }

    /** A block hands data to the next by a counter. */
    @Kernel
    static void chain(boolean fences, I32Ptr data, I32Ptr turn) {
        int block = BlockIdx.x();
        while (turn.atomicAdd(0, 0) != block) {
            turn.getVolatile(0);
        }
        Fence.device();
        data.set(0, data.get(0) * 3 + block);
        if (fences) {
            Fence.device();
            turn.atomicExch(0, block + 1);
        } else {
            turn.atomicExch(0, block + 1);
        }
    }

    @Test
    void counterHandsOn() {
        HostArray data = ints(1);
        launch(1, "chain", LaunchConfig.grid(5).block(1), true, data, ints(1));
        // ((((0 * 3 + 0) * 3 + 1) * 3 + 2) * 3 + 3) * 3 + 4
        assertThat(data.getInt(0)).isEqualTo(58);
    }

    /** Readers of one epoch, and a writer of the same. */
    @Kernel
    static void readers(int writer, I32Ptr out) {
        int[] box = Shared.i32(1);
        int t = ThreadIdx.x();
        if (t == 0) {
            box[0] = 7;
        }
        Block.sync();
        out.set(GlobalIdx.x(), box[0]);
        if (t == writer) {
            box[0] = 8;
        }
    }

    @Test
    void writerAmongReadersIsFound() {
        isNone("readers", LaunchConfig.grid(2).block(40), -1, ints(40 * 2));
        isRace(
                "race on element 0 of the shared array",
                "readers",
                LaunchConfig.grid(1).block(40),
                33,
                ints(40));
    }

    /** Shared memory of the block before is not this one's. */
    @Kernel
    static void firstWrites(I32Ptr out) {
        int[] box = Shared.i32(8);
        if (BlockIdx.x() == 0) {
            box[ThreadIdx.x()] = 1;
        }
        Block.sync();
        out.set(GlobalIdx.x(), box[ThreadIdx.x()]);
    }

    @Test
    void sharedMemoryOfEachBlockIsNew() {
        isNone("firstWrites", LaunchConfig.grid(1).block(8), ints(8));
        isRace(
                "is read before it was written",
                "firstWrites",
                LaunchConfig.grid(2).block(8),
                ints(16));
    }
}
