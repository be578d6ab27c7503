// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.cpu.KeptKernel;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.test.MemoryCompiler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random kernels give the same as loops and as the user's own bytecode in threads that take turns, to the bit; every
 * other one has threads that never wait. {@code -Dorg.comm4j.kernel.seed=7} draws others.
 */
class RandomLoopsTest {
    private static final long SEED = Long.getLong("org.comm4j.kernel.seed", 1);
    private static final int BLOCKS = 3;
    /** With x alone, with all dimensions, with a last warp that is not whole, and enough for a {@link StagedLoop}. */
    private static final int[][] SHAPES = {
        {64, 1, 1}, {16, 4, 1}, {4, 8, 3}, {45, 1, 1}, {7, 5, 1}, {1, 1, 1}, {160, 1, 1}
    };

    @Test
    void loopsAreThreads() {
        compare(24);
    }

    @Test
    @Tag("nightly")
    void manyLoopsAreThreads() {
        for (int round = 1; round <= 20; round++) {
            compare(round * 1000, 100);
        }
    }

    private static void compare(int count) {
        compare(0, count);
    }

    private static void compare(int first, int count) {
        assumeTrue(ModuleLayer.boot().findModule("jdk.compiler").isPresent(), "this Java runtime has no compiler");
        System.out.println("random kernels as loops from seed " + SEED + ": " + count + " from " + first);
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = first; i < first + count; i++) {
            int[] shape = shape(i);
            String name = "Loops" + i;
            sources.put(
                    "generated." + name,
                    RandomKernels.draw(SEED * 1_000_000 + i, name, threads(shape), i / SHAPES.length % 2 == 0));
        }
        MemoryCompiler.Result result =
                MemoryCompiler.compile(sources, I32Ptr.class, HostArray.class, LaunchConfig.class);
        assertThat(result.succeeded()).as("%s", result.errors()).isTrue();
        MemoryCompiler.Loader loader =
                new MemoryCompiler.Loader(result.classes(), RandomLoopsTest.class.getClassLoader());
        int number = first;
        for (Map.Entry<String, String> source : sources.entrySet()) {
            int[] shape = shape(number);
            try {
                Method kernel = Arrays.stream(loader.loadClass(source.getKey()).getMethods())
                        .filter(method -> method.getName().equals("kernel"))
                        .findFirst()
                        .orElseThrow();
                List<String> expected;
                try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.debug())) {
                    expected = run(compiler.compile(kernel), shape, number);
                }
                for (CpuOptions options :
                        List.of(CpuOptions.fast(), CpuOptions.fast().shuffled(number), CpuOptions.checked(number))) {
                    KeptKernel kept = KeptKernel.of(kernel, options);
                    for (CompiledKernel compiled : List.of(kept.first(), kept.again())) {
                        assertThat(run(compiled, shape, number))
                                .as(
                                        "case %d of seed %d, %s, block %s:%n%s",
                                        number, SEED, options, Arrays.toString(shape), source.getValue())
                                .isEqualTo(expected);
                    }
                }
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
            number++;
        }
    }

    private static int[] shape(int number) {
        return SHAPES[number % SHAPES.length];
    }

    private static int threads(int[] shape) {
        return shape[0] * shape[1] * shape[2];
    }

    /** What a kernel leaves in its arrays, as text: the bits of what is no number, too. */
    private static List<String> run(CompiledKernel kernel, int[] shape, int number) {
        SplittableRandom random = new SplittableRandom(SEED + number);
        int count = BLOCKS * threads(shape);
        HostArray given = HostArray.of(random.ints(8, 0, 20).toArray());
        HostArray ints = HostArray.of(random.ints(count).toArray());
        float[] singles = new float[count];
        for (int i = 0; i < count; i++) {
            singles[i] = random.nextInt(1000) / 8f;
        }
        HostArray floats = HostArray.of(singles);
        HostArray longs = HostArray.of(random.longs(count).toArray());
        HostArray doubles = HostArray.of(random.doubles(count).toArray());
        kernel.launch(
                LaunchConfig.grid(BLOCKS).block(shape[0], shape[1], shape[2]),
                random.nextInt(50),
                given,
                ints,
                floats,
                longs,
                doubles);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(i + ": " + ints.getLong(i) + " " + Float.floatToRawIntBits(floats.getFloat(i)) + " "
                    + longs.getLong(i) + " " + Double.doubleToRawLongBits(doubles.getDouble(i)));
        }
        return all;
    }
}
