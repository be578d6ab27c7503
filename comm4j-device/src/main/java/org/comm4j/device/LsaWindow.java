// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Ptr;

/**
 * A window ({@code ncclWindow_t}) in a kernel, an argument by value: the same memory of all ranks that this GPU can
 * load from and store to, its LSA team. Made by {@link NcclDevice#window}.
 *
 * @param flat where rank 0's begins
 * @param stride bytes from one rank's to the next one's
 * @param rank of this GPU in the team
 * @param size of the team
 * @param bytes of each rank's
 */
@KernelLibrary
public record LsaWindow(I8Ptr flat, long stride, int rank, int size, long bytes) {
    /** Where the window of a rank of the LSA team begins ({@code ncclGetLsaPointer}). */
    public I8Ptr pointer(int lsaRank) {
        return pointer(lsaRank, 0);
    }

    /**
     * Byte {@code offset} of the window of a rank of the LSA team ({@code ncclGetLsaPointer}). On the CPU, and in
     * kernels with checks, both are looked at; on the CPU accesses through the pointer, too, stay within the window.
     */
    public I8Ptr pointer(int lsaRank, long offset) {
        assert onCpu() || lsaRank >= 0 && lsaRank < size : "there is no such rank in the LSA team";
        assert onCpu() || offset >= 0 && offset <= bytes : "not in the window";
        I8Ptr place = flat.plus(lsaRank * stride + offset);
        return onCpu() ? inWindow(place, lsaRank, size, offset, bytes) : place;
    }

    /** Where this rank's window begins ({@code ncclGetLocalPointer}). */
    public I8Ptr local() {
        return pointer(rank, 0);
    }

    /** Byte {@code offset} of this rank's window ({@code ncclGetLocalPointer}). */
    public I8Ptr local(long offset) {
        return pointer(rank, offset);
    }

    private static boolean onCpu() {
        return onesOf(0) != 0;
    }

    /**
     * Of 0, as the only argument: in Java there are some. On a GPU the compiler knows that there are none, and nothing
     * is left of what would happen otherwise.
     */
    @DeviceFunction(value = "llvm.ctpop.i32", pure = true)
    static int onesOf(int word) {
        return 32;
    }

    /** The same place, of which nothing outside of the window can be reached. */
    @InlinePtx(value = "mov.b64 $0, $1;", effects = false)
    private static I8Ptr inWindow(Ptr place, int lsaRank, int size, long offset, long bytes) {
        if (lsaRank < 0 || lsaRank >= size) {
            throw new IndexOutOfBoundsException(
                    "rank " + lsaRank + " of the LSA team is not one of 0 to " + (size - 1));
        }
        if (offset < 0 || offset > bytes) {
            throw new IndexOutOfBoundsException("byte " + offset + " is not in the window of " + bytes + " bytes");
        }
        MemorySegment all = place.allMemory();
        long begin = place.address() - all.address() - offset;
        return I8Ptr.of(HostArray.wrap(all.asSlice(begin, bytes), DataType.INT8), offset);
    }
}
