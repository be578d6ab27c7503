// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.nccl.NcclWindow_vidmem;

/**
 * Memory of the ranks that can load and store each other's ({@link NcclCommunicator#lsaTeam}), as kernels of this GPU
 * find it: that of rank r of the team begins at {@code base + r * stride}.
 *
 * @param base an address of this GPU; 0 if there is no memory
 * @param stride in bytes
 * @param rank of this process in the team
 * @param size of the team
 */
public record LsaMemory(long base, long stride, int rank, int size) {
    /** What C has counts 4 GiB. */
    static long stride(int stride4G) {
        return Integer.toUnsignedLong(stride4G) << 32;
    }

    /** What the beginning of {@code ncclWindow_vidmem} says, which is the same in all versions. */
    static LsaMemory ofWindow(MemorySegment struct, int size) {
        return new LsaMemory(
                struct.get(JAVA_LONG_UNALIGNED, NcclWindow_vidmem.lsaFlatBase),
                stride(struct.get(JAVA_INT_UNALIGNED, NcclWindow_vidmem.stride4G)),
                struct.get(JAVA_INT_UNALIGNED, NcclWindow_vidmem.lsaRank),
                size);
    }
}
