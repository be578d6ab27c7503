// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/** A rank's host memory for all measurements: made once, with views for each size and type. */
final class Buffers implements AutoCloseable {
    private static final long ALIGNMENT = 64;
    private static final byte POISON = -1;
    /** How long the loop of copies runs before it is timed. */
    private static final long COMPILING_NANOS = 300_000_000;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment send;
    private final MemorySegment recv;
    private final long bytes;
    /**
     * Made at first use and kept: memory that was freed before comes in scattered pages, which shows in a bandwidth.
     */
    private final Map<DataType, SymmetricArray> far = new EnumMap<>(DataType.class);

    /**
     * @param registered whether the communicator gives the memory, so that it needs no copy of its own to reach it
     */
    Buffers(Communicator communicator, long bytes, boolean registered) {
        this.bytes = bytes;
        send = make(communicator, bytes, registered);
        recv = make(communicator, bytes, registered);
        // Every page must be there before anything is timed.
        send.fill(POISON);
        recv.fill(POISON);
        long start = System.nanoTime();
        // Small copies go other ways than large ones.
        for (long size = 8; System.nanoTime() - start < COMPILING_NANOS; size = size < 1024 ? 2 * size : 8) {
            plainCopies(Math.min(bytes, size), 1000);
        }
    }

    private MemorySegment make(Communicator communicator, long bytes, boolean registered) {
        if (registered && communicator.allocate(DataType.UINT8, bytes) instanceof HostArray array) {
            return array.segment();
        }
        return arena.allocate(bytes, ALIGNMENT);
    }

    HostArray send(DataType type, long count) {
        return view(send, type, count);
    }

    HostArray recv(DataType type, long count) {
        return view(recv, type, count);
    }

    /** Symmetric memory; collective. */
    SymmetricArray far(OpenShmem shmem, DataType type, long count) {
        return far.computeIfAbsent(type, each -> {
                    SymmetricArray made = shmem.allocate(each, bytes / each.bytes());
                    made.segment().fill(POISON);
                    return made;
                })
                .slice(0, count);
    }

    private static HostArray view(MemorySegment memory, DataType type, long count) {
        return HostArray.wrap(memory.asSlice(0, count * type.bytes()), type);
    }

    /**
     * Copies {@code bytes} from this rank's one buffer to its other. The same memory as in the measured calls: which
     * pages the system gave makes a difference of up to a fifth.
     */
    void plainCopies(long bytes, long times) {
        for (long i = 0; i < times; i++) {
            MemorySegment.copy(send, 0, recv, 0, bytes);
        }
    }

    /** Frees what the communicator did not give. */
    @Override
    public void close() {
        far.values().forEach(SymmetricArray::close);
        arena.close();
    }
}
