// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * How a loop is to be unrolled, said by the first statement of its body ({@code #pragma unroll}). Nothing on the CPU.
 */
public final class Unroll {
    private Unroll() {}

    /** So many times; 1 for not at all. {@code n} is a constant. */
    public static void times(int n) {}

    /** Wholly; the number of passes is a constant. */
    public static void all() {}
}
