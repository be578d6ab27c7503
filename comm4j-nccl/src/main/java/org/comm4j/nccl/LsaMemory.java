// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

/**
 * Memory of the ranks that can load and store each other's ({@link NcclCommunicator#lsaTeam}), as kernels of this GPU find it: that of rank r of the team begins at
 * {@code base + r * stride}.
 *
 * @param base an address of this GPU; 0 if there is no memory
 * @param stride in bytes
 * @param rank of this process in the team
 * @param size of the team
 */
public record LsaMemory(long base, long stride, int rank, int size) {}
