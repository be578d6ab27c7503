// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.CUlaunchConfig;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUfunction;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.comm4j.nvshmem.Team;
import org.comm4j.test.SimulatedLibrary;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the host pays for an operation of NVSHMEM in a stream: the bare C call through the bindings, and the public API,
 * over C functions that do nothing. {@code dev/bench-calls} runs it with the allocation profiler.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class NvshmemCallBenchmark {
    private static final int COUNT = 1024;

    private SimulatedLibrary library;
    private World world;
    private Device device;
    private Stream stream;
    private Nvshmem nvshmem;
    private Team all;
    private SymmetricArray x;
    private SymmetricArray y;
    private SymmetricArray signal;
    private CUstream queue;
    private long to;
    private long from;
    private long flag;
    private PreparedLaunch kernel;
    private CUfunction function;
    /** A {@code CUlaunchConfig}, and the addresses of arguments. */
    private MemorySegment shape;

    private MemorySegment arguments;

    @Setup(Level.Trial)
    public void start() {
        library = SimulatedLibrary.use(
                Path.of("comm4j-nvshmem/src/test/c/simulation.c"), "org.comm4j.nvshmem.library", "-O2");
        world = World.join();
        device = Device.of(0);
        stream = device.newStream();
        nvshmem = Nvshmem.init(world, device);
        all = nvshmem.world();
        x = nvshmem.allocate(DataType.FLOAT32, COUNT);
        y = nvshmem.allocate(DataType.FLOAT32, COUNT);
        signal = nvshmem.allocate(DataType.UINT64, 1);
        queue = stream.handle();
        to = x.address();
        from = y.address();
        flag = signal.address();
        // One of those that the simulation has, whatever is loaded.
        CudaModule module =
                CudaModule.load(device, ".version 6.3\n.target sm_70\n".getBytes(StandardCharsets.US_ASCII));
        kernel = module.function("comm4j_atomic_add_32")
                .prepare(LaunchConfig.grid(1).block(1), x, 1L, 0L, signal);
        function = kernel.function().handle();
        shape = Arena.global().allocate(CUlaunchConfig.LAYOUT);
        shape.set(ValueLayout.JAVA_LONG, CUlaunchConfig.hStream, queue.address());
        arguments = Arena.global().allocate(ValueLayout.ADDRESS, 4);
        for (int i = 0; i < 4; i++) {
            arguments.setAtIndex(ValueLayout.ADDRESS, i, Arena.global().allocate(Long.BYTES));
        }
        library.set("noop", 1);
    }

    @TearDown(Level.Trial)
    public void end() {
        library.set("noop", 0);
        signal.close();
        y.close();
        x.close();
        nvshmem.close();
        stream.close();
        device.close();
        world.close();
    }

    @Benchmark
    public void launchBare() {
        LibCuda.cuLaunchKernelEx(shape, function, arguments, MemorySegment.NULL);
    }

    @Benchmark
    public void launch() {
        kernel.set(1, 2L).launch(stream);
    }

    @Benchmark
    public void putBare() {
        LibNvshmem.nvshmemx_putmem_on_stream(to, from, Float.BYTES * COUNT, 0, queue);
    }

    @Benchmark
    public void put() {
        nvshmem.put(x, y, 0, stream);
    }

    @Benchmark
    public void pBare() {
        LibNvshmem.nvshmemx_p_on_stream(NvshmemType.FLOAT, to, Float.floatToRawIntBits(1.5f), 0, queue);
    }

    @Benchmark
    public void p() {
        nvshmem.p(x, 0, 1.5, 0, stream);
    }

    @Benchmark
    public void putSignalBare() {
        LibNvshmem.nvshmemx_putmem_signal_on_stream(
                to, from, Float.BYTES * COUNT, flag, 1, LibNvshmem.NVSHMEM_SIGNAL_SET, 0, queue);
    }

    @Benchmark
    public void putSignal() {
        nvshmem.putSignal(x, y, signal, 0, 1, SignalOp.SET, 0, stream);
    }

    @Benchmark
    public void signalWaitUntilBare() {
        LibNvshmem.nvshmemx_signal_wait_until_on_stream(flag, LibNvshmem.NVSHMEM_CMP_GE, 1, queue);
    }

    @Benchmark
    public void signalWaitUntil() {
        nvshmem.signalWaitUntil(signal, 0, Comparison.GE, 1, stream);
    }

    @Benchmark
    public void reduceBare() {
        LibNvshmem.nvshmemx_sum_reduce_on_stream(
                NvshmemType.FLOAT, LibNvshmem.NVSHMEM_TEAM_WORLD, to, from, COUNT, queue);
    }

    @Benchmark
    public void reduce() {
        all.reduce(x, y, ReduceOp.SUM, stream);
    }

    @Benchmark
    public void barrierAllBare() {
        LibNvshmem.nvshmemx_barrier_all_on_stream(queue);
    }

    @Benchmark
    public void barrierAll() {
        nvshmem.barrierAll(stream);
    }
}
