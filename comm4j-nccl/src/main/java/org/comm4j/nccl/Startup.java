// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Recorded;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/**
 * How a communicator comes to be, whatever the call that makes it. A call that blocks runs as a {@link
 * org.comm4j.core.spi.HostCall}; one that does not is asked again and again how it is getting on, and aborted if it
 * takes too long.
 *
 * @param what the operation, for messages
 * @param size the number of ranks, as far as it is known
 * @param config null for the parent's
 * @param parent what the new communicator was made from
 * @param name of the new communicator: the same on all its ranks, and no other one's
 * @param timeoutNanos the limit; 0 for none
 */
record Startup(
        String what,
        Device device,
        int rank,
        int size,
        @Nullable CommConfig config,
        @Nullable NcclCommunicator parent,
        Peers peers,
        String name,
        long timeoutNanos) {

    /** Cells of attempts that were given up: NCCL may still write to them. */
    private static final List<MemorySegment> LOST = new ArrayList<>();

    /** The native call. */
    interface Native {

        /**
         * Starts it.
         *
         * @param cell where the handle goes
         * @param config the configuration, or NULL for the parent's
         */
        void make(MemorySegment cell, MemorySegment config);
    }

    /** A communicator, unless {@code call} left the handle NULL. */
    @Nullable
    NcclCommunicator run(Native call) {
        Recorded.checkNotRecording(what, "rank " + rank + " of " + size);
        // NCCL keeps pointers to the texts, and writes the handle later: the memory lives as long as the communicator.
        Arena arena = Arena.ofAuto();
        MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
        MemorySegment configuration = config == null ? MemorySegment.NULL : config.write(Library.version(), arena);
        CommConfig effective = config != null ? config : parent != null ? parent.config() : CommConfig.DEFAULT;
        Object keep = List.of(cell, configuration, parent == null ? cell : parent.memory());
        Farewell farewell = Farewell.join(name);
        NcclCommunicator made = null;
        try {
            start(call, cell, configuration, effective.isBlocking());
            made = handle(cell).isNull() ? null : adopt(handle(cell), device, effective, peers, farewell, keep);
            return made;
        } finally {
            if (made == null) {
                farewell.withdraw();
            }
        }
    }

    private void start(Native call, MemorySegment cell, MemorySegment configuration, boolean blocking) {
        try {
            if (blocking) {
                Library.call(
                        where(), device, peers, timeoutNanos, () -> call.make(cell, configuration), () -> drop(cell));
            } else {
                device.makeCurrent();
                call.make(cell, configuration);
                awaitEnd(cell);
            }
        } catch (NativeCallException e) {
            throw new NcclException(where(), e);
        } catch (CommException e) {
            if (parent != null) {
                parent.noteStuck();
            }
            throw e;
        }
    }

    private String where() {
        return what + " on rank " + rank + " of " + size + " (GPU " + device.ordinal() + ")";
    }

    private static NcclComm handle(MemorySegment cell) {
        return new NcclComm(cell.get(ValueLayout.JAVA_LONG, 0));
    }

    private static void drop(MemorySegment cell) {
        if (!handle(cell).isNull()) {
            LibNccl.ncclCommAbort(handle(cell));
        }
    }

    /** Asks until the communicator is ready. Splitting writes the handle only then, and so asks the parent. */
    private void awaitEnd(MemorySegment cell) {
        NcclComm asked = parent != null ? parent.handle : handle(cell);
        String here = "rank " + rank + " of " + size + " (GPU " + device.ordinal() + ")";
        // Whoever aborts the parent ends this, too.
        Health health = parent != null ? parent.health : new Health(here);
        try {
            new Watch(asked, here, peers, health).awaitLaunch(what, timeoutNanos);
            if (parent != null && !handle(cell).isNull()) {
                new Watch(handle(cell), here, peers, health).awaitLaunch(what, timeoutNanos);
            }
        } catch (CommException e) {
            synchronized (LOST) {
                LOST.add(cell);
            }
            try {
                drop(cell);
            } catch (NativeCallException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** The communicator of a handle that NCCL made. */
    static NcclCommunicator adopt(
            NcclComm handle, Device device, CommConfig config, Peers peers, Farewell farewell, Object keep) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_INT);
            LibNccl.ncclCommUserRank(handle, cell);
            int rank = cell.get(ValueLayout.JAVA_INT, 0);
            LibNccl.ncclCommCount(handle, cell);
            int size = cell.get(ValueLayout.JAVA_INT, 0);
            Stream stream = device.newStream();
            DeviceArray scratch = null;
            try {
                scratch = device.allocate(DataType.INT32, 2L * (size + 1));
                return new NcclCommunicator(
                        new Made(handle, device, stream, scratch, rank, size, config, peers, farewell, keep));
            } catch (Throwable e) {
                if (scratch != null) {
                    scratch.close();
                }
                stream.close();
                throw e;
            }
        } catch (Throwable e) {
            farewell.withdraw();
            try {
                LibNccl.ncclCommAbort(handle);
            } catch (NativeCallException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /**
     * The communicator of each of {@code n} handles that NCCL made together, null for none: all of them, or nothing is
     * left of any.
     */
    static List<@Nullable NcclCommunicator> adoptAll(
            MemorySegment cells, int n, BiFunction<NcclComm, Integer, NcclCommunicator> adopt) {
        List<@Nullable NcclCommunicator> made = new ArrayList<>();
        try {
            while (made.size() < n) {
                NcclComm handle = handle(cells.asSlice(8L * made.size(), 8));
                made.add(handle.isNull() ? null : adopt.apply(handle, made.size()));
            }
            return made;
        } catch (Throwable e) {
            for (int i = made.size() + 1; i < n; i++) {
                drop(cells.asSlice(8L * i, 8));
            }
            made.stream().filter(Objects::nonNull).forEach(each -> {
                each.abort();
                each.close();
            });
            throw e;
        }
    }
}
