// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;

/** A rank of {@link CudaAwareTest}: which memory of a device MPI gets, and what comes of it. */
@SuppressWarnings("restricted") // asks the test's own library in C
final class CudaAwareProgram {
    private static final int COUNT = 1001;
    /** Beyond the size from which on ranks of Open MPI meet and block. */
    private static final int MANY = 70_001;

    private final MethodHandle seen;
    private final Device device;
    private final MpiCommunicator comm;
    private final boolean direct;

    private CudaAwareProgram(Path library, Device device, MpiCommunicator comm, boolean direct) {
        this.seen = Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("aware_seen"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        this.device = device;
        this.comm = comm;
        this.direct = direct;
    }

    /** The arguments are the library, and whether MPI gets memory of devices. */
    static void main(String[] arguments) {
        boolean direct = Boolean.parseBoolean(arguments[1]);
        try (World world = World.join();
                Device device = Device.of(0);
                MpiCommunicator comm = Mpi.communicator(world)) {
            CudaAwareProgram program = new CudaAwareProgram(Path.of(arguments[0]), device, comm, direct);
            for (Duration limit : new Duration[] {Duration.ZERO, Duration.ofSeconds(30)}) {
                comm.timeout(limit);
                program.reductions();
                program.moves();
                program.streams();
            }
            System.out.println("device memory ok, direct " + direct);
        }
    }

    private int seen(Buffer buffer) {
        try {
            return (int) seen.invokeExact(buffer.address());
        } catch (Throwable e) {
            throw new AssertionError("aware_seen", e);
        }
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private void reductions() {
        int ranks = comm.size();
        double sum = ranks * (ranks + 1) / 2.0;
        for (DataType type : new DataType[] {DataType.FLOAT64, DataType.FLOAT16}) {
            for (ReduceOp op : new ReduceOp[] {ReduceOp.SUM, ReduceOp.AVG}) {
                for (int count : new int[] {COUNT, MANY}) {
                    String what = op + " of " + count + " x " + type;
                    try (DeviceArray x = device.allocate(type, count)) {
                        x.fill(comm.rank() + 1);
                        int before = seen(x);
                        comm.allReduce(x, x, op);
                        double result = x.toHost().getDouble(count - 1);
                        check(result == (op == ReduceOp.SUM ? sum : sum / ranks), what + " is " + result);
                        // MPI has neither such numbers nor means.
                        boolean expected = direct && type == DataType.FLOAT64 && op == ReduceOp.SUM;
                        check(seen(x) > before == expected, what + ": MPI got the device's memory " + seen(x));
                    }
                }
            }
        }
    }

    private void moves() {
        int ranks = comm.size();
        int next = (comm.rank() + 1) % ranks;
        int previous = (comm.rank() + ranks - 1) % ranks;
        try (DeviceArray x = device.allocate(DataType.INT64, COUNT);
                DeviceArray y = device.allocate(DataType.INT64, COUNT)) {
            x.fill(comm.rank());
            Received ignored = comm.sendReceive(x, next, 5, y, previous, 5);
            check(y.toHost().getLong(COUNT - 1) == previous, "a message");
            check(seen(x) > 0 == direct && seen(y) > 0 == direct, "a message: MPI got the device's memory");
            comm.group(g -> {
                g.send(x, previous);
                g.recv(y.slice(0, COUNT), next);
            });
            check(y.toHost().getLong(0) == next, "a message in a group");
            comm.broadcast(x, 1);
            check(x.toHost().getLong(3) == 1, "a broadcast");
            y.fill(comm.rank() == 1 ? 9 : 0);
            // From another place, which is copied.
            comm.broadcast(comm.rank() == 1 ? y : null, x, 1);
            check(x.toHost().getLong(3) == 9, "a broadcast from another place");
            HostArray host = HostArray.allocate(DataType.INT64, COUNT);
            comm.allReduce(x, host, ReduceOp.MAX);
            check(host.getLong(7) == 9, "from the device to the host");
        }
    }

    /** What was put into a stream before comes first. */
    private void streams() {
        try (Stream stream = device.newStream();
                DeviceArray x = device.allocate(DataType.INT32, COUNT)) {
            x.fill(3, stream);
            comm.allReduce(x, x, ReduceOp.SUM);
            check(x.toHost().getInt(5) == 3 * comm.size(), "a sum after a fill");
            DeviceArray closed = device.allocate(DataType.INT32, COUNT);
            closed.close();
            try {
                comm.allReduce(closed, closed, ReduceOp.SUM);
                throw new AssertionError("memory that was freed was taken");
            } catch (IllegalStateException e) {
                check(String.valueOf(e.getMessage()).contains("freed"), "" + e);
            }
        }
        comm.barrier();
    }
}
