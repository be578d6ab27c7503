// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.Events;

/**
 * Puts and gets: of arrays, of every so many elements or blocks, of single values. The other side is a {@link
 * SymmetricBuffer}, named by this PE's own object and the number of the PE; this side is any array in host memory.
 *
 * <p>A put has taken what it needs from {@code source} when it returns; another PE has the data after {@link
 * OpenShmem#quiet()}, a {@link Team#barrier()}, or when it sees something that this PE did after a {@link
 * OpenShmem#fence()}.
 */
abstract sealed class OneSided extends SignalOperations permits Context, OpenShmem {
    OneSided(Session session, Engine.Stream stream) {
        super(session, stream);
    }

    // ---- put ----

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe} ({@code shmem_put}).
     *
     * @throws IllegalArgumentException if the types differ or {@code pe} is no PE
     * @throws IndexOutOfBoundsException if {@code destination} is too small
     */
    public final void put(SymmetricBuffer destination, Buffer source, int pe) {
        nonNull(source, "put", "source");
        put(destination, source, source.count(), pe);
    }

    /** {@link #put(SymmetricBuffer, Buffer, int)} of the first {@code count} elements. */
    public final void put(SymmetricBuffer destination, Buffer source, long count, int pe) {
        put(destination, 0, source, 0, count, pe);
    }

    /**
     * {@link #put(SymmetricBuffer, Buffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void put(
            SymmetricBuffer destination, long index, Buffer source, long sourceIndex, long count, int pe) {
        CommunicationEvent event = Events.begin();
        long to = session.offset("put", "destination", destination, index, count);
        MemorySegment from = session.local("put", "source", source, sourceIndex, count, destination);
        int there = pe("put", pe);
        long bytes = destination.type().bytes();
        session.put(stream, to, from, sourceIndex * bytes, count * bytes, there);
        session.ended(event, "put", destination, count, there);
    }

    /**
     * {@link #put(SymmetricBuffer, Buffer, int)} that may return earlier: {@code source} must stay as it is until
     * {@link OpenShmem#quiet()}, after which the data is there. Two of these arrive in any order unless a {@link
     * OpenShmem#fence()} is between them ({@code shmem_put_nbi}).
     */
    public final void putNbi(SymmetricBuffer destination, Buffer source, int pe) {
        nonNull(source, "putNbi", "source");
        putNbi(destination, source, source.count(), pe);
    }

    /** {@link #putNbi(SymmetricBuffer, Buffer, int)} of the first {@code count} elements. */
    public final void putNbi(SymmetricBuffer destination, Buffer source, long count, int pe) {
        putNbi(destination, 0, source, 0, count, pe);
    }

    /**
     * {@link #putNbi(SymmetricBuffer, Buffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void putNbi(
            SymmetricBuffer destination, long index, Buffer source, long sourceIndex, long count, int pe) {
        CommunicationEvent event = Events.begin();
        long to = session.offset("putNbi", "destination", destination, index, count);
        MemorySegment from = session.local("putNbi", "source", source, sourceIndex, count, destination);
        int there = pe("putNbi", pe);
        long bytes = destination.type().bytes();
        session.putNbi(stream, to, from, sourceIndex * bytes, count * bytes, there);
        session.ended(event, "putNbi", destination, count, there);
    }

    // ---- get ----

    /**
     * Fills {@code destination} from the front of {@code source} on {@code pe}; it is filled when the method returns
     * ({@code shmem_get}).
     *
     * @throws IllegalArgumentException if the types differ or {@code pe} is no PE
     * @throws IndexOutOfBoundsException if {@code source} is too small
     */
    public final void get(Buffer destination, SymmetricBuffer source, int pe) {
        nonNull(destination, "get", "destination");
        get(destination, source, destination.count(), pe);
    }

    /** {@link #get(Buffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    public final void get(Buffer destination, SymmetricBuffer source, long count, int pe) {
        get(destination, 0, source, 0, count, pe);
    }

    /**
     * {@link #get(Buffer, SymmetricBuffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void get(
            Buffer destination, long index, SymmetricBuffer source, long sourceIndex, long count, int pe) {
        CommunicationEvent event = Events.begin();
        long from = session.offset("get", "source", source, sourceIndex, count);
        MemorySegment to = session.writable("get", "destination", destination, index, count, source);
        int there = pe("get", pe);
        long bytes = source.type().bytes();
        session.get(stream, to, index * bytes, from, count * bytes, there);
        session.ended(event, "get", source, count, there);
    }

    /**
     * {@link #get(Buffer, SymmetricBuffer, int)} that may return earlier: {@code destination} is filled after {@link
     * OpenShmem#quiet()} ({@code shmem_get_nbi}).
     */
    public final void getNbi(Buffer destination, SymmetricBuffer source, int pe) {
        nonNull(destination, "getNbi", "destination");
        getNbi(destination, source, destination.count(), pe);
    }

    /** {@link #getNbi(Buffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    public final void getNbi(Buffer destination, SymmetricBuffer source, long count, int pe) {
        getNbi(destination, 0, source, 0, count, pe);
    }

    /**
     * {@link #getNbi(Buffer, SymmetricBuffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void getNbi(
            Buffer destination, long index, SymmetricBuffer source, long sourceIndex, long count, int pe) {
        CommunicationEvent event = Events.begin();
        long from = session.offset("getNbi", "source", source, sourceIndex, count);
        MemorySegment to = session.writable("getNbi", "destination", destination, index, count, source);
        int there = pe("getNbi", pe);
        long bytes = source.type().bytes();
        session.getNbi(stream, to, index * bytes, from, count * bytes, there);
        session.ended(event, "getNbi", source, count, there);
    }

    // ---- strided ----

    /**
     * Copies {@code count} elements, every {@code sourceStride}-th of {@code source} to every {@code
     * destinationStride}-th of {@code destination} on {@code pe} ({@code shmem_iput}).
     *
     * @param destinationStride in elements, at least 1
     * @param sourceStride likewise
     */
    public final void iput(
            SymmetricBuffer destination, Buffer source, long destinationStride, long sourceStride, long count, int pe) {
        nonNull(destination, "iput", "destination");
        nonNull(source, "iput", "source");
        putBlocks("iput", destination, source, destinationStride, sourceStride, 1, count, pe);
    }

    /**
     * The counterpart of {@link #iput}: from {@code source} on {@code pe} to {@code destination} ({@code shmem_iget}).
     */
    public final void iget(
            Buffer destination, SymmetricBuffer source, long destinationStride, long sourceStride, long count, int pe) {
        nonNull(destination, "iget", "destination");
        nonNull(source, "iget", "source");
        getBlocks("iget", destination, source, destinationStride, sourceStride, 1, count, pe);
    }

    /**
     * Copies {@code blocks} blocks of {@code blockSize} elements: block i from element {@code i * sourceStride} of
     * {@code source} to element {@code i * destinationStride} of {@code destination} on {@code pe} ({@code
     * shmem_ibput}, OpenSHMEM 1.6).
     *
     * @param destinationStride in elements, at least {@code blockSize}
     * @param sourceStride likewise
     * @param blockSize at least 1
     */
    public final void ibput(
            SymmetricBuffer destination,
            Buffer source,
            long destinationStride,
            long sourceStride,
            long blockSize,
            long blocks,
            int pe) {
        nonNull(destination, "ibput", "destination");
        nonNull(source, "ibput", "source");
        putBlocks("ibput", destination, source, destinationStride, sourceStride, blockSize, blocks, pe);
    }

    /**
     * The counterpart of {@link #ibput}: from {@code source} on {@code pe} to {@code destination} ({@code shmem_ibget},
     * OpenSHMEM 1.6).
     */
    public final void ibget(
            Buffer destination,
            SymmetricBuffer source,
            long destinationStride,
            long sourceStride,
            long blockSize,
            long blocks,
            int pe) {
        nonNull(destination, "ibget", "destination");
        nonNull(source, "ibget", "source");
        getBlocks("ibget", destination, source, destinationStride, sourceStride, blockSize, blocks, pe);
    }

    private void putBlocks(
            String operation,
            SymmetricBuffer destination,
            Buffer source,
            long destinationStride,
            long sourceStride,
            long blockSize,
            long blocks,
            int pe) {
        CommunicationEvent event = Events.begin();
        long span = span(operation, destinationStride, blockSize, blocks);
        long to = session.offset(operation, "destination", destination, 0, span);
        MemorySegment from = session.local(
                operation, "source", source, 0, span(operation, sourceStride, blockSize, blocks), destination);
        int there = pe(operation, pe);
        long bytes = destination.type().bytes();
        long heap = session.heaps[there];
        if (heap < 0) {
            for (long i = 0; i < blocks; i++) {
                session.put(
                        stream,
                        to + i * destinationStride * bytes,
                        from,
                        i * sourceStride * bytes,
                        blockSize * bytes,
                        there);
            }
        } else {
            copyBlocks(
                    from,
                    0,
                    sourceStride * bytes,
                    session.memory,
                    heap + to,
                    destinationStride * bytes,
                    blockSize * bytes,
                    blocks);
            session.engine.written(there);
        }
        session.ended(event, operation, destination, blockSize * blocks, there);
    }

    private void getBlocks(
            String operation,
            Buffer destination,
            SymmetricBuffer source,
            long destinationStride,
            long sourceStride,
            long blockSize,
            long blocks,
            int pe) {
        CommunicationEvent event = Events.begin();
        long span = span(operation, sourceStride, blockSize, blocks);
        long from = session.offset(operation, "source", source, 0, span);
        MemorySegment to = session.writable(
                operation,
                "destination",
                destination,
                0,
                span(operation, destinationStride, blockSize, blocks),
                source);
        int there = pe(operation, pe);
        long bytes = source.type().bytes();
        long heap = session.heaps[there];
        if (heap < 0) {
            for (long i = 0; i < blocks; i++) {
                session.get(
                        stream,
                        to,
                        i * destinationStride * bytes,
                        from + i * sourceStride * bytes,
                        blockSize * bytes,
                        there);
            }
        } else {
            copyBlocks(
                    session.memory,
                    heap + from,
                    sourceStride * bytes,
                    to,
                    0,
                    destinationStride * bytes,
                    blockSize * bytes,
                    blocks);
        }
        session.ended(event, operation, source, blockSize * blocks, there);
    }

    /** From the first element to the last one. */
    private long span(String operation, long stride, long blockSize, long blocks) {
        if (blockSize < 1 || stride < blockSize) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": stride " + stride
                    + " is not at least " + (blockSize < 1 ? "1, and so large blocks there are not: " : "")
                    + blockSize);
        }
        if (blocks < 0 || blocks > 0 && blocks - 1 > (Long.MAX_VALUE - blockSize) / stride) {
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": count " + blocks + " with stride " + stride);
        }
        return blocks == 0 ? 0 : (blocks - 1) * stride + blockSize;
    }

    private static void copyBlocks(
            MemorySegment from,
            long fromAt,
            long fromStride,
            MemorySegment to,
            long toAt,
            long toStride,
            long block,
            long blocks) {
        for (long i = 0; i < blocks; i++) {
            long source = fromAt + i * fromStride;
            long target = toAt + i * toStride;
            // Single elements are not worth a call of the copying routine.
            switch ((int) Math.min(block, 16)) {
                case 1 -> to.set(ValueLayout.JAVA_BYTE, target, from.get(ValueLayout.JAVA_BYTE, source));
                case 2 -> to.set(SHORT, target, from.get(SHORT, source));
                case 4 -> to.set(INT, target, from.get(INT, source));
                case 8 -> to.set(LONG, target, from.get(LONG, source));
                default -> MemorySegment.copy(from, source, to, target, block);
            }
        }
    }

    /** Blocks of several small elements need not be aligned as one of their size. */
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    // ---- single values ----

    /**
     * Stores one integer, cut to the element type, on {@code pe} ({@code shmem_p}).
     *
     * @throws IllegalArgumentException if the array is not of integers
     */
    public final void p(SymmetricBuffer destination, long index, long value, int pe) {
        nonNull(destination, "p", "destination");
        if (!destination.type().isInteger()) {
            throw wrongType("p of an integer", destination);
        }
        store("p", destination, index, value, pe);
    }

    /** Stores one real floating-point number, rounded to the element type, on {@code pe} ({@code shmem_p}). */
    public final void p(SymmetricBuffer destination, long index, double value, int pe) {
        nonNull(destination, "p", "destination");
        store("p", destination, index, encode(destination, value), pe);
    }

    /** Loads one integer of {@code pe}, unsigned types zero-extended ({@code shmem_g}). */
    public final long g(SymmetricBuffer source, long index, int pe) {
        nonNull(source, "g", "source");
        DataType type = source.type();
        if (!type.isInteger()) {
            throw wrongType("g of an integer", source);
        }
        long bits = load("g", source, index, pe);
        int unused = Long.SIZE - type.bytes() * Byte.SIZE;
        return type.isUnsigned() ? bits << unused >>> unused : bits << unused >> unused;
    }

    /** Loads one real floating-point number of {@code pe} ({@code shmem_g}). */
    public final double gDouble(SymmetricBuffer source, long index, int pe) {
        nonNull(source, "gDouble", "source");
        DataType type = source.type();
        if (!type.isFloat()) {
            throw wrongType("g of a floating-point number", source);
        }
        long bits = load("gDouble", source, index, pe);
        return switch (type) {
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            case FLOAT16 -> Float.float16ToFloat((short) bits);
            case BFLOAT16 -> SmallFloats.bfloat16ToFloat((short) bits);
            case FLOAT8_E4M3 -> SmallFloats.e4m3ToFloat((byte) bits);
            default -> SmallFloats.e5m2ToFloat((byte) bits);
        };
    }

    /** Stores one complex number, its parts rounded to those of the element type, on {@code pe}. */
    public final void pComplex(SymmetricBuffer destination, long index, double real, double imaginary, int pe) {
        CommunicationEvent event = Events.begin();
        try (Arena arena = Arena.ofConfined()) {
            HostArray cell = HostArray.allocate(arena, checkComplex("pComplex", destination), 1);
            cell.setComplex(0, real, imaginary);
            long to = session.offset("pComplex", "destination", destination, index, 1);
            int there = pe("pComplex", pe);
            session.put(stream, to, cell.segment(), 0, cell.byteSize(), there);
            session.ended(event, "pComplex", destination, 1, there);
        }
    }

    /** Loads one complex number of {@code pe}: the real part, the imaginary part. */
    public final double[] gComplex(SymmetricBuffer source, long index, int pe) {
        CommunicationEvent event = Events.begin();
        try (Arena arena = Arena.ofConfined()) {
            HostArray cell = HostArray.allocate(arena, checkComplex("gComplex", source), 1);
            long from = session.offset("gComplex", "source", source, index, 1);
            int there = pe("gComplex", pe);
            session.get(stream, cell.segment(), 0, from, cell.byteSize(), there);
            session.ended(event, "gComplex", source, 1, there);
            return new double[] {cell.getReal(0), cell.getImaginary(0)};
        }
    }

    private DataType checkComplex(String operation, SymmetricBuffer array) {
        if (!nonNull(array, operation, "array").type().isComplex()) {
            throw wrongType(operation, array);
        }
        return array.type();
    }

    private long encode(SymmetricBuffer destination, double value) {
        return switch (destination.type()) {
            case FLOAT64 -> Double.doubleToRawLongBits(value);
            case FLOAT32 -> Float.floatToRawIntBits((float) value);
            case FLOAT16 -> Float.floatToFloat16((float) value);
            case BFLOAT16 -> SmallFloats.floatToBfloat16((float) value);
            case FLOAT8_E4M3 -> SmallFloats.floatToE4m3((float) value);
            case FLOAT8_E5M2 -> SmallFloats.floatToE5m2((float) value);
            default -> throw wrongType("p of a floating-point number", destination);
        };
    }

    private void store(String operation, SymmetricBuffer destination, long index, long bits, int pe) {
        CommunicationEvent event = Events.begin();
        long to = session.offset(operation, "destination", destination, index, 1);
        int there = pe(operation, pe);
        int bytes = destination.type().bytes();
        long heap = session.heaps[there];
        if (heap >= 0) {
            store(session.memory, heap + to, bytes, bits);
            session.engine.written(there);
        } else {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment cell = arena.allocate(Long.BYTES, Long.BYTES);
                store(cell, 0, bytes, bits);
                session.put(stream, to, cell, 0, bytes, there);
            }
        }
        session.ended(event, operation, destination, 1, there);
    }

    private static void store(MemorySegment memory, long at, int bytes, long bits) {
        switch (bytes) {
            case 1 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case 2 -> memory.set(ValueLayout.JAVA_SHORT, at, (short) bits);
            case 4 -> Atomic.INT.setOpaque(memory, at, (int) bits);
            default -> Atomic.LONG.setOpaque(memory, at, bits);
        }
    }

    private long load(String operation, SymmetricBuffer source, long index, int pe) {
        CommunicationEvent event = Events.begin();
        long from = session.offset(operation, "source", source, index, 1);
        int there = pe(operation, pe);
        int bytes = source.type().bytes();
        long heap = session.heaps[there];
        long bits = heap >= 0 ? load(session.memory, heap + from, bytes) : loadFar(from, bytes, there);
        session.ended(event, operation, source, 1, there);
        return bits;
    }

    private long loadFar(long from, int bytes, int there) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(Long.BYTES, Long.BYTES);
            session.get(stream, cell, 0, from, bytes, there);
            return load(cell, 0, bytes);
        }
    }

    private static long load(MemorySegment memory, long at, int bytes) {
        return switch (bytes) {
            case 1 -> memory.get(ValueLayout.JAVA_BYTE, at);
            case 2 -> memory.get(ValueLayout.JAVA_SHORT, at);
            case 4 -> (int) Atomic.INT.getOpaque(memory, at);
            default -> (long) Atomic.LONG.getOpaque(memory, at);
        };
    }

    private IllegalArgumentException wrongType(String use, SymmetricBuffer array) {
        return new IllegalArgumentException(use + " on " + session.where() + ": " + array + " is not for that");
    }

    // ---- order ----

    /**
     * Orders this stream's earlier puts, signals and atomics before its later ones, PE by PE ({@code shmem_fence},
     * {@code shmem_ctx_fence}).
     */
    public final void fence() {
        check("fence");
        stream.fence();
    }

    /**
     * Returns when this stream's puts, signals and atomics are done everywhere, and what was begun without waiting has
     * ended ({@code shmem_quiet}, {@code shmem_ctx_quiet}). What was begun on a {@link Context} is its own: {@link
     * OpenShmem#quiet} does not wait for it.
     */
    public final void quiet() {
        CommunicationEvent event = Events.begin();
        check("quiet");
        stream.quiet();
        session.ended(event, "quiet");
    }

    /**
     * {@link #quiet} for what goes to these PEs; that to others may be done, too ({@code shmem_pe_quiet}, OpenSHMEM
     * 1.6).
     *
     * @throws IllegalArgumentException if one of them is no PE
     */
    public final void peQuiet(int... pes) {
        nonNull(pes, "peQuiet", "pes");
        CommunicationEvent event = Events.begin();
        check("peQuiet");
        for (int pe : pes) {
            int ignored = pe("peQuiet", pe);
        }
        if (pes.length > 0) {
            stream.quiet();
        }
        session.ended(event, "peQuiet");
    }

    /**
     * Says that many operations follow, which may be held back and sent together until {@link #sessionStop} ({@code
     * shmem_ctx_session_start}, OpenSHMEM 1.6). No operation means anything else for it, and no engine makes use of it
     * yet. Sessions do not nest: a second start is part of the first.
     */
    public final void sessionStart() {
        check("sessionStart");
    }

    /**
     * Ends what {@link #sessionStart} began, if anything; completes nothing ({@code shmem_ctx_session_stop}, OpenSHMEM
     * 1.6).
     */
    public final void sessionStop() {
        check("sessionStop");
    }

    abstract void check(String operation);
}
