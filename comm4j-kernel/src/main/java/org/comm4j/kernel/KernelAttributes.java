// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

/**
 * What a compiled kernel uses.
 *
 * @param registers of a thread; 0 on the CPU
 * @param sharedBytes shared memory that the kernel declares, in bytes for each block
 * @param localBytes memory of a thread, in bytes: arrays, and what did not fit into registers. More than 0 costs time.
 * @param maxThreads of a block, at most
 */
public record KernelAttributes(int registers, int sharedBytes, int localBytes, int maxThreads) {
    /** Returns these with some more bytes of shared memory. */
    KernelAttributes withShared(int more) {
        return new KernelAttributes(registers, sharedBytes + more, localBytes, maxThreads);
    }
}
