// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.HostArray;

/** Loops over elements of any type in host memory, one at a time: what needs no vector code. */
final class ElementLoops {
    private ElementLoops() {}

    /** Computes y = a x + b y with complex factors. A vector whose factor is zero is not read. */
    static void axpby(double ar, double ai, Elements x, double br, double bi, Elements y, long n) {
        boolean readX = ar != 0 || ai != 0;
        boolean readY = br != 0 || bi != 0;
        for (long i = 0; i < n; i++) {
            double xr = readX ? x.real(i) : 0;
            double xi = readX ? x.imaginary(i) : 0;
            double yr = readY ? y.real(i) : 0;
            double yi = readY ? y.imaginary(i) : 0;
            y.set(i, ar * xr - ai * xi + br * yr - bi * yi, ar * xi + ai * xr + br * yi + bi * yr);
        }
    }

    /** Computes the dot product of complex vectors without a conjugate. */
    static void dot(HostArray x, HostArray y, Scalar result) {
        Elements u = Elements.of(x);
        Elements v = Elements.of(y);
        double re = 0;
        double im = 0;
        for (long i = 0; i < x.count(); i++) {
            re += u.real(i) * v.real(i) - u.imaginary(i) * v.imaginary(i);
            im += u.real(i) * v.imaginary(i) + u.imaginary(i) * v.real(i);
        }
        result.set(re, im);
    }

    /** Returns the sum of squares of the moduli, each divided by the scale before. */
    static double sumOfSquares(HostArray x, double scale) {
        Elements in = Elements.of(x);
        double sum = 0;
        for (long i = 0; i < x.count(); i++) {
            double re = in.real(i) / scale;
            double im = in.imaginary(i) / scale;
            sum += re * re + im * im;
        }
        return sum;
    }

    /** Returns the sum of powers of the moduli; the power 0 counts what is not zero. */
    static double sumOfPowers(HostArray x, double p) {
        Elements in = Elements.of(x);
        double sum = 0;
        for (long i = 0; i < x.count(); i++) {
            double modulus = in.modulus(i);
            sum += p == 1 ? modulus : p == 0 ? modulus == 0 ? 0 : 1 : Math.pow(modulus, p);
        }
        return sum;
    }

    /** Returns the largest modulus; 0 of an empty vector. */
    static double largestModulus(HostArray x) {
        Elements in = Elements.of(x);
        double largest = 0;
        for (long i = 0; i < x.count(); i++) {
            largest = Math.max(largest, in.modulus(i));
        }
        return largest;
    }

    /** Returns the smallest modulus; infinity of an empty vector. */
    static double smallestModulus(HostArray x) {
        Elements in = Elements.of(x);
        double smallest = Double.POSITIVE_INFINITY;
        for (long i = 0; i < x.count(); i++) {
            smallest = Math.min(smallest, in.modulus(i));
        }
        return smallest;
    }
}
