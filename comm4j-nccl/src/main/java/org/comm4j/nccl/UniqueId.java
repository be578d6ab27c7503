// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * The 128 bytes ({@code ncclUniqueId}) by which the ranks of a new communicator find each other: one rank creates them
 * and hands them to the others by whatever means. {@link Nccl#communicator(org.comm4j.core.World,
 * org.comm4j.cuda.Device)} does that by itself. The process that created an id must live until the communicator is
 * made.
 */
public final class UniqueId {
    /** The size of an id. */
    public static final int BYTES = 128;

    private final byte[] bytes;

    private UniqueId(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a new id ({@code ncclGetUniqueId}); opens the socket on which this process waits for the other ranks. */
    public static UniqueId create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(BYTES, 8);
            LibNccl.ncclGetUniqueId(id);
            return read(id);
        } catch (NativeCallException e) {
            throw new NcclException("UniqueId.create", e);
        }
    }

    static UniqueId read(MemorySegment id) {
        return new UniqueId(id.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns the id that {@link #toBytes()} gave in another process. */
    public static UniqueId of(byte[] bytes) {
        nonNull(bytes, "UniqueId.of", "bytes");
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a unique id has " + BYTES + " bytes, not " + bytes.length);
        }
        return new UniqueId(bytes.clone());
    }

    /** Returns a copy of the bytes, to be sent to the other ranks. Whoever has them can join the communicator. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    static MemorySegment write(List<UniqueId> ids, Arena arena) {
        MemorySegment segment = arena.allocate((long) ids.size() * BYTES, 8);
        for (int i = 0; i < ids.size(); i++) {
            MemorySegment.copy(ids.get(i).bytes, 0, segment, ValueLayout.JAVA_BYTE, (long) i * BYTES, BYTES);
        }
        return segment;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UniqueId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Without the bytes, which let anybody join. */
    @Override
    public String toString() {
        return "UniqueId[" + Integer.toHexString(hashCode()) + "]";
    }
}
