// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/** Non-blocking MPI operations under way together, which are tested one after the other ({@code MPI_Test}). */
final class Requests implements BooleanSupplier {
    private static final int FLAG = 0;
    private static final int ELEMENTS = 8;
    /** Place of the status, which is large enough for each family's. */
    private static final int STATUS = 16;

    private static final int BYTES = 64;

    /** Meaning of most errors in the middle of an operation. */
    static final String UNFIT = ", which does not fit what the other ranks call";

    private final MpiProcess process;
    private final MpiTypes types;
    private final MemorySegment cells = Arena.ofAuto().allocate(BYTES, 8);

    private MemorySegment handles = Arena.ofAuto().allocate(8 * 16, 8);
    /** Numbers of elements that must come, of receives; −1 of other requests. */
    private long[] expected = new long[16];

    private @Nullable Object[] calls = new Object[16];
    private int count;
    private int tested;

    Requests(MpiProcess process, MpiTypes types) {
        this.process = process;
        this.types = types;
    }

    void clear() {
        count = 0;
        tested = 0;
    }

    /** Begins to test the same requests again, which are persistent ones. */
    void again() {
        tested = 0;
    }

    /** Returns the address of a place for one more request. */
    long next(Object call) {
        return next(call, -1);
    }

    /** @param elements that a message must have */
    long next(Object call, long elements) {
        if (count == calls.length) {
            MemorySegment more = Arena.ofAuto().allocate(16L * count, 8);
            more.copyFrom(handles);
            handles = more;
            expected = Arrays.copyOf(expected, 2 * count);
            calls = Arrays.copyOf(calls, 2 * count);
        }
        expected[count] = elements;
        calls[count] = call;
        handles.setAtIndex(ValueLayout.JAVA_LONG, count, 0);
        return handles.address() + 8L * count++;
    }

    /** Returns whether all have ended. */
    @Override
    public boolean getAsBoolean() {
        process.lock();
        try {
            return test();
        } finally {
            process.unlock();
        }
    }

    private boolean test() {
        while (tested < count) {
            long status = cells.address() + STATUS;
            int code = LibMpi.MPI_Test(handles.address() + 8L * tested, cells.address() + FLAG, status);
            if (code != 0) {
                process.check(code, calls[tested] + UNFIT);
            }
            if (cells.get(ValueLayout.JAVA_INT, FLAG) == 0) {
                return false;
            }
            if (expected[tested] >= 0) {
                checkCount(calls[tested], expected[tested], status);
            }
            tested++;
        }
        return true;
    }

    /** Returns the address of a place for a {@code MPI_Status}. */
    long status() {
        return cells.address() + STATUS;
    }

    /**
     * Checks a blocking receive, whose status is at {@link #status}.
     *
     * @param elements that the message must have
     */
    void received(int code, Object call, long elements) {
        if (code != 0) {
            process.check(code, call + UNFIT);
        }
        checkCount(call, elements, status());
    }

    private void checkCount(@Nullable Object call, long elements, long status) {
        DataType type = call instanceof Call known ? known.type() : null;
        long handle = type == null ? process.abi().get("BYTE") : types.of(type);
        process.check(LibMpi.MPI_Get_count(status, handle, cells.address() + ELEMENTS), "MPI_Get_count");
        int came = cells.get(ValueLayout.JAVA_INT, ELEMENTS);
        if (came != elements) {
            throw new CollectiveMismatchException(call + ": a message came that has "
                    + (came < 0 ? "no whole number of" : "" + came) + " elements, not " + elements);
        }
    }
}
