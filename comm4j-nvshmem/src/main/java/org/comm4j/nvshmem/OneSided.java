// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.ref.Reference;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.WaitSet;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemBits;
import org.comm4j.ffi.nvshmem.NvshmemType;

/**
 * Puts and gets: of arrays, of every so many elements, of single values.
 *
 * <p>The other side is a {@link SymmetricArray}, named by this PE's own object and the number of the PE. This side is
 * an array on this GPU, symmetric or not, or in host memory; for a PE whose memory this GPU does not {@linkplain
 * Nvshmem#reaches reach} it must be symmetric or {@linkplain Nvshmem#registerLocal registered}.
 */
abstract sealed class OneSided extends SignalOperations permits Nvshmem {
    /** The copy engine's rows are at most so many bytes apart; a longer stride would end the process. */
    private static final long MOST_PITCH = Integer.MAX_VALUE;

    OneSided(Session session) {
        super(session);
    }

    // ---- put ----

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe} ({@code nvshmem_putmem}: an
     * element is so many bytes, whatever its type). Work that is in streams is not waited for. When the method returns,
     * {@code source} can be used again, and the data is there, if this GPU {@linkplain Nvshmem#reaches reaches} the
     * memory of {@code pe}; if not, after {@link Nvshmem#quiet()}.
     *
     * @param source on this GPU or in host memory
     * @throws IllegalArgumentException if the types differ, {@code pe} is no PE, or the two overlap in part
     * @throws IndexOutOfBoundsException if {@code destination} is too small
     */
    public final void put(SymmetricBuffer destination, Buffer source, int pe) {
        nonNull(source, "put", "source");
        put(destination, source, source.count(), pe);
    }

    /** {@link #put(SymmetricBuffer, Buffer, int)} of the first {@code count} elements. */
    public final void put(SymmetricBuffer destination, Buffer source, long count, int pe) {
        move(Move.PUT, destination, 0, source, 0, count, pe);
    }

    /**
     * {@link #put(SymmetricBuffer, Buffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void put(
            SymmetricBuffer destination, long index, Buffer source, long sourceIndex, long count, int pe) {
        move(Move.PUT, destination, index, source, sourceIndex, count, pe);
    }

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe}, ordered on {@code stream}
     * ({@code nvshmemx_putmem_on_stream}). When the stream has passed the copy, {@code source} can be used again, and
     * the data is there, if this GPU {@linkplain Nvshmem#reaches reaches} the memory of {@code pe}; if not, after
     * {@link Nvshmem#quiet(Stream)}.
     *
     * @param source on this GPU, or in host memory; that must be pinned for the copy to run beside the host, and stay
     *     as it is until then
     * @throws IllegalArgumentException if the types differ, {@code pe} is no PE, the stream is on another GPU, or the
     *     two overlap in part
     * @throws IndexOutOfBoundsException if {@code destination} is too small
     */
    public final void put(SymmetricBuffer destination, Buffer source, int pe, Stream stream) {
        nonNull(source, "put", "source");
        put(destination, source, source.count(), pe, stream);
    }

    /** {@link #put(SymmetricBuffer, Buffer, int, Stream)} of the first {@code count} elements. */
    public final void put(SymmetricBuffer destination, Buffer source, long count, int pe, Stream stream) {
        move(Move.PUT, destination, source, count, pe, stream);
    }

    /**
     * Begins to copy all of {@code source} to the front of {@code destination} on {@code pe} and returns. {@code
     * source} must stay as it is, and open, until {@link Nvshmem#quiet()}, after which the data is there. Two of these
     * arrive in any order, also at one PE, unless a {@link Nvshmem#fence()} is between them ({@code
     * nvshmem_putmem_nbi}).
     */
    public final void putNbi(SymmetricBuffer destination, Buffer source, int pe) {
        nonNull(source, "putNbi", "source");
        putNbi(destination, source, source.count(), pe);
    }

    /** {@link #putNbi(SymmetricBuffer, Buffer, int)} of the first {@code count} elements. */
    public final void putNbi(SymmetricBuffer destination, Buffer source, long count, int pe) {
        move(Move.PUT_NBI, destination, 0, source, 0, count, pe);
    }

    /**
     * {@link #putNbi(SymmetricBuffer, Buffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void putNbi(
            SymmetricBuffer destination, long index, Buffer source, long sourceIndex, long count, int pe) {
        move(Move.PUT_NBI, destination, index, source, sourceIndex, count, pe);
    }

    /**
     * {@link #putNbi(SymmetricBuffer, Buffer, int)} that begins when {@code stream} has come there; what is put into
     * the stream next does not wait for its end. {@link Nvshmem#quiet(Stream)} does, and must follow in the same graph
     * where the stream is being recorded ({@code nvshmemx_putmem_nbi_on_stream}).
     */
    public final void putNbi(SymmetricBuffer destination, Buffer source, int pe, Stream stream) {
        nonNull(source, "putNbi", "source");
        putNbi(destination, source, source.count(), pe, stream);
    }

    /** {@link #putNbi(SymmetricBuffer, Buffer, int, Stream)} of the first {@code count} elements. */
    public final void putNbi(SymmetricBuffer destination, Buffer source, long count, int pe, Stream stream) {
        move(Move.PUT_NBI, destination, source, count, pe, stream);
    }

    // ---- get ----

    /**
     * Fills {@code destination} from the front of {@code source} on {@code pe}; it is filled when the method returns.
     * Work that is in streams is not waited for ({@code nvshmem_getmem}).
     *
     * @param destination on this GPU or in host memory
     * @throws IllegalArgumentException if the types differ, {@code pe} is no PE, or the two overlap in part
     * @throws IndexOutOfBoundsException if {@code source} is too small
     */
    public final void get(Buffer destination, SymmetricBuffer source, int pe) {
        nonNull(destination, "get", "destination");
        get(destination, source, destination.count(), pe);
    }

    /** {@link #get(Buffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    public final void get(Buffer destination, SymmetricBuffer source, long count, int pe) {
        move(Move.GET, source, 0, destination, 0, count, pe);
    }

    /**
     * {@link #get(Buffer, SymmetricBuffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void get(
            Buffer destination, long index, SymmetricBuffer source, long sourceIndex, long count, int pe) {
        move(Move.GET, source, sourceIndex, destination, index, count, pe);
    }

    /** {@link #get(Buffer, SymmetricBuffer, int)}, ordered on {@code stream} ({@code nvshmemx_getmem_on_stream}). */
    public final void get(Buffer destination, SymmetricBuffer source, int pe, Stream stream) {
        nonNull(destination, "get", "destination");
        get(destination, source, destination.count(), pe, stream);
    }

    /** {@link #get(Buffer, SymmetricBuffer, int, Stream)} of the first {@code count} elements. */
    public final void get(Buffer destination, SymmetricBuffer source, long count, int pe, Stream stream) {
        move(Move.GET, source, destination, count, pe, stream);
    }

    /**
     * Begins to fill {@code destination} from the front of {@code source} on {@code pe} and returns; {@code
     * destination} must stay open, and has the data, until and after {@link Nvshmem#quiet()} ({@code
     * nvshmem_getmem_nbi}).
     */
    public final void getNbi(Buffer destination, SymmetricBuffer source, int pe) {
        nonNull(destination, "getNbi", "destination");
        getNbi(destination, source, destination.count(), pe);
    }

    /** {@link #getNbi(Buffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    public final void getNbi(Buffer destination, SymmetricBuffer source, long count, int pe) {
        move(Move.GET_NBI, source, 0, destination, 0, count, pe);
    }

    /**
     * {@link #getNbi(Buffer, SymmetricBuffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    public final void getNbi(
            Buffer destination, long index, SymmetricBuffer source, long sourceIndex, long count, int pe) {
        move(Move.GET_NBI, source, sourceIndex, destination, index, count, pe);
    }

    /**
     * {@link #getNbi(Buffer, SymmetricBuffer, int)} that begins when {@code stream} has come there; {@link
     * Nvshmem#quiet(Stream)} waits for its end ({@code nvshmemx_getmem_nbi_on_stream}).
     */
    public final void getNbi(Buffer destination, SymmetricBuffer source, int pe, Stream stream) {
        nonNull(destination, "getNbi", "destination");
        getNbi(destination, source, destination.count(), pe, stream);
    }

    /** {@link #getNbi(Buffer, SymmetricBuffer, int, Stream)} of the first {@code count} elements. */
    public final void getNbi(Buffer destination, SymmetricBuffer source, long count, int pe, Stream stream) {
        move(Move.GET_NBI, source, destination, count, pe, stream);
    }

    private void move(
            Move move, SymmetricBuffer there, long indexThere, Buffer here, long indexHere, long count, int pe) {
        long place = session.place(move.operation, move.there, there, indexThere, count, pe);
        long address = local(move.operation, move.here, here, indexHere, count, there, place, pe);
        if (count > 0) {
            hold(here);
            try {
                session.enter(move.operation, there, count, pe);
                session.checkStillAlive(move.operation, here);
                try {
                    move.call(place, address, bytes(there, count), pe);
                } finally {
                    session.leave();
                }
            } finally {
                letGo(here);
                Reference.reachabilityFence(here);
            }
        }
    }

    private void move(Move move, SymmetricBuffer there, Buffer here, long count, int pe, Stream stream) {
        long place = session.place(move.operation, move.there, there, 0, count, pe);
        long address = local(move.operation, move.here, here, 0, count, there, place, pe);
        CUstream queue = session.enter(move.operation, stream, there, count, pe);
        try {
            if (count > 0) {
                use(there, here, stream);
                move.call(place, address, bytes(there, count), pe, queue);
            }
        } finally {
            session.leave();
            Reference.reachabilityFence(here);
        }
    }

    // ---- strided ----

    /**
     * Copies {@code count} elements, every {@code sourceStride}-th of {@code source} to every {@code
     * destinationStride}-th of {@code destination} on {@code pe}; they are there when the method returns ({@code
     * nvshmem_iput<N>} with the element's size).
     *
     * @param destinationStride in elements, at least 1; at most 2 GiB
     * @param sourceStride likewise
     * @throws UnsupportedOperationException if this GPU does not {@linkplain Nvshmem#reaches reach} the memory of
     *     {@code pe}
     */
    public final void iput(
            SymmetricBuffer destination, Buffer source, long destinationStride, long sourceStride, long count, int pe) {
        nonNull(destination, "iput", "destination");
        nonNull(source, "iput", "source");
        strided(true, destination, source, destinationStride, sourceStride, count, pe);
    }

    /**
     * {@link #iput(SymmetricBuffer, Buffer, long, long, long, int)}, ordered on {@code stream} ({@code
     * nvshmemx_iput<N>_on_stream}).
     */
    public final void iput(
            SymmetricBuffer destination,
            Buffer source,
            long destinationStride,
            long sourceStride,
            long count,
            int pe,
            Stream stream) {
        nonNull(destination, "iput", "destination");
        nonNull(source, "iput", "source");
        nonNull(stream, "iput", "stream");
        strided(true, destination, source, destinationStride, sourceStride, count, pe, stream);
    }

    /**
     * The counterpart of {@link #iput(SymmetricBuffer, Buffer, long, long, long, int)}: from {@code source} on {@code
     * pe} to {@code destination} ({@code nvshmem_iget<N>}).
     */
    public final void iget(
            Buffer destination, SymmetricBuffer source, long destinationStride, long sourceStride, long count, int pe) {
        nonNull(destination, "iget", "destination");
        nonNull(source, "iget", "source");
        strided(false, source, destination, sourceStride, destinationStride, count, pe);
    }

    /**
     * {@link #iget(Buffer, SymmetricBuffer, long, long, long, int)}, ordered on {@code stream} ({@code
     * nvshmemx_iget<N>_on_stream}).
     */
    public final void iget(
            Buffer destination,
            SymmetricBuffer source,
            long destinationStride,
            long sourceStride,
            long count,
            int pe,
            Stream stream) {
        nonNull(destination, "iget", "destination");
        nonNull(source, "iget", "source");
        nonNull(stream, "iget", "stream");
        strided(false, source, destination, sourceStride, destinationStride, count, pe, stream);
    }

    private void strided(
            boolean put, SymmetricBuffer there, Buffer here, long thereStride, long hereStride, long count, int pe) {
        String call = put ? "iput" : "iget";
        long place = strided(call, put ? "destination" : "source", there, thereStride, count, pe);
        long address = strided(call, put ? "source" : "destination", here, hereStride, count, there, place, pe);
        NvshmemBits bits = Types.strided(there.type());
        if (count > 0) {
            hold(here);
            try {
                session.enter(call, there, count, pe);
                session.checkStillAlive(call, here);
                try {
                    if (put) {
                        LibNvshmem.nvshmem_iput(bits, place, address, thereStride, hereStride, count, pe);
                    } else {
                        LibNvshmem.nvshmem_iget(bits, address, place, hereStride, thereStride, count, pe);
                    }
                } finally {
                    session.leave();
                }
            } finally {
                letGo(here);
                Reference.reachabilityFence(here);
            }
        }
    }

    private void strided(
            boolean put,
            SymmetricBuffer there,
            Buffer here,
            long thereStride,
            long hereStride,
            long count,
            int pe,
            Stream stream) {
        String call = put ? "iput" : "iget";
        long place = strided(call, put ? "destination" : "source", there, thereStride, count, pe);
        long address = strided(call, put ? "source" : "destination", here, hereStride, count, there, place, pe);
        NvshmemBits bits = Types.strided(there.type());
        CUstream queue = session.enter(call, stream, there, count, pe);
        try {
            if (count > 0) {
                use(there, here, stream);
                if (put) {
                    LibNvshmem.nvshmemx_iput_on_stream(bits, place, address, thereStride, hereStride, count, pe, queue);
                } else {
                    LibNvshmem.nvshmemx_iget_on_stream(bits, address, place, hereStride, thereStride, count, pe, queue);
                }
            }
        } finally {
            session.leave();
            Reference.reachabilityFence(here);
        }
    }

    // ---- single values ----

    /**
     * Stores one integer, cut to the element type, on {@code pe} ({@code nvshmem_<T>_p}). It is there when the method
     * returns, if this GPU {@linkplain Nvshmem#reaches reaches} the memory of {@code pe}; if not, after {@link
     * Nvshmem#quiet()}.
     *
     * @throws IllegalArgumentException if the array is not of integers
     */
    public final void p(SymmetricBuffer destination, long index, long value, int pe) {
        long to = session.place("p", "destination", destination, index, 1, pe);
        p(integer("p", destination), destination, to, value, pe);
    }

    /** Stores one real floating-point number, rounded to the element type, on {@code pe} ({@code nvshmem_<T>_p}). */
    public final void p(SymmetricBuffer destination, long index, double value, int pe) {
        long to = session.place("p", "destination", destination, index, 1, pe);
        p(floating("p", destination), destination, to, encode(destination.type(), value), pe);
    }

    private void p(NvshmemType type, SymmetricBuffer destination, long to, long bits, int pe) {
        session.enter("p", destination, 1, pe);
        try {
            LibNvshmem.nvshmem_p(type, to, bits, pe);
        } finally {
            session.leave();
        }
    }

    /**
     * {@link #p(SymmetricBuffer, long, long, int)}, ordered on {@code stream} ({@code nvshmemx_<T>_p_on_stream}).
     *
     * @throws IllegalStateException if the stream is being recorded: the graph would read the value from where it no
     *     longer is
     */
    public final void p(SymmetricBuffer destination, long index, long value, int pe, Stream stream) {
        long to = session.place("p", "destination", destination, index, 1, pe);
        p(integer("p", destination), destination, to, value, pe, stream);
    }

    /**
     * {@link #p(SymmetricBuffer, long, double, int)}, ordered on {@code stream}; otherwise like the one of an integer.
     */
    public final void p(SymmetricBuffer destination, long index, double value, int pe, Stream stream) {
        long to = session.place("p", "destination", destination, index, 1, pe);
        p(floating("p", destination), destination, to, encode(destination.type(), value), pe, stream);
    }

    private void p(NvshmemType type, SymmetricBuffer destination, long to, long bits, int pe, Stream stream) {
        CUstream queue = session.enter("p", stream, destination, 1, pe);
        try {
            session.checkNotRecorded("p", queue, "put an array of one element, or signal");
            Session.use(destination, stream);
            LibNvshmem.nvshmemx_p_on_stream(type, to, bits, pe, queue);
        } finally {
            session.leave();
        }
    }

    /**
     * One integer of {@code pe}, unsigned types zero-extended ({@code nvshmem_<T>_g}).
     *
     * @throws IllegalArgumentException if the array is not of integers
     * @throws UnsupportedOperationException if this GPU does not {@linkplain Nvshmem#reaches reach} the memory of
     *     {@code pe}
     */
    public final long g(SymmetricBuffer source, long index, int pe) {
        long from = session.place("g", "source", source, index, 1, pe);
        return WaitSet.widened(source.type(), g(integer("g", source), source, from, pe));
    }

    /** One real floating-point number of {@code pe} ({@code nvshmem_<T>_g}). */
    public final double gDouble(SymmetricBuffer source, long index, int pe) {
        long from = session.place("g", "source", source, index, 1, pe);
        return decode(source.type(), g(floating("g", source), source, from, pe));
    }

    private long g(NvshmemType type, SymmetricBuffer source, long from, int pe) {
        checkReaches("g", source, pe);
        session.enter("g", source, 1, pe);
        try {
            return LibNvshmem.nvshmem_g(type, from, pe);
        } finally {
            session.leave();
        }
    }

    /**
     * {@link #g(SymmetricBuffer, long, int)} when {@code stream} has come there. Since it returns the value, it waits
     * for all work that is in the stream, however long that takes; {@link Nvshmem#synchronize(Stream)} before it waits
     * with a limit ({@code nvshmemx_<T>_g_on_stream}, which copies to a variable of the caller and returns when that is
     * done).
     *
     * @throws IllegalStateException if the stream is being recorded: a graph returns nothing
     */
    public final long g(SymmetricBuffer source, long index, int pe, Stream stream) {
        long from = session.place("g", "source", source, index, 1, pe);
        return WaitSet.widened(source.type(), g(integer("g", source), source, from, pe, stream));
    }

    /**
     * {@link #gDouble(SymmetricBuffer, long, int)} when {@code stream} has come there; otherwise like the one of an
     * integer.
     */
    public final double gDouble(SymmetricBuffer source, long index, int pe, Stream stream) {
        long from = session.place("g", "source", source, index, 1, pe);
        return decode(source.type(), g(floating("g", source), source, from, pe, stream));
    }

    private long g(NvshmemType type, SymmetricBuffer source, long from, int pe, Stream stream) {
        checkReaches("g", source, pe);
        CUstream queue = session.enter("g", stream, source, 1, pe);
        try {
            session.checkNotRecorded("g", queue, "get an array of one element");
            Session.use(source, stream);
            return LibNvshmem.nvshmemx_g_on_stream(type, from, pe, queue);
        } finally {
            session.leave();
        }
    }

    private NvshmemType integer(String operation, SymmetricBuffer array) {
        nonNull(array, operation, "array");
        if (!array.type().isInteger()) {
            throw new IllegalArgumentException(
                    operation + " of an integer on " + session.where() + ": " + array + " is not of integers");
        }
        return Types.scalar(operation, array.type());
    }

    private NvshmemType floating(String operation, SymmetricBuffer array) {
        nonNull(array, operation, "array");
        if (array.type().isInteger()) {
            throw new IllegalArgumentException(
                    operation + " of a floating-point number on " + session.where() + ": " + array + " is of integers");
        }
        return Types.scalar(operation, array.type());
    }

    /** The bits of a value, as {@code p} takes them. */
    private static long encode(DataType type, double value) {
        return switch (type) {
            case FLOAT64 -> Double.doubleToRawLongBits(value);
            case FLOAT32 -> Float.floatToRawIntBits((float) value);
            case FLOAT16 -> Float.floatToFloat16((float) value);
            case BFLOAT16 -> SmallFloats.floatToBfloat16((float) value);
            case FLOAT8_E4M3 -> SmallFloats.floatToE4m3((float) value);
            case FLOAT8_E5M2 -> SmallFloats.floatToE5m2((float) value);
            default -> throw new AssertionError(type);
        };
    }

    /** A value of the bits that {@code g} returns. */
    private static double decode(DataType type, long bits) {
        return switch (type) {
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            case FLOAT16 -> Float.float16ToFloat((short) bits);
            case BFLOAT16 -> SmallFloats.bfloat16ToFloat((short) bits);
            case FLOAT8_E4M3 -> SmallFloats.e4m3ToFloat((byte) bits);
            case FLOAT8_E5M2 -> SmallFloats.e5m2ToFloat((byte) bits);
            default -> throw new AssertionError(type);
        };
    }

    // ---- checks ----

    /**
     * Begins a call that uses the array on this side: its memory stays until {@link #letGo}, whichever thread closes
     * it. That of the heap is given back with the session's lock.
     */
    private static void hold(Buffer here) {
        if (here instanceof DeviceArray array && !(here instanceof SymmetricArray)) {
            array.hold();
        } else if (here instanceof PinnedArray array) {
            array.hold();
        }
    }

    private static void letGo(Buffer here) {
        if (here instanceof DeviceArray array && !(here instanceof SymmetricArray)) {
            array.letGo();
        } else if (here instanceof PinnedArray array) {
            array.letGo();
        }
    }

    private static long bytes(SymmetricBuffer array, long count) {
        return count * array.type().bytes();
    }

    /**
     * The address of the front of the array on this side; {@code there} is the other side, at {@code place} of each PE.
     */
    @Override
    final long local(
            String operation,
            String name,
            Buffer here,
            long index,
            long count,
            SymmetricBuffer there,
            long place,
            int pe) {
        if (nonNull(here, operation, name).type() != there.type()) {
            throw new IllegalArgumentException(operation + " with PE " + pe + " on " + session.where() + ": " + name
                    + " " + here + " does not have the type of " + there);
        }
        long address = here instanceof DeviceArray array
                ? session.local(operation, name, array, index, count)
                : host(operation, name, here, index, count);
        if (pe == session.myPe) {
            long distance = Math.abs(address - place);
            if (distance > 0 && distance < count * there.type().bytes()) {
                throw new IllegalArgumentException(operation + " with PE " + pe + ", which is this one, on "
                        + session.where() + ": " + name + " " + here + " overlaps " + there);
            }
        } else if (!(here instanceof SymmetricArray) && count > 0 && !reaches(there, pe)) {
            // The network reaches what is registered, and the library would end the process.
            checkRegistered(operation, name, here, address, count, pe);
        }
        return address;
    }

    private void checkRegistered(String operation, String name, Buffer here, long address, long count, int pe) {
        if (!session.heap.isRegistered(address, count * here.type().bytes())) {
            throw new IllegalArgumentException(
                    operation + " with PE " + pe + " on " + session.where() + ": " + name + " "
                            + here
                            + " is not symmetric, and this GPU does not reach that one's memory; Nvshmem.registerLocal"
                            + " makes it known to the network");
        }
    }

    private long host(String operation, String name, Buffer here, long index, long count) {
        if (!(here instanceof HostArray array)) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": " + name + " " + here
                    + " is neither a DeviceArray nor a HostArray");
        }
        if (index < 0 || index > here.count() - count) {
            throw new IndexOutOfBoundsException(operation + " on " + session.where() + ": " + count + " elements"
                    + (index == 0 ? "" : " at " + index) + " leave " + name + " " + here);
        }
        if (!here.isAlive()) {
            throw new IllegalStateException(
                    operation + " on " + session.where() + ": " + name + " " + here + " was freed");
        }
        // Its own thread could close it while C copies.
        if (!array.segment().isAccessibleBy(Thread.currentThread())) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": the memory of " + name + " "
                    + here + " is that of another thread (a confined arena); take Arena.ofShared() or Arena.ofAuto()");
        }
        // C would write there all the same, or crash.
        if (name.equals("destination") && array.segment().isReadOnly()) {
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": the memory of " + name + " " + here + " is read-only");
        }
        return here.address() + index * here.type().bytes();
    }

    /**
     * The address of the first of {@code count} elements of the other side; the library has strides for memory in reach
     * only.
     */
    private long strided(String operation, String name, SymmetricBuffer array, long stride, long count, int pe) {
        long place = session.place(operation, name, array, 0, span(operation, name, array, stride, count), pe);
        checkReaches(operation, array, pe);
        return place;
    }

    /** The address of the first of {@code count} elements of this side. */
    private long strided(
            String operation,
            String name,
            Buffer here,
            long stride,
            long count,
            SymmetricBuffer there,
            long place,
            int pe) {
        return local(operation, name, here, 0, span(operation, name, here, stride, count), there, place, pe);
    }

    /** The elements from the first to the last that a strided copy touches. */
    private long span(String operation, String name, Buffer array, long stride, long count) {
        if (stride < 1
                || stride > MOST_PITCH / nonNull(array, operation, name).type().bytes()) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": the stride " + stride + " of "
                    + name + " is not between 1 and "
                    + MOST_PITCH / array.type().bytes() + ", for " + array);
        }
        if (count < 0 || count > 0 && count - 1 > (Long.MAX_VALUE - 1) / stride) {
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": " + count + " elements with stride " + stride);
        }
        return count == 0 ? 0 : (count - 1) * stride + 1;
    }
}
