// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.nccl.Group;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.test.SimulatedLibrary;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a collective on the host: the bare C call by the bindings, and the public API, alone and in a group,
 * over C functions that do nothing. {@code dev/bench-calls} runs it with the allocation profiler.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class NcclCallBenchmark {
    private static final int GROUPED = 8;
    private static final int COUNT = 1024;

    private Device device;
    private Stream stream;
    private DeviceArray array;
    private NcclCommunicator communicator;
    private NcclComm handle;
    private CUstream queue;
    private long address;
    private SimulatedLibrary library;

    private final Consumer<Operations> body = g -> {
        for (int i = 0; i < GROUPED; i++) {
            g.allReduce(array, array, ReduceOp.SUM);
        }
    };
    private final Consumer<Group> several = g -> body.accept(g.on(communicator, stream));

    @Setup(Level.Trial)
    public void start() {
        library =
                SimulatedLibrary.use(Path.of("comm4j-nccl/src/test/c/simulation.c"), "org.comm4j.nccl.library", "-O2");
        device = Device.of(0);
        stream = device.newStream();
        array = device.allocate(DataType.FLOAT32, COUNT);
        communicator = Nccl.initAll(device).getFirst();
        handle = communicator.handle();
        queue = stream.handle();
        address = array.address();
        library.set("noop", 1);
    }

    @TearDown(Level.Trial)
    public void end() {
        library.set("noop", 0);
        communicator.close();
        array.close();
        stream.close();
        device.close();
    }

    @Benchmark
    public void bareCall() {
        bare();
    }

    private void bare() {
        LibNccl.ncclAllReduce(address, address, COUNT, LibNccl.ncclFloat32, LibNccl.ncclSum, handle, queue);
    }

    @Benchmark
    public void publicCall() {
        communicator.allReduce(array, array, ReduceOp.SUM, stream);
    }

    @Benchmark
    @OperationsPerInvocation(GROUPED)
    public void bareGroup() {
        LibNccl.ncclGroupStart();
        for (int i = 0; i < GROUPED; i++) {
            bare();
        }
        LibNccl.ncclGroupEnd();
    }

    @Benchmark
    @OperationsPerInvocation(GROUPED)
    public void publicGroup() {
        communicator.group(body, stream);
    }

    @Benchmark
    @OperationsPerInvocation(GROUPED)
    public void publicGroupOfCommunicators() {
        Nccl.group(several);
    }
}
