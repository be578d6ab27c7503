// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.cuda.StreamOrdered;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;

/** A stream of a GPU. */
final class StreamQueue implements KernelQueue {
    /** Time for which the host looks at an event itself. */
    private static final long PATIENCE_NANOS = 50_000_000;

    private final Device device;
    private final Stream stream;
    private final KernelCompiler<GpuKernel> compiler;
    private final Set<StreamOrdered> waits = new LinkedHashSet<>();
    private final List<CudaFft> transforms = new ArrayList<>();
    private final Set<StreamTransfer> transfers = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The stream of each communicator's transfers, made with the first of them. */
    private final IdentityHashMap<StreamOrdered, Stream> sides = new IdentityHashMap<>();

    private final PeerMemories peers = new PeerMemories();

    private @Nullable CudaBlas blas;

    StreamQueue(Device device) {
        this.device = device;
        stream = device.newStream();
        compiler = KernelCompiler.of(device, CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT));
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public KernelCompiler<GpuKernel> compiler() {
        return compiler;
    }

    Stream stream() {
        return stream;
    }

    @Override
    public Memory allocate(DataType type, long count) {
        DeviceArray array = device.allocate(type, count);
        return new Memory(array, array::close);
    }

    @Override
    public String unreachable(Buffer buffer) {
        return buffer instanceof DeviceArray array && array.device().ordinal() == device.ordinal()
                ? ""
                : "is not in the memory of " + device + ", which computes";
    }

    @Override
    public void launch(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
        ((GpuKernel) kernel).launch(config, stream, arguments);
    }

    @Override
    public Runnable prepare(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
        PreparedLaunch launch = ((GpuKernel) kernel).prepare(config, arguments);
        return () -> launch.launch(stream);
    }

    @Override
    public Snapshot snapshot(Buffer numbers) {
        PinnedArray host = device.allocatePinned(numbers.type(), numbers.count());
        Event taken = device.newEvent();
        return new Snapshot() {
            @Override
            public void take() {
                ((DeviceArray) numbers).copyTo(host, stream);
                stream.record(taken);
            }

            @Override
            public HostArray await() {
                long begin = System.nanoTime();
                while (!taken.isDone()) {
                    Thread.onSpinWait();
                    if (System.nanoTime() - begin > PATIENCE_NANOS) {
                        // Waits longer, but ends when a rank has died.
                        synchronize();
                    }
                }
                peers.check();
                return host;
            }

            @Override
            public void close() {
                taken.close();
                host.close();
            }
        };
    }

    @Override
    public void copy(Buffer from, Buffer to) {
        ((DeviceArray) to).copyFrom((DeviceArray) from, stream);
    }

    @Override
    public Blas blas(KernelRunner runner) {
        if (!CudaBlas.isPresent()) {
            return new KernelBlas(runner);
        }
        blas = new CudaBlas(device, stream, this::settle);
        return blas;
    }

    @Override
    public Fft fft(DataType type, long outer, int length, long inner) {
        settle();
        CudaFft fft = new CudaFft(device, stream, type, outer, length, inner);
        transforms.add(fft);
        return fft;
    }

    @Override
    public GroupedOperations operations(Communicator communicator) {
        if (communicator instanceof StreamOrdered there) {
            waits.add(there);
            return there.on(stream);
        }
        // Blocking operations wait for the uses of their buffers.
        return communicator;
    }

    @Override
    public @Nullable PeerMemory peers(Communicator communicator) {
        return peers.of(communicator, stream.isCapturing());
    }

    @Override
    public @Nullable PeerMemory peerMemory(Communicator communicator, long count) {
        return waitedFor(communicator, peers.allocate(communicator, stream.isCapturing(), count));
    }

    @Override
    public @Nullable PeerMemory exchangeMemory(Communicator communicator, boolean beside, long count) {
        return waitedFor(communicator, peers.shared(communicator, beside, stream.isCapturing(), count));
    }

    /** Notes that {@link #synchronize} waits as the communicator does, if kernels use its memory. */
    private @Nullable PeerMemory waitedFor(Communicator communicator, @Nullable PeerMemory memory) {
        if (memory != null && communicator instanceof StreamOrdered there) {
            waits.add(there);
        }
        return memory;
    }

    @Override
    public Transfer transfer(Communicator communicator, boolean beside, Consumer<Operations> body) {
        GroupedOperations inOrder = operations(communicator);
        if (!beside || !(communicator instanceof StreamOrdered there)) {
            return Transfer.inOrder(inOrder, body);
        }
        Stream side = side(there);
        GroupedOperations operations = there.on(side);
        return beside(side, () -> operations.group(body));
    }

    /** Returns the stream of a communicator's transfers. */
    private Stream side(StreamOrdered there) {
        // Kernels there are short and wait for other GPUs: they go before those that wait in the other stream.
        return sides.computeIfAbsent(there, _ -> device.newStream(Integer.MIN_VALUE));
    }

    private Transfer beside(Stream side, Runnable body) {
        StreamTransfer transfer = new StreamTransfer(stream, side, body, transfers::remove);
        transfers.add(transfer);
        return transfer;
    }

    @Override
    public Transfer transferOfKernels(Communicator communicator, Consumer<KernelLauncher> body) {
        Stream side = side((StreamOrdered) communicator);
        KernelLauncher launcher = (kernel, config, arguments) -> ((GpuKernel) kernel).launch(config, side, arguments);
        return beside(side, () -> body.accept(launcher));
    }

    @Override
    public Recording record(Runnable body) {
        GraphExec exec;
        try (Graph graph = Graph.capture(stream, body)) {
            exec = graph.instantiate();
        }
        return new Recording() {
            @Override
            public void run() {
                exec.launch(stream);
            }

            @Override
            public void close() {
                exec.close();
            }
        };
    }

    @Override
    public void settle() {
        if (waits.isEmpty() || stream.isCapturing()) {
            return;
        }
        sides.forEach(StreamOrdered::synchronize);
        synchronize();
    }

    /** Waits as communicators do, so that a rank that died ends it. */
    @Override
    public void synchronize() {
        for (StreamOrdered each : waits) {
            each.synchronize(stream);
        }
        if (waits.isEmpty()) {
            stream.synchronize();
        }
        peers.check();
    }

    @Override
    public void close() {
        try {
            synchronize();
        } finally {
            transforms.forEach(CudaFft::close);
            List.copyOf(transfers).forEach(StreamTransfer::close);
            if (blas != null) {
                blas.close();
            }
            compiler.close();
            sides.values().forEach(Stream::close);
            stream.close();
        }
    }
}
