// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridReduce;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Sums over a launch, of {@link LoopSpeed}, beside the same as plain loops. */
final class SumKernels {
    private SumKernels() {}

    @Kernel
    static void dot(int n, F64Ptr x, F64Ptr y, F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        int i = GlobalIdx.x();
        double product = i < n ? x.get(i) * y.get(i) : 0;
        GridReduce.sum(result, workspace, counter, product);
    }

    @Kernel
    static void dotOfFloats(int n, F32Ptr x, F32Ptr y, F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        int i = GlobalIdx.x();
        double product = i < n ? (double) x.get(i) * y.get(i) : 0;
        GridReduce.sum(result, workspace, counter, product);
    }

    /** x += a p; s -= a q; the sum of squares of s. */
    @Kernel
    static void update(
            int n, double a, F64Ptr p, F64Ptr q, F64Ptr x, F64Ptr s, F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        int i = GlobalIdx.x();
        double square = 0;
        if (i < n) {
            double newX = x.get(i) + a * p.get(i);
            double newS = s.get(i) - a * q.get(i);
            x.set(i, newX);
            s.set(i, newS);
            square = newS * newS;
        }
        GridReduce.sum(result, workspace, counter, square);
    }

    @Kernel
    static void updateOfFloats(
            int n, float a, F32Ptr p, F32Ptr q, F32Ptr x, F32Ptr s, F64Ptr result, F64Ptr workspace, I32Ptr counter) {
        int i = GlobalIdx.x();
        double square = 0;
        if (i < n) {
            float newX = x.get(i) + a * p.get(i);
            float newS = s.get(i) - a * q.get(i);
            x.set(i, newX);
            s.set(i, newS);
            square = (double) newS * newS;
        }
        GridReduce.sum(result, workspace, counter, square);
    }

    static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    static double dotOfFour(double[] x, double[] y) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        for (int i = 0; i < x.length; i += 4) {
            a += x[i] * y[i];
            b += x[i + 1] * y[i + 1];
            c += x[i + 2] * y[i + 2];
            d += x[i + 3] * y[i + 3];
        }
        return a + b + (c + d);
    }

    static double dot(float[] x, float[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += (double) x[i] * y[i];
        }
        return sum;
    }

    static double dotOfFour(float[] x, float[] y) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        for (int i = 0; i < x.length; i += 4) {
            a += (double) x[i] * y[i];
            b += (double) x[i + 1] * y[i + 1];
            c += (double) x[i + 2] * y[i + 2];
            d += (double) x[i + 3] * y[i + 3];
        }
        return a + b + (c + d);
    }

    static double update(double a, double[] p, double[] q, double[] x, double[] s) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            x[i] += a * p[i];
            s[i] -= a * q[i];
            sum += s[i] * s[i];
        }
        return sum;
    }

    static double updateOfFour(double a, double[] p, double[] q, double[] x, double[] s) {
        double[] sums = new double[4];
        for (int i = 0; i < x.length; i += 4) {
            for (int k = 0; k < 4; k++) {
                x[i + k] += a * p[i + k];
                s[i + k] -= a * q[i + k];
                sums[k] += s[i + k] * s[i + k];
            }
        }
        return sums[0] + sums[1] + (sums[2] + sums[3]);
    }

    static double update(float a, float[] p, float[] q, float[] x, float[] s) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            x[i] += a * p[i];
            s[i] -= a * q[i];
            sum += (double) s[i] * s[i];
        }
        return sum;
    }

    static double updateOfFour(float a, float[] p, float[] q, float[] x, float[] s) {
        double[] sums = new double[4];
        for (int i = 0; i < x.length; i += 4) {
            for (int k = 0; k < 4; k++) {
                x[i + k] += a * p[i + k];
                s[i + k] -= a * q[i + k];
                sums[k] += (double) s[i + k] * s[i + k];
            }
        }
        return sums[0] + sums[1] + (sums[2] + sums[3]);
    }
}
