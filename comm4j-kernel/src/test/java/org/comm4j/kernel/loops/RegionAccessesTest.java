// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;

/** What is known of accesses before they happen hides no race: verdicts are those of a comparison of all accesses. */
class RegionAccessesTest {
    private static final int THREADS = 40;
    private static final int CELLS = 256;
    private static final int DRAWN = 60;

    /** Accesses between two barriers, of an array that is written from the beginning to some element. */
    private static final class Expected {
        private record Visit(int thread, int cell, boolean writes) {}

        private final List<Visit> visits = new ArrayList<>();
        private final Set<Integer> written = new HashSet<>();
        private boolean bad;

        void read(int thread, int cell) {
            bad |= !written.contains(cell);
            visits.add(new Visit(thread, cell, false));
        }

        void write(int thread, int cell) {
            visits.add(new Visit(thread, cell, true));
        }

        void barrier() {
            for (Visit a : visits) {
                for (Visit b : visits) {
                    bad |= a.writes && a.cell == b.cell && a.thread != b.thread;
                }
            }
            visits.stream().filter(Visit::writes).forEach(visit -> written.add(visit.cell));
            visits.clear();
        }

        boolean isBad() {
            barrier();
            return bad;
        }
    }

    private static final LaunchConfig TWO_BLOCKS = LaunchConfig.grid(2).block(THREADS);

    private static void check(Expected expected, String name, LaunchConfig config, Object... arguments) {
        check(expected.isBad(), name, config, arguments);
    }

    private static void check(boolean isBad, String name, LaunchConfig config, Object... arguments) {
        KernelException thrown = null;
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.checked(config.blockX()));
                CompiledKernel kernel = compiler.compile(Arrays.stream(RegionAccessesTest.class.getDeclaredMethods())
                        .filter(method -> method.getName().equals(name))
                        .findFirst()
                        .orElseThrow())) {
            kernel.launch(config, arguments);
        } catch (KernelException e) {
            thrown = e;
        }
        String what = name + " with " + Arrays.toString(arguments);
        if (isBad) {
            assertThat(thrown).as(what).isNotNull();
            assertThat(thrown.getMessage()).as(what).containsAnyOf("race on element", "read before it was written");
        } else {
            assertThat(thrown).as(what).isNull();
        }
    }

    private static HostArray ints(int count) {
        return HostArray.of(new int[count]);
    }

    /** Some threads add to elements near their own. */
    @Kernel
    static void shifted(int limit, int read, int write, I32Ptr out) {
        int[] box = Shared.i32(CELLS);
        int t = ThreadIdx.x();
        for (int i = t; i < CELLS; i += BlockDim.x()) {
            box[i] = i;
        }
        Block.sync();
        if (t < limit) {
            box[t + write] += box[t + read];
        }
        Block.sync();
        out.set(GlobalIdx.x(), box[t]);
    }

    @Test
    void neighboursMeet() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < DRAWN; i++) {
            int limit = random.nextInt(THREADS + 2);
            int read = random.nextInt(2 * THREADS);
            int write = random.nextInt(2) == 0 ? read : random.nextInt(2 * THREADS);
            Expected expected = new Expected();
            for (int cell = 0; cell < CELLS; cell++) {
                expected.write(cell % THREADS, cell);
            }
            expected.barrier();
            for (int t = 0; t < Math.min(limit, THREADS); t++) {
                expected.read(t, t + write);
                expected.read(t, t + read);
                expected.write(t, t + write);
            }
            check(expected, "shifted", TWO_BLOCKS, limit, read, write, ints(2 * THREADS));
        }
    }

    /** All elements in steps of two from one side, in steps of one from the other, and one of one thread. */
    @Kernel
    static void strides(int even, int back, int one, int place, I32Ptr out) {
        int[] box = Shared.i32(CELLS);
        int t = ThreadIdx.x();
        if (t < even) {
            box[2 * t] = t;
        } else {
            box[back - t] = t;
        }
        if (t == one) {
            box[place] = t;
        }
        Block.sync();
        if (t < even) {
            out.set(GlobalIdx.x(), box[2 * t] + box[2 * even - 2 - 2 * t]);
        }
    }

    @Test
    void stridesMeet() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < DRAWN; i++) {
            int even = random.nextInt(THREADS + 1);
            int back = random.nextInt(THREADS, CELLS);
            int one = random.nextInt(THREADS);
            int place = random.nextInt(3) == 0 ? 2 * one : random.nextInt(CELLS);
            Expected expected = new Expected();
            for (int t = 0; t < THREADS; t++) {
                expected.write(t, t < even ? 2 * t : back - t);
            }
            expected.write(one, place);
            expected.barrier();
            for (int t = 0; t < even; t++) {
                expected.read(t, 2 * t);
                expected.read(t, 2 * even - 2 - 2 * t);
            }
            check(expected, "strides", TWO_BLOCKS, even, back, one, place, ints(2 * THREADS));
        }
    }

    /** Some elements are written, then some are read: side by side, in a loop of each thread, or one by all. */
    @Kernel
    static void initial(int from, int limit, int at, int count, I32Ptr out) {
        int[] box = Shared.i32(CELLS);
        int t = ThreadIdx.x();
        if (t >= from) {
            box[t + at] = t;
        }
        Block.sync();
        int sum = 0;
        if (t < limit) {
            sum += box[t + at];
        }
        Block.sync();
        for (int i = 0; i < count; i++) {
            sum += box[at + from + i];
        }
        Block.sync();
        out.set(GlobalIdx.x(), sum + box[THREADS + at - 1]);
    }

    @Test
    void whatNobodyWroteIsFound() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < DRAWN; i++) {
            int from = random.nextInt(3) == 0 ? 0 : random.nextInt(THREADS);
            int limit = random.nextInt(2) == 0 ? 0 : random.nextInt(THREADS + 1);
            int at = random.nextInt(CELLS - 3 * THREADS);
            int count = random.nextInt(2) == 0 ? random.nextInt(THREADS) : THREADS - from;
            Expected expected = new Expected();
            for (int t = from; t < THREADS; t++) {
                expected.write(t, t + at);
            }
            expected.barrier();
            for (int t = 0; t < limit; t++) {
                expected.read(t, t + at);
            }
            for (int k = 0; k < count; k++) {
                expected.read(0, at + from + k);
            }
            expected.read(0, THREADS + at - 1);
            check(expected, "initial", TWO_BLOCKS, from, limit, at, count, ints(2 * THREADS));
        }
    }

    /** What data decide to write need not be written. */
    @Kernel
    static void byData(I32Ptr x, I32Ptr out) {
        int[] box = Shared.i32(THREADS);
        int t = ThreadIdx.x();
        if (x.get(t) > 0) {
            box[t] = 1;
        }
        Block.sync();
        out.set(GlobalIdx.x(), box[t]);
    }

    @Test
    void dataDecideWhatIsWritten() {
        int[] x = new int[THREADS];
        Arrays.fill(x, 1);
        check(false, "byData", TWO_BLOCKS, HostArray.of(x.clone()), ints(2 * THREADS));
        x[17] = 0;
        check(true, "byData", TWO_BLOCKS, HostArray.of(x), ints(2 * THREADS));
    }

    /** A tile whose rows are a constant apart, and its transpose. */
    @Kernel
    static void tile(boolean syncs, I32Ptr out) {
        int[] box = Shared.i32(8 * 8);
        int[] padded = Shared.i32(8 * 9);
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        box[y * 8 + x] = x;
        padded[y * 9 + x] = y;
        if (syncs) {
            Block.sync();
        }
        int sum = box[x * 8 + y] + padded[x * 9 + y];
        Block.sync();
        for (int k = 0; k < 8; k++) {
            sum += box[y * 8 + k] + padded[k * 9 + x];
        }
        out.set(y * 8 + x, sum);
    }

    @Test
    void transposedTilesWait() {
        check(false, "tile", LaunchConfig.grid(1).block(8, 8), true, ints(64));
        check(true, "tile", LaunchConfig.grid(1).block(8, 8), false, ints(64));
        // Of a tile's rows half are nobody's.
        check(true, "tile", LaunchConfig.grid(1).block(8, 4), true, ints(64));
        check(true, "tile", LaunchConfig.grid(2).block(8, 8), true, ints(64));
    }

    /** Threads have elements of their own, or not. */
    @Kernel
    static void own(int read, int write, I32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i + write, x.get(i + read) + 1);
    }

    @Kernel
    static void pairs(int more, I32Ptr x) {
        int i = GlobalIdx.x();
        x.set(2 * i, 1);
        x.set(2 * i + more, 1);
    }

    /** Each thread goes on by a number of threads: all of them, or those of a block. */
    @Kernel
    static void strided(int n, boolean all, I32Ptr x) {
        if (all) {
            for (int i = GlobalIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
                x.set(i, x.get(i) + 1);
            }
        } else {
            for (int i = GlobalIdx.x(); i < n; i += BlockDim.x()) {
                x.set(i, x.get(i) + 1);
            }
        }
    }

    @Kernel
    static void byBlocks(int n, I32Ptr x) {
        for (int i = GlobalIdx.x(); i < n; i += BlockDim.x()) {
            x.set(i, x.get(i) + 1);
        }
    }

    @Kernel
    static void byAll(int n, I32Ptr x) {
        for (int i = GlobalIdx.x(); i < n; i += BlockDim.x() * GridDim.x()) {
            x.set(i, x.get(i) + 1);
        }
    }

    @Test
    void elementsOfOneThreadAreNoRace() {
        HostArray x = ints(200);
        check(false, "own", TWO_BLOCKS, 3, 3, x);
        check(true, "own", TWO_BLOCKS, 3, 4, x);
        check(true, "own", LaunchConfig.grid(1).block(8, 2), 0, 0, x);
        check(true, "own", LaunchConfig.grid(1, 2).block(8), 0, 0, x);
        check(false, "pairs", TWO_BLOCKS, 1, x);
        check(true, "pairs", TWO_BLOCKS, 2, x);
        check(false, "byAll", TWO_BLOCKS, 200, x);
        check(true, "byBlocks", TWO_BLOCKS, 200, x);
        check(false, "byBlocks", LaunchConfig.grid(1).block(THREADS), 200, x);
        check(false, "strided", TWO_BLOCKS, 200, true, x);
        check(true, "strided", TWO_BLOCKS, 200, false, x);
    }
}
