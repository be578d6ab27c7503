// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.math.Numbers.Pack;

/** Functions of the user's, element by element, a pack of 16 bytes for each thread. */
final class MapKernels {
    private MapKernels() {}

    @Kernel
    static void map1(
            @Constant boolean wide, @Constant boolean aligned, @Constant ElementFunction.Of1 f, long n, Ptr x, Ptr to) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i < n) {
            Pack a = Numbers.load(wide, aligned, x, i, n, 0);
            Pack result = new Pack(f.of(a.x()), f.of(a.y()), wide ? 0 : f.of(a.z()), wide ? 0 : f.of(a.w()));
            Numbers.store(wide, aligned, to, i, n, result);
        }
    }

    @Kernel
    static void map2(
            @Constant boolean wide,
            @Constant boolean aligned,
            @Constant ElementFunction.Of2 f,
            long n,
            Ptr x,
            Ptr y,
            Ptr to) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i < n) {
            Pack a = Numbers.load(wide, aligned, x, i, n, 0);
            Pack b = Numbers.load(wide, aligned, y, i, n, 0);
            Pack result = new Pack(
                    f.of(a.x(), b.x()),
                    f.of(a.y(), b.y()),
                    wide ? 0 : f.of(a.z(), b.z()),
                    wide ? 0 : f.of(a.w(), b.w()));
            Numbers.store(wide, aligned, to, i, n, result);
        }
    }

    @Kernel
    static void map3(
            @Constant boolean wide,
            @Constant boolean aligned,
            @Constant ElementFunction.Of3 f,
            long n,
            Ptr x,
            Ptr y,
            Ptr z,
            Ptr to) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i < n) {
            Pack a = Numbers.load(wide, aligned, x, i, n, 0);
            Pack b = Numbers.load(wide, aligned, y, i, n, 0);
            Pack c = Numbers.load(wide, aligned, z, i, n, 0);
            Pack result = new Pack(
                    f.of(a.x(), b.x(), c.x()),
                    f.of(a.y(), b.y(), c.y()),
                    wide ? 0 : f.of(a.z(), b.z(), c.z()),
                    wide ? 0 : f.of(a.w(), b.w(), c.w()));
            Numbers.store(wide, aligned, to, i, n, result);
        }
    }
}
