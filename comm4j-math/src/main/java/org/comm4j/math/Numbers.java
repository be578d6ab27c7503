// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Double2;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.Ptr;

/**
 * Vectors of kernels, as real numbers in packs of 16 bytes; a complex element is a pair of numbers. A kernel is written
 * once in {@code double} and compiled for both precisions: the functions here round to {@code float} after every step
 * where the constant {@code wide} is false, and the compiler then computes in {@code float}.
 */
final class Numbers {
    /** Bytes of a pack, the widest access of a thread. */
    static final int PACK = 16;

    /** Four numbers of 32 bits, or two of 64. */
    record Pack(double x, double y, double z, double w) {}

    /** A factor: the numbers given, or if {@code stored} those in memory. */
    record Factor(F64Ptr memory, boolean stored, double re, double im) {
        /** Returns a coefficient for elements of a buffer; {@code nowhere} stands for the memory of a constant. */
        static Factor of(String operation, Coefficient value, Buffer elements, F64Ptr nowhere) {
            if (value instanceof Coefficient.Constant constant) {
                double re = constant.real();
                double im = Operands.imaginary(operation, re, constant.imaginary(), elements.type());
                return new Factor(nowhere, false, re, im);
            }
            return new Factor(F64Ptr.of(((Scalar) value).buffer()), true, 0, 0);
        }

        double real() {
            return stored ? memory.get(0) : re;
        }

        double imaginary() {
            return stored ? memory.get(1) : im;
        }
    }

    private Numbers() {}

    /** Returns how many numbers a pack has. */
    static int lanes(@Constant boolean wide) {
        return wide ? 2 : 4;
    }

    static double round(@Constant boolean wide, double value) {
        return wide ? value : (double) (float) value;
    }

    static double times(@Constant boolean wide, double a, double b) {
        return wide ? a * b : (double) ((float) a * (float) b);
    }

    static double plus(@Constant boolean wide, double a, double b) {
        return wide ? a + b : (double) ((float) a + (float) b);
    }

    static Pack plus(@Constant boolean wide, Pack a, Pack b) {
        return new Pack(
                plus(wide, a.x(), b.x()), plus(wide, a.y(), b.y()), plus(wide, a.z(), b.z()), plus(wide, a.w(), b.w()));
    }

    static double get(@Constant boolean wide, Ptr p, long i) {
        return wide ? p.asF64().get(i) : p.asF32().get(i);
    }

    static void set(@Constant boolean wide, Ptr p, long i, double value) {
        if (wide) {
            p.asF64().set(i, value);
        } else {
            p.asF32().set(i, (float) value);
        }
    }

    /** Returns the pack at number {@code i}, all of which is there. */
    static Pack load(@Constant boolean wide, @Constant boolean aligned, Ptr p, long i) {
        if (!aligned) {
            return new Pack(
                    get(wide, p, i),
                    get(wide, p, i + 1),
                    wide ? 0 : get(wide, p, i + 2),
                    wide ? 0 : get(wide, p, i + 3));
        }
        if (wide) {
            Double2 pair = p.asF64().get2(i);
            return new Pack(pair.x(), pair.y(), 0, 0);
        }
        Float4 four = p.asF32().get4(i);
        return new Pack(four.x(), four.y(), four.z(), four.w());
    }

    /**
     * Returns the pack at number {@code i} of {@code n}.
     *
     * @param aligned whether it is at a multiple of 16 bytes
     * @param outside stands for numbers from {@code n} on
     */
    static Pack load(@Constant boolean wide, @Constant boolean aligned, Ptr p, long i, long n, double outside) {
        if (aligned && i + lanes(wide) <= n) {
            if (wide) {
                Double2 pair = p.asF64().get2(i);
                return new Pack(pair.x(), pair.y(), outside, outside);
            }
            Float4 four = p.asF32().get4(i);
            return new Pack(four.x(), four.y(), four.z(), four.w());
        }
        return new Pack(
                i < n ? get(wide, p, i) : outside,
                i + 1 < n ? get(wide, p, i + 1) : outside,
                !wide && i + 2 < n ? get(wide, p, i + 2) : outside,
                !wide && i + 3 < n ? get(wide, p, i + 3) : outside);
    }

    /** Writes a pack at number {@code i}; what is from {@code n} on is left out. */
    static void store(@Constant boolean wide, @Constant boolean aligned, Ptr p, long i, long n, Pack pack) {
        if (aligned && i + lanes(wide) <= n) {
            if (wide) {
                p.asF64().set2(i, new Double2(pack.x, pack.y));
            } else {
                p.asF32().set4(i, new Float4((float) pack.x, (float) pack.y, (float) pack.z, (float) pack.w));
            }
            return;
        }
        if (i < n) {
            set(wide, p, i, pack.x);
        }
        if (i + 1 < n) {
            set(wide, p, i + 1, pack.y);
        }
        if (!wide && i + 2 < n) {
            set(wide, p, i + 2, pack.z);
        }
        if (!wide && i + 3 < n) {
            set(wide, p, i + 3, pack.w);
        }
    }
}
