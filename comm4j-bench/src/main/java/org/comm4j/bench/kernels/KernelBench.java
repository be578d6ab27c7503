// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;

/** Measures kernels in Java and in CUDA C++ in turns, on one GPU. */
public final class KernelBench implements AutoCloseable {
    private final Device device;
    private final KernelSettings settings;
    private final KernelPeak peak;
    private final CudaCompiler cuda;
    private final CudaModule module;
    private final Map<String, GpuKernel> compiled = new HashMap<>();

    /** Compiles the kernels in CUDA C++; those in Java when they are needed. */
    public KernelBench(Device device, KernelSettings settings) {
        this.device = device;
        this.settings = settings;
        this.peak = KernelPeak.of(device, settings);
        this.cuda = CudaCompiler.compile(device.computeCapability().sm());
        this.module = CudaModule.load(device, cuda.cubin());
    }

    /** Which compiler has made the kernels in CUDA C++. */
    public String compiler() {
        return cuda.compiler();
    }

    public KernelPeak peak() {
        return peak;
    }

    /** The method of a kernel. */
    static Method method(String name) {
        return KernelMethod.named(BenchKernels.class, name);
    }

    private GpuKernel java(String name) {
        return compiled.computeIfAbsent(name, _ -> {
            try (KernelCompiler<GpuKernel> compiler = KernelCompiler.of(device)) {
                return compiler.compile(method(name));
            }
        });
    }

    /** Measures all cases, and gives each row away as soon as it is there. */
    public List<KernelRow> run(Consumer<KernelRow> seen) {
        List<KernelRow> rows = new ArrayList<>();
        for (KernelCase each : settings.cases()) {
            KernelRow row = measure(each.problem(settings.elements(), settings.order()));
            seen.accept(row);
            rows.add(row);
        }
        return rows;
    }

    private KernelRow measure(KernelProblem problem) {
        IdentityHashMap<HostArray, DeviceArray> there = new IdentityHashMap<>();
        try (Stream stream = device.newStream();
                Event begin = device.newTimingEvent();
                Event end = device.newTimingEvent()) {
            problem.arrays().forEach(array -> there.put(array, device.allocate(array.type(), array.count())));
            List<PreparedLaunch> java = new ArrayList<>();
            List<PreparedLaunch> cpp = new ArrayList<>();
            for (KernelProblem.Step step : problem.steps()) {
                Object[] arguments = step.arguments().stream()
                        .map(each -> each instanceof HostArray array ? device(there, array) : each)
                        .toArray();
                java.add(java(step.kernel()).prepare(step.config(), arguments));
                cpp.add(module.function(step.kernel()).prepare(step.config(), arguments));
            }
            // Those that time it see what the first two have left, which changes no time.
            Check check = new Check(problem, there, stream);
            long wrongInJava = check.wrong(java);
            long wrongInCuda = check.wrong(cpp);
            Timer timer = new Timer(stream, begin, end, settings.launches());
            timer.millis(java);
            timer.millis(cpp);
            double least = Double.MAX_VALUE;
            double leastOfCuda = Double.MAX_VALUE;
            for (int round = 0; round < settings.rounds(); round++) {
                // Who is first changes, so that nobody profits from it.
                if (round % 2 == 0) {
                    least = Math.min(least, timer.millis(java));
                    leastOfCuda = Math.min(leastOfCuda, timer.millis(cpp));
                } else {
                    leastOfCuda = Math.min(leastOfCuda, timer.millis(cpp));
                    least = Math.min(least, timer.millis(java));
                }
            }
            return new KernelRow(
                    new KernelRow.Size(problem.of(), problem.elements(), problem.bytes(), problem.flops()),
                    new KernelRow.Side(1000 * least, registers(java), wrongInJava),
                    new KernelRow.Side(1000 * leastOfCuda, registers(cpp), wrongInCuda),
                    peak.micros(problem));
        } finally {
            there.values().forEach(DeviceArray::close);
        }
    }

    private static DeviceArray device(IdentityHashMap<HostArray, DeviceArray> there, HostArray array) {
        DeviceArray found = there.get(array);
        if (found == null) {
            throw new IllegalArgumentException(array + " is not of the problem");
        }
        return found;
    }

    private static int registers(List<PreparedLaunch> launches) {
        return launches.getFirst().function().attribute(LibCuda.CU_FUNC_ATTRIBUTE_NUM_REGS);
    }

    /** Milliseconds of one pass through the launches, of many that are timed together. */
    private record Timer(Stream stream, Event begin, Event end, int passes) {
        double millis(List<PreparedLaunch> launches) {
            stream.record(begin);
            for (int i = 0; i < passes; i++) {
                launches.forEach(each -> each.launch(stream));
            }
            stream.record(end);
            end.synchronize();
            return end.millisSince(begin) / passes;
        }
    }

    /** Launches once, on the data that are there at first. */
    private record Check(KernelProblem problem, IdentityHashMap<HostArray, DeviceArray> there, Stream stream) {
        long wrong(List<PreparedLaunch> launches) {
            List<HostArray> before = problem.arrays().stream()
                    .map(array -> HostArray.allocate(array.type(), array.count()))
                    .toList();
            for (int i = 0; i < before.size(); i++) {
                HostArray array = problem.arrays().get(i);
                before.get(i).segment().copyFrom(array.segment());
                device(there, array).copyFrom(array);
            }
            launches.forEach(each -> each.launch(stream));
            stream.synchronize();
            problem.arrays().forEach(array -> device(there, array).copyTo(array));
            long wrong = problem.wrong().getAsLong();
            for (int i = 0; i < before.size(); i++) {
                problem.arrays().get(i).segment().copyFrom(before.get(i).segment());
            }
            return wrong;
        }
    }

    /** Unloads all kernels. */
    @Override
    public void close() {
        compiled.values().forEach(GpuKernel::close);
        module.close();
    }
}
