// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.DeviceMemory;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a call, as MPI gets them: the buffers themselves, also a device's where the library takes such memory
 * and does all of the call, else copies on the host.
 */
final class Ends {
    private final Staging staging;
    private final boolean takesDeviceMemory;

    private @Nullable Buffer from;
    private @Nullable Buffer to;
    /** Memory of {@link #staging} behind them; null if there is none. */
    private @Nullable HostArray fromBytes;

    private @Nullable HostArray toBytes;

    Ends(Staging staging, boolean takesDeviceMemory) {
        this.staging = staging;
        this.takesDeviceMemory = takesDeviceMemory;
    }

    /**
     * Takes the buffers of a call.
     *
     * @param wire how its numbers travel
     */
    void open(Call call, Wire wire) {
        boolean direct = takesDeviceMemory && isMpisOwn(call, wire);
        if (!direct && call.send() instanceof DeviceMemory send) {
            fromBytes = staging.take(send);
        }
        if (!direct && call.recv() instanceof DeviceMemory recv) {
            toBytes = staging.take(recv);
        }
        from = memory(call.send(), fromBytes, direct);
        to = memory(call.recv(), toBytes, direct);
    }

    /** Returns whether MPI does all of a call, so that nothing is combined or copied here. */
    private static boolean isMpisOwn(Call call, Wire wire) {
        Buffer send = call.send();
        Buffer recv = call.recv();
        return wire == Wire.PLAIN
                && call.op() != ReduceOp.AVG
                && switch (call.kind()) {
                    case REDUCE_SCATTER -> send != null && recv != null && !isWithin(recv, send);
                    case BROADCAST -> send == null || recv == null || send.address() == recv.address();
                    default -> true;
                };
    }

    /** Returns a buffer of a call whose memory was freed; null if there is none. */
    static @Nullable Buffer freed(Call call) {
        Buffer send = call.send();
        Buffer recv = call.recv();
        return send != null && !send.isAlive() ? send : recv != null && !recv.isAlive() ? recv : null;
    }

    /** Returns whether a buffer begins inside of another one. */
    static boolean isWithin(Buffer part, Buffer whole) {
        return part.address() >= whole.address() && part.address() < whole.address() + whole.byteSize();
    }

    /** @param bytes host memory to copy a device's to: also a receive buffer, of which parts may stay as they are */
    private static @Nullable Buffer memory(@Nullable Buffer buffer, @Nullable HostArray bytes, boolean direct) {
        if (buffer == null || buffer instanceof HostArray || direct && buffer instanceof DeviceMemory) {
            return buffer;
        }
        if (bytes == null) {
            return buffer.toHost();
        }
        HostArray copy = Staging.elements(bytes, buffer.type(), buffer.count());
        buffer.copyTo(copy);
        return copy;
    }

    /** Runs calls of MPI, with the device of the buffers as the current one of this thread. */
    void during(Runnable calls) {
        DeviceMemory device = from instanceof DeviceMemory sent ? sent : to instanceof DeviceMemory got ? got : null;
        if (device == null) {
            calls.run();
        } else {
            device.during(calls);
        }
    }

    @Nullable
    Buffer from() {
        return from;
    }

    @Nullable
    Buffer to() {
        return to;
    }

    /** Lets go of the buffers, which MPI has finished with. */
    void clear() {
        from = to = null;
        if (fromBytes != null) {
            staging.giveBack(fromBytes);
            fromBytes = null;
        }
        if (toBytes != null) {
            staging.giveBack(toBytes);
            toBytes = null;
        }
    }
}
