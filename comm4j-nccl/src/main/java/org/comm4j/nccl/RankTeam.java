// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.comm4j.ffi.nccl.NcclTeam;

/**
 * Ranks of a communicator at equal distances ({@code ncclTeam_t}), as kernels address them.
 *
 * @param size how many there are
 * @param rank the number of this rank among them
 * @param stride from one to the next, in ranks of the communicator
 */
public record RankTeam(int size, int rank, int stride) {

    static RankTeam of(MemorySegment team) {
        return new RankTeam(
                team.get(ValueLayout.JAVA_INT, NcclTeam.nRanks),
                team.get(ValueLayout.JAVA_INT, NcclTeam.rank),
                team.get(ValueLayout.JAVA_INT, NcclTeam.stride));
    }

    /** That there can be such a team. */
    void check(String what) {
        if (size < 1 || rank < 0 || rank >= size || stride < 1) {
            throw new IllegalArgumentException(what + ": there is no " + this);
        }
    }

    MemorySegment write(SegmentAllocator allocator) {
        return allocator.allocateFrom(ValueLayout.JAVA_INT, size, rank, stride);
    }
}
