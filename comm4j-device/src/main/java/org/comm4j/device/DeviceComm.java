// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

/**
 * What a kernel knows of its communicator ({@code ncclDevComm}), an argument by value: made by {@link NcclDevice#comm}.
 *
 * @param rank of this GPU in the communicator
 * @param size of the communicator
 * @param lsaRank of this GPU among the ranks whose memory it can load from and store to
 * @param lsaSize how many these are, itself included
 */
public record DeviceComm(int rank, int size, int lsaRank, int lsaSize) {
    /** The rank in the communicator of a rank of the LSA team. */
    public int rankOf(int lsaRank) {
        return rank - this.lsaRank + lsaRank;
    }
}
