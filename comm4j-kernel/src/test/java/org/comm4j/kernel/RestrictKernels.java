// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels whose pointers reach memory alone. */
final class RestrictKernels {
    record Pair(F32Ptr in, F32Ptr out) {}

    private RestrictKernels() {}

    /** Each element is read twice, with a write between: only where nothing else writes it one read is enough. */
    @Kernel
    static void plain(F32Ptr in, F32Ptr out, int n) {
        int i = GlobalIdx.x();
        if (i < n) {
            out.set(2L * i, in.get(i));
            out.set(2L * i + 1, in.get(i));
        }
    }

    @Kernel
    static void pointers(@Restrict F32Ptr in, @Restrict F32Ptr out, int n) {
        plain(in, out, n);
    }

    @Kernel
    static void views(@Restrict F32View in, @Restrict F32View out, int n) {
        int i = GlobalIdx.x();
        if (i < n) {
            out.set(2L * i, in.get(i));
            out.set(2L * i + 1, in.get(i));
        }
    }

    @Kernel
    static void records(@Restrict Pair pair, int n) {
        plain(pair.in, pair.out, n);
    }

    /** Through local variables, a record and a function. */
    @Kernel
    static void roundabout(@Restrict F32Ptr a, @Restrict F32Ptr b, @Restrict F32Ptr c, F32Ptr out, boolean swap) {
        F32Ptr source = a;
        Pair pair = new Pair(swap ? source.plus(1) : b, chosen(out, c, swap));
        pair.out.set(0, pair.in.get(0) + a.get(0));
    }

    private static F32Ptr chosen(F32Ptr one, F32Ptr other, boolean first) {
        return first ? one : other;
    }

    @Kernel
    static void atomics(@Restrict F32Ptr in, @Restrict F32Ptr sum) {
        sum.atomicAdd(0, in.get(ThreadIdx.x()));
    }

    @Kernel
    static void wide(@Restrict F32Ptr in, @Restrict F32Ptr out) {
        int i = GlobalIdx.x();
        out.set4(4L * i, in.get4(4L * i));
    }
}
