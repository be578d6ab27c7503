// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.VarHandle;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Java methods that stand for device functions, and wait in the middle, beside one thread at a time. */
class JavaMethodsTest {
    private static final int THREADS = 70;
    private static final HostArray ELSEWHERE = HostArray.of(new int[] {5, 6, 7});

    /** Two numbers of different sizes. */
    record Both(int small, long large) {}

    /** Meets the block, exchanges with a lane, and meets the block again. */
    @DeviceFunction("exchanged")
    private static int exchanged(int value) {
        Block.sync();
        int other = Warp.shuffleXor(value, 1);
        return 2 * other + Block.syncCount(value % 3 == 0);
    }

    /** Waits for what another thread writes. */
    @DeviceFunction("awaited")
    private static Both awaited(I32Ptr flags, int which) {
        while (flags.getVolatile(which) == 0) {
            CpuContext.pause();
        }
        return new Both(flags.get(which), 1L << which % 60);
    }

    @DeviceFunction("ordered")
    private static void ordered() {
        VarHandle.fullFence();
    }

    @DeviceFunction("elsewhere")
    private static I32Ptr elsewhere() {
        return I32Ptr.of(ELSEWHERE);
    }

    @DeviceFunction("elementBytes")
    private static int bytesOf(Ptr some, I32Ptr none) {
        return none == null ? some.elementBytes() : -1;
    }

    @DeviceFunction("fails")
    private static int fails(int value) {
        Block.sync();
        if (value == 33) {
            throw new IllegalArgumentException("no " + value);
        }
        return value;
    }

    /** Counts who does it, while others go first. */
    @DeviceFunction("once")
    private static int once(I32Ptr counts, int value, boolean ofBlock) {
        if (CpuContext.begin(ofBlock)) {
            CpuContext.pause();
            counts.set(ThreadIdx.x(), counts.get(ThreadIdx.x()) + value);
        }
        CpuContext.end(ofBlock);
        return 7 * value;
    }

    @Kernel
    static void calls(I32Ptr out, I64Ptr wide) {
        int t = ThreadIdx.x();
        int sum = 0;
        for (int round = 0; round < 3; round++) {
            sum += exchanged(t + round);
        }
        out.set(t, sum + bytesOf(wide, null) + elsewhere().get(t % 3));
    }

    /** What one thread does for all; warps come without the first one, and the first thread comes late. */
    @Kernel
    static void together(I32Ptr counts, I64Ptr wide) {
        int t = ThreadIdx.x();
        long sum = 0;
        for (int round = 1; round < 4; round++) {
            sum = 10 * sum + once(counts, round, true);
            if (t >= Warp.SIZE) {
                sum += once(counts, 100 * round, false);
            }
        }
        if (t == THREADS - 1) {
            counts.setVolatile(t, 1);
        }
        while (t == 0 && counts.getVolatile(THREADS - 1) == 0) {
            sum++;
        }
        sum += once(counts, 1000, true);
        wide.set(t, t == 0 ? 0 : sum);
    }

    /** The first threads wait for the last ones. */
    @Kernel
    static void chain(I32Ptr flags, I64Ptr wide) {
        int t = ThreadIdx.x();
        int n = THREADS;
        if (t == n - 1) {
            flags.setVolatile(t, 1);
        } else {
            Both both = awaited(flags, t + 1);
            wide.set(t, both.large());
            flags.setVolatile(t, both.small() + 1);
        }
    }

    /** Counters, the same for all threads, of loops in which some run ahead. */
    @Kernel
    static void ahead(I32Ptr flags, I64Ptr wide) {
        int t = ThreadIdx.x();
        long sum = 0;
        for (int round = 1; round < 5; round++) {
            flags.setVolatile(t, round);
            int polls = 0;
            while (flags.getVolatile(t < 8 ? 8 * t + 7 : t) < round) {
                polls++;
            }
            sum = 10 * sum + round + (polls < 0 ? 1 : 0);
        }
        wide.set(t, sum);
    }

    /** A block hands on to another one, which waits in a Java method. */
    @Kernel
    static void handsOn(I32Ptr flags, I64Ptr wide) {
        int t = ThreadIdx.x();
        if (BlockIdx.x() == 0) {
            wide.set(t, t + 1L);
            Block.sync();
            if (t == 0) {
                ordered();
                flags.setVolatile(0, 1);
            }
        } else {
            if (t == 0) {
                awaited(flags, 0);
            }
            Block.sync();
            wide.set(THREADS + t, 10 * wide.get(t));
        }
    }

    @Kernel
    static void failing(I32Ptr out, I64Ptr wide) {
        out.set(ThreadIdx.x(), fails(ThreadIdx.x()));
        wide.set(ThreadIdx.x(), 1);
    }

    private static void launch(
            KernelMethod.Of2<I32Ptr, I64Ptr> kernel, CpuOptions options, HostArray flags, HostArray wide) {
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(options);
                CompiledKernel compiled = compiler.compile(kernel)) {
            compiled.launch(LaunchConfig.grid(1).block(THREADS), flags, wide);
        }
    }

    private static CpuOptions options(int number) {
        return number == 0 ? CpuOptions.fast() : number == 1 ? CpuOptions.fast().shuffled(3) : CpuOptions.checked(4);
    }

    private static void compare(KernelMethod.Of2<I32Ptr, I64Ptr> kernel, CpuOptions options) {
        HostArray[] expected = {HostArray.of(new int[THREADS]), HostArray.of(new long[THREADS])};
        HostArray[] found = {HostArray.of(new int[THREADS]), HostArray.of(new long[THREADS])};
        launch(kernel, CpuOptions.debug(), expected[0], expected[1]);
        launch(kernel, options, found[0], found[1]);
        assertThat(found[0].toIntArray()).isEqualTo(expected[0].toIntArray());
        assertThat(found[1].toLongArray()).isEqualTo(expected[1].toLongArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void methodsMeetAndReturnWhatTheyWant(int options) {
        compare(JavaMethodsTest::calls, options(options));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void oneThreadDoesItForAll(int options) {
        compare(JavaMethodsTest::together, options(options));
        HostArray counts = HostArray.of(new int[THREADS]);
        launch(JavaMethodsTest::together, options(options), counts, HostArray.of(new long[THREADS]));
        int[] expected = new int[THREADS];
        expected[0] = 1006;
        expected[32] = 600;
        expected[64] = 600;
        expected[THREADS - 1] = 1;
        assertThat(counts.toIntArray()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void othersGoOnWhileAMethodWaits(int options) {
        compare(JavaMethodsTest::chain, options(options));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void threadsThatRunAheadHaveTheirOwnCounters(int options) {
        compare(JavaMethodsTest::ahead, options(options));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void whatIsHeardInAMethodOrdersBlocks(long seed) {
        HostArray wide = HostArray.of(new long[2 * THREADS]);
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.checked(seed));
                CompiledKernel compiled = compiler.compile(JavaMethodsTest::handsOn)) {
            compiled.launch(LaunchConfig.grid(2).block(THREADS).cooperatively(), HostArray.of(new int[THREADS]), wide);
        }
        for (int t = 0; t < THREADS; t++) {
            assertThat(wide.getLong(THREADS + t)).isEqualTo(10 * (t + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatAMethodThrowsIsTold(int options) {
        HostArray out = HostArray.of(new int[THREADS]);
        HostArray wide = HostArray.of(new long[THREADS]);
        assertThatThrownBy(() -> launch(JavaMethodsTest::failing, options(options), out, wide))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("no 33")
                .hasMessageContaining("thread (33, 0, 0)");
    }
}
