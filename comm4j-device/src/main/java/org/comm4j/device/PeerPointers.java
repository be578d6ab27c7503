// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I8Ptr;

/**
 * The same place in the memory of each PE of a {@link PeerCollectives}, for loads and stores of a kernel: an argument
 * of kernels, by value. Those that there are not are those of PE 0.
 */
public record PeerPointers(I8Ptr p0, I8Ptr p1, I8Ptr p2, I8Ptr p3, I8Ptr p4, I8Ptr p5, I8Ptr p6, I8Ptr p7) {
    /** The most PEs that there can be. */
    public static final int MAX = 8;

    /** That of a PE. Costs nothing where {@code pe} is known when the kernel is compiled. */
    public I8Ptr at(int pe) {
        return pe == 0
                ? p0
                : pe == 1 ? p1 : pe == 2 ? p2 : pe == 3 ? p3 : pe == 4 ? p4 : pe == 5 ? p5 : pe == 6 ? p6 : p7;
    }

    /** All of them, as many bytes further. */
    public PeerPointers plus(long bytes) {
        return new PeerPointers(
                p0.plus(bytes),
                p1.plus(bytes),
                p2.plus(bytes),
                p3.plus(bytes),
                p4.plus(bytes),
                p5.plus(bytes),
                p6.plus(bytes),
                p7.plus(bytes));
    }
}
