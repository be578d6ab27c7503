// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.device.RandomOp.Bank;
import org.comm4j.device.RandomOp.Memory;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;

/** Runs {@link RandomKernel}s and compares what they leave in memory with the oracle. */
final class RandomKernels {
    static final long SEED = Long.getLong("comm4j.device.random.seed", 1);
    private static final LaunchConfig SHAPE = LaunchConfig.grid(1).block(RandomOp.THREADS);

    private RandomKernels() {}

    static RandomKernel draw(int number) {
        return RandomKernel.draw(SEED * 1_000_000 + number);
    }

    /** How many there are to run. */
    static int cases(int usual) {
        return Integer.getInteger("comm4j.device.random.cases", usual);
    }

    private static DataType type(Bank bank) {
        return switch (bank) {
            case X -> DataType.INT64;
            case Y -> DataType.INT32;
            case F -> DataType.FLOAT32;
            case Z -> DataType.INT8;
        };
    }

    /** Runs a kernel on this PE, as all others do; how its memory differs from what it should be, or an empty text. */
    static String run(TestPe pe, RandomKernel random, Method method) {
        Memory before = RandomKernel.initial(SEED, pe.nPes());
        List<Buffer> arrays = new ArrayList<>();
        for (Bank bank : Bank.values()) {
            HostArray values = HostArray.allocate(type(bank), Memory.WORDS);
            long[] words = before.of(bank, pe.myPe());
            for (int i = 0; i < words.length; i++) {
                switch (bank) {
                    case X -> values.setLong(i, words[i]);
                    case Y -> values.setInt(i, (int) words[i]);
                    case F -> values.setFloat(i, (float) words[i]);
                    case Z -> values.segment().set(ValueLayout.JAVA_BYTE, i, (byte) words[i]);
                }
            }
            arrays.add(pe.filled(values));
        }
        arrays.add(pe.zeroed(DataType.INT64, Memory.SIGNALS));
        try (CompiledKernel kernel = pe.compiler().compile(method)) {
            pe.launch(kernel, SHAPE, arrays.toArray());
        }
        Memory expected = random.expected(SEED, pe.nPes());
        StringBuilder differences = new StringBuilder();
        for (Bank bank : Bank.values()) {
            compare(differences, bank.variable(), expected.of(bank, pe.myPe()), arrays.get(bank.ordinal()));
        }
        compare(differences, "s", expected.signals[pe.myPe()], arrays.getLast());
        return differences.toString();
    }

    private static void compare(StringBuilder differences, String name, long[] expected, Buffer buffer) {
        HostArray found = buffer.toHost();
        int said = 0;
        for (int i = 0; i < expected.length && said < 3; i++) {
            double value = found.type() == DataType.FLOAT32 ? found.getFloat(i) : 0;
            long word = switch (found.type()) {
                case INT64 -> found.getLong(i);
                case INT32 -> found.getInt(i);
                case INT8 -> found.segment().get(ValueLayout.JAVA_BYTE, i);
                default -> (long) value;
            };
            if (word != expected[i] || value != (long) value) {
                differences.append(String.format(" %s[%d] is %d instead of %d;", name, i, word, expected[i]));
                said++;
            }
        }
    }

    /** What went wrong with kernels on so many PEs of the CPU: one text for each, empty where nothing did. */
    static List<String> onCpu(List<RandomKernel> kernels, List<Method> methods, int pes, CpuOptions options) {
        String[][] said = new String[kernels.size()][pes];
        World.threads(pes, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    TestPe pe = TestPe.of(shmem, options)) {
                shmem.timeout(Duration.ofSeconds(60));
                for (int i = 0; i < kernels.size(); i++) {
                    said[i][pe.myPe()] = run(pe, kernels.get(i), methods.get(i));
                    pe.endCase();
                }
            }
        });
        List<String> all = new ArrayList<>();
        for (String[] each : said) {
            StringBuilder text = new StringBuilder();
            for (int pe = 0; pe < pes; pe++) {
                text.append(each[pe].isEmpty() ? "" : "PE " + pe + " of " + pes + ":" + each[pe] + " ");
            }
            all.add(text.toString());
        }
        return all;
    }

    /** A way to run kernels: one text for each, empty where nothing went wrong. */
    interface Runner {
        List<String> run(List<RandomKernel> kernels, List<Method> methods);
    }

    /** The smallest kernel that still goes wrong. */
    static RandomKernel shrink(RandomKernel failing, Runner runner, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        RandomKernel smallest = failing;
        boolean found = true;
        while (found && System.nanoTime() < end) {
            found = false;
            List<RandomKernel> candidates = smallest.smaller();
            for (int from = 0; from < candidates.size() && !found && System.nanoTime() < end; from += 8) {
                List<RandomKernel> some = candidates.subList(from, Math.min(candidates.size(), from + 8));
                List<String> said = runner.run(some, RandomJavac.compile(some));
                for (int i = 0; i < some.size() && !found; i++) {
                    if (!said.get(i).isEmpty()) {
                        smallest = some.get(i);
                        found = true;
                    }
                }
            }
        }
        return smallest;
    }
}
