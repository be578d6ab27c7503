// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.comm4j.bench.kernels.CudaCompiler;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.Kernel;

/**
 * Measures kernels in Java and in CUDA C++ in turns on one GPU: {@code CUDA} arithmetic beside nvcc's defaults, and
 * {@code FAST} beside {@code --use_fast_math}.
 */
public final class SuiteBench implements AutoCloseable {
    /** Launches that are timed together take about so long. */
    private static final double MILLIS = 2;

    private static final double FAST_ERROR = 2e-2;

    private final Device device;
    private final Path nvcc;
    private final List<SuiteCase> cases;
    private final List<Kernel.Math> maths;
    private final int rounds;
    private final Map<Kernel.Math, Map<String, CudaModule>> modules = new EnumMap<>(Kernel.Math.class);
    private final Map<String, GpuKernel> compiled = new HashMap<>();

    /**
     * Compiles the kernels in CUDA C++; those in Java when they are needed.
     *
     * @param maths of {@code CUDA} and {@code FAST}
     * @param rounds how often Java and CUDA C++ take turns
     */
    public SuiteBench(Device device, Path nvcc, List<SuiteCase> cases, List<Kernel.Math> maths, int rounds) {
        this.device = device;
        this.nvcc = nvcc;
        this.cases = List.copyOf(cases);
        this.maths = List.copyOf(maths);
        this.rounds = rounds;
        String architecture = device.computeCapability().sm();
        List<String> files = cases.stream().map(SuiteCase::file).distinct().toList();
        for (Kernel.Math math : maths) {
            Map<String, byte[]> code = new ConcurrentHashMap<>();
            files.parallelStream()
                    .forEach(file -> code.put(
                            file,
                            CudaCompiler.byNvcc(nvcc, file, Suite.source(file), architecture, options(math))
                                    .cubin()));
            Map<String, CudaModule> loaded = new HashMap<>();
            code.forEach((file, cubin) -> loaded.put(file, CudaModule.load(device, cubin)));
            modules.put(math, loaded);
        }
    }

    private static List<String> options(Kernel.Math math) {
        return math == Kernel.Math.FAST ? List.of("-O3", "--use_fast_math") : List.of("-O3");
    }

    /** What the numbers are of. */
    public List<String> header(boolean tabs) {
        return List.of(
                "# " + device.name() + ", " + device.computeCapability().sm() + "; CUDA beside " + nvcc
                        + " -O3, FAST beside -O3 --use_fast_math",
                "# the least of " + rounds + " rounds in turns; ratio is Java's time over that of CUDA C++: below 1"
                        + " Java is faster",
                "# registers and bytes of local memory are Java's / CUDA C++'s",
                SuiteRow.header(tabs));
    }

    /** Measures all cases, and gives each row away as text as soon as it is there. */
    public List<SuiteRow> run(boolean tabs, Consumer<String> seen) {
        List<SuiteRow> rows = new ArrayList<>();
        for (SuiteCase each : cases) {
            for (SuiteRow row : measure(each)) {
                seen.accept(row.text(tabs));
                rows.add(row);
            }
        }
        return rows;
    }

    /** What all rows say together. */
    public static List<String> footer(List<SuiteRow> rows) {
        return rows.stream()
                .map(SuiteRow::math)
                .distinct()
                .map(math -> {
                    List<SuiteRow> those =
                            rows.stream().filter(row -> row.math() == math).toList();
                    return String.format(
                            java.util.Locale.ROOT,
                            "# %s: geometric mean of %d ratios %.4f, %d above 1.03, %d wrong",
                            math,
                            those.size(),
                            SuiteRow.mean(those),
                            those.stream().filter(row -> row.ratio() > 1.03).count(),
                            those.stream().filter(row -> !row.right()).count());
                })
                .toList();
    }

    private GpuKernel java(SuiteCase each, String name, Kernel.Math math) {
        return compiled.computeIfAbsent(each.file() + " " + name + " " + math, _ -> {
            try (KernelCompiler<GpuKernel> compiler =
                    KernelCompiler.of(device, CompileOptions.DEFAULT.withMath(math))) {
                return compiler.compile(KernelMethod.named(each.kernels(), name));
            }
        });
    }

    private CudaModule module(SuiteCase each, Kernel.Math math) {
        return Objects.requireNonNull(Objects.requireNonNull(modules.get(math)).get(each.file()));
    }

    private List<SuiteRow> measure(SuiteCase each) {
        SuiteProblem problem = each.problem().apply(each.large());
        IdentityHashMap<HostArray, DeviceArray> there = new IdentityHashMap<>();
        try (Stream stream = device.newStream();
                Event begin = device.newTimingEvent();
                Event end = device.newTimingEvent()) {
            problem.arrays().forEach(array -> there.put(array, device.allocate(array.type(), array.count())));
            Timer timer = new Timer(stream, begin, end);
            List<SuiteRow> rows = new ArrayList<>();
            for (Kernel.Math math : maths) {
                List<PreparedLaunch> java = new ArrayList<>();
                List<PreparedLaunch> cuda = new ArrayList<>();
                for (SuiteProblem.Step step : problem.steps()) {
                    Object[] arguments = step.arguments().stream()
                            .map(argument -> argument instanceof HostArray array ? there.get(array) : argument)
                            .toArray();
                    java.add(java(each, step.kernel(), math).prepare(step.config(), arguments));
                    cuda.add(module(each, math).function(step.kernel()).prepare(step.config(), arguments));
                }
                double errorOfJava = error(problem, there, stream, java);
                double errorOfCuda = error(problem, there, stream, cuda);
                double[] least = timer.least(java, cuda, rounds);
                rows.add(new SuiteRow(
                        each,
                        math,
                        side(least[0], java, errorOfJava),
                        side(least[1], cuda, errorOfCuda),
                        math == Kernel.Math.FAST && each.tolerance() > 0 ? FAST_ERROR : each.tolerance()));
            }
            return rows;
        } finally {
            there.values().forEach(DeviceArray::close);
        }
    }

    private static SuiteRow.Side side(double millis, List<PreparedLaunch> launches, double error) {
        return new SuiteRow.Side(
                millis,
                most(launches, LibCuda.CU_FUNC_ATTRIBUTE_NUM_REGS),
                most(launches, LibCuda.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
                error);
    }

    private static int most(List<PreparedLaunch> launches, int attribute) {
        return launches.stream()
                .mapToInt(each -> each.function().attribute(attribute))
                .max()
                .orElse(0);
    }

    /** Launches once, on the data that are there at first. */
    private static double error(
            SuiteProblem problem,
            IdentityHashMap<HostArray, DeviceArray> there,
            Stream stream,
            List<PreparedLaunch> launches) {
        List<HostArray> before = new ArrayList<>();
        for (HostArray array : problem.arrays()) {
            HostArray copy = HostArray.allocate(array.type(), array.count());
            copy.segment().copyFrom(array.segment());
            before.add(copy);
            Objects.requireNonNull(there.get(array)).copyFrom(array);
        }
        launches.forEach(each -> each.launch(stream));
        stream.synchronize();
        problem.arrays()
                .forEach(array -> Objects.requireNonNull(there.get(array)).copyTo(array));
        double error = problem.error().getAsDouble();
        for (int i = 0; i < before.size(); i++) {
            problem.arrays().get(i).segment().copyFrom(before.get(i).segment());
        }
        return error;
    }

    private record Timer(Stream stream, Event begin, Event end) {
        /** Milliseconds of one pass through the launches, of some that are timed together. */
        double millis(List<PreparedLaunch> launches, int passes) {
            stream.record(begin);
            for (int i = 0; i < passes; i++) {
                launches.forEach(each -> each.launch(stream));
            }
            stream.record(end);
            end.synchronize();
            return end.millisSince(begin) / passes;
        }

        /** Those of Java and of CUDA C++; who is first changes from round to round. */
        double[] least(List<PreparedLaunch> java, List<PreparedLaunch> cuda, int rounds) {
            double once = Math.max(millis(java, 2), millis(cuda, 2));
            int passes = Math.clamp((long) Math.ceil(MILLIS / once), 2, 100);
            double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < 2; turn++) {
                    int side = (round + turn) % 2;
                    least[side] = Math.min(least[side], millis(side == 0 ? java : cuda, passes));
                }
            }
            return least;
        }
    }

    /** Unloads all kernels. */
    @Override
    public void close() {
        compiled.values().forEach(GpuKernel::close);
        modules.values().forEach(loaded -> loaded.values().forEach(CudaModule::close));
    }
}
