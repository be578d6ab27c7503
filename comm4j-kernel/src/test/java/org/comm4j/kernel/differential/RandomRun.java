// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.test.Natives;
import org.jspecify.annotations.Nullable;

/**
 * Program that runs many random kernels on several executors in several threads, and compares them with Java. At the
 * end it prints how many were equal. If Java has no compiler, the kernels come from a jar that {@link Packed} has
 * written.
 *
 * <pre>{@code
 * java -cp ... org.comm4j.kernel.differential.RandomRun COUNT EXECUTOR...
 * }</pre>
 *
 * <p>Executors are {@code cpu}, {@code cpu-debug}, {@code cpu-checked}, {@code llvm}, {@code llvm-checked}, {@code
 * gpu} and {@code gpu-checked}. Properties: {@code org.comm4j.kernel.seed} (1), {@code org.comm4j.kernel.from}, the
 * number of the first kernel (0), and {@code org.comm4j.kernel.threads}.
 */
final class RandomRun {
    private static final int BATCH = 40;
    private static final int FROM = Integer.getInteger("org.comm4j.kernel.from", 0);
    private static final int THREADS =
            Integer.getInteger("org.comm4j.kernel.threads", Runtime.getRuntime().availableProcessors());

    /** Counts of an executor. */
    private static final class Tally {
        final LongAdder equal = new LongAdder();
        final LongAdder different = new LongAdder();
        final LongAdder nanos = new LongAdder();
    }

    /** An executor for each thread, made when the thread first needs it. */
    private interface Maker {
        Executor make();
    }

    private final List<String> names;
    private final Map<String, ThreadLocal<Executor>> executors = new LinkedHashMap<>();
    private final Map<String, Tally> tallies = new LinkedHashMap<>();
    private final LongAdder unloadable = new LongAdder();
    private final AtomicInteger done = new AtomicInteger();
    private final Path folder;

    RandomRun(List<String> names, @Nullable Device device, Path folder) {
        this.names = names;
        this.folder = folder;
        for (String name : names) {
            Maker maker = maker(name, device);
            executors.put(name, ThreadLocal.withInitial(maker::make));
            tallies.put(name, new Tally());
        }
    }

    private Maker maker(String name, @Nullable Device device) {
        CompileOptions options = CompileOptions.DEFAULT.withoutCache();
        return switch (name) {
            case "cpu" -> () -> Executor.cpu(KernelCompiler.cpu(CpuOptions.fast()), name);
            case "cpu-debug" -> () -> Executor.cpu(KernelCompiler.cpu(CpuOptions.debug()), name);
            case "cpu-checked" ->
                () -> Executor.cpu(KernelCompiler.cpu(CpuOptions.checked(DifferentialTest.SEED)), name);
            case "llvm" -> () -> new LlvmExecutor(ownFolder(), "-O2", CompileOptions.DEFAULT);
            case "llvm-checked" -> () -> new LlvmExecutor(ownFolder(), "-O1", CompileOptions.DEFAULT.withChecks());
            case "gpu" -> () -> GpuDifferentialTest.executor(device, KernelCompiler.of(device, options), name);
            case "gpu-checked" ->
                () -> GpuDifferentialTest.executor(device, KernelCompiler.of(device, options.withChecks()), name);
            default -> throw new IllegalArgumentException("there is no executor " + name);
        };
    }

    private Path ownFolder() {
        try {
            return Files.createTempDirectory(folder, "llvm");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs them.
     *
     * @param args how many kernels, and the executors' names
     */
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            throw new IllegalArgumentException("usage: RandomRun COUNT EXECUTOR...");
        }
        int count = Integer.parseInt(args[0]);
        List<String> names = List.of(args).subList(1, args.length);
        Natives.use();
        boolean needsGpu = names.stream().anyMatch(name -> name.startsWith("gpu"));
        if (needsGpu && Cuda.problem() != null) {
            throw new IllegalStateException(Cuda.problem());
        }
        if (!DifferentialTest.COMPILES) {
            String missing = Packed.problem(RandomRun.class.getClassLoader(), FROM + count);
            if (missing != null) {
                throw new IllegalStateException(missing);
            }
        }
        Path folder = Files.createTempDirectory("random-kernels");
        boolean equal;
        try (Device device = needsGpu ? Device.of(0) : null) {
            equal = new RandomRun(names, device, folder).run(count);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
        System.exit(equal ? 0 : 1);
    }

    /** Runs them, and returns true if all were equal. */
    boolean run(int count) throws InterruptedException {
        System.out.println(count + " random kernels from number " + FROM + " of seed " + DifferentialTest.SEED + " on "
                + names + " and Java " + Runtime.version() + ", " + THREADS + " threads");
        long start = System.nanoTime();
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        for (int from = FROM; from < FROM + count; from += BATCH) {
            int first = from;
            int end = Math.min(from + BATCH, FROM + count);
            pool.execute(() -> {
                try {
                    batch(first, end);
                } catch (RuntimeException | Error e) {
                    System.out.println("numbers " + first + " to " + (end - 1) + " could not be run: " + e);
                    tallies.values().forEach(tally -> tally.different.add(end - first));
                }
                int all = done.addAndGet(end - first);
                if (all % (BATCH * 25) < BATCH) {
                    System.out.println("  " + all + " after " + (System.nanoTime() - start) / 1_000_000_000 + " s");
                }
            });
        }
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            // Each batch ends: its kernels do.
        }
        System.out.println(done + " kernels in " + (System.nanoTime() - start) / 1_000_000_000 + " s; " + unloadable
                + " did not compile, or the JVM refuses javac's code");
        boolean equal = true;
        for (Map.Entry<String, Tally> each : tallies.entrySet()) {
            Tally tally = each.getValue();
            System.out.printf(
                    "%-13s %6d equal, %d different, %d s in its threads%n",
                    each.getKey(), tally.equal.sum(), tally.different.sum(), tally.nanos.sum() / 1_000_000_000);
            equal &= tally.different.sum() == 0;
        }
        return equal;
    }

    private void batch(int from, int end) {
        List<Case> cases = cases(from, end);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            if (cases.get(i) == null) {
                unloadable.increment();
            } else {
                numbers.add(from + i);
            }
        }
        List<Case> there = cases.stream().filter(Objects::nonNull).toList();
        List<Object> expected = Executor.java().run(there);
        for (String name : names) {
            Tally tally = tallies.get(name);
            long start = System.nanoTime();
            List<Object> found = executors.get(name).get().run(there);
            tally.nanos.add(System.nanoTime() - start);
            for (int i = 0; i < found.size(); i++) {
                String difference = DifferentialTest.difference(expected.get(i), found.get(i));
                if (difference.isEmpty()) {
                    tally.equal.increment();
                } else {
                    tally.different.increment();
                    System.out.println("number " + numbers.get(i) + " of seed " + DifferentialTest.SEED + " on " + name
                            + " differs: " + difference.lines().limit(4).toList());
                }
            }
        }
    }

    private static List<Case> cases(int from, int end) {
        if (!DifferentialTest.COMPILES) {
            return Packed.cases(RandomRun.class.getClassLoader(), from, end);
        }
        List<Node> nodes = new ArrayList<>();
        for (int i = from; i < end; i++) {
            nodes.add(DifferentialTest.draw(i));
        }
        try {
            return Javac.compile(nodes, true);
        } catch (IllegalStateException noJava) {
            System.out.println("of numbers " + from + " to " + (end - 1) + ": " + noJava.getMessage());
            return Javac.compile(nodes, false);
        }
    }
}
