// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/** Checks of the vectors of an operation, the same for processors and GPUs. */
final class Operands {
    static final ElementFunction.Of3 PRODUCT_AND_SUM = (a, b, c) -> a * b + c;

    private Operands() {}

    /** Checks that a buffer has a type with algebra, and that its memory is there. */
    static void vector(String operation, Buffer buffer) {
        nonNull(buffer, operation, "a vector");
        Compute.check(operation, buffer.type());
        if (!buffer.isAlive()) {
            throw new IllegalStateException(operation + ": the memory of " + buffer + " was freed");
        }
    }

    /** Checks that two vectors have the same type and count, and are the same memory or apart. */
    static void same(String operation, Buffer x, Buffer y) {
        if (x.type() != y.type()) {
            throw new IllegalArgumentException(
                    operation + ": " + x + " and " + y + " must have the same element type; copy converts");
        }
        sameCount(operation, x, y);
    }

    /** Checks that two vectors have the same count, and are the same memory or apart. */
    static void sameCount(String operation, Buffer x, Buffer y) {
        if (x.count() != y.count()) {
            throw new IllegalArgumentException(operation + ": " + x + " and " + y + " must have as many elements");
        }
        long from = x.address();
        long to = y.address();
        boolean shared = from < to + y.byteSize() && to < from + x.byteSize();
        if (shared && (from != to || x.byteSize() != y.byteSize())) {
            throw new IllegalArgumentException(
                    operation + ": " + x + " and " + y + " overlap; operands are the same memory or apart");
        }
    }

    /** Checks that an operation that cannot work in place has two vectors apart from each other. */
    static void apart(String operation, Buffer x, Buffer y) {
        nonNull(x, operation, "a vector");
        nonNull(y, operation, "a vector");
        if (x.address() < y.address() + y.byteSize() && y.address() < x.address() + x.byteSize()) {
            throw new IllegalArgumentException(operation + ": " + x + " and " + y + " are the same memory");
        }
    }

    /** Checks the vectors of a function of the user's. */
    static void map(ElementFunction f, Buffer y, Buffer... x) {
        nonNull(f, "map", "f");
        nonNull(x, "map", "x");
        if (x.length != f.count()) {
            throw new IllegalArgumentException(
                    "map: a function of " + f.count() + " numbers, given " + x.length + " vectors");
        }
        if (y.type().isComplex()) {
            throw new IllegalArgumentException("map: " + y + " is complex; a function of numbers takes real vectors");
        }
        for (Buffer each : x) {
            same("map", each, y);
        }
    }

    /** Checks the vectors of a gradient: one for each axis, and one that they are computed of, or that is. */
    static void components(String operation, Stencil stencil, Buffer whole, Buffer... components) {
        if (components.length != stencil.shape().length) {
            throw new IllegalArgumentException(operation + ": " + components.length + " components of an array of "
                    + stencil.shape().length + " dimensions");
        }
        for (Buffer component : components) {
            same(operation, component, whole);
            apart(operation, component, whole);
        }
    }

    /** Checks vectors of as many elements as a shape has, in different memory. */
    static void shaped(String operation, Buffer x, Buffer y, long count) {
        same(operation, x, y);
        if (y.count() != count) {
            throw new IllegalArgumentException(
                    operation + ": " + y + " has not the " + count + " elements of the shape");
        }
        if (count > 0) {
            apart(operation, x, y);
        }
    }

    /** Checks that complex numbers are not copied to real ones. */
    static void convertible(Buffer x, Buffer y) {
        if (x.type().isComplex() && !y.type().isComplex()) {
            throw new IllegalArgumentException(
                    "copy: " + x + " is complex and " + y + " is real; take the real or the imaginary part");
        }
    }

    /** Checks the shapes of the vectors of a product with a matrix along an axis. */
    static void slices(AxisMatrix matrix, long outer, long inner, Buffer x, Buffer y) {
        long rows = matrix.rowCount();
        long columns = matrix.columnCount();
        if (x.type() != y.type() || x.count() != outer * columns * inner || y.count() != outer * rows * inner) {
            throw new IllegalArgumentException("multiply: " + x + " and " + y + " are not " + outer + " x " + columns
                    + " x " + inner + " and " + outer + " x " + rows + " x " + inner + " elements of the same type");
        }
        apart("multiply", x, y);
    }

    /**
     * Checks the matrices of C = A B, as many as {@code batch}: m × k (or k × m), k × n and m × n; A may be real where
     * the others are complex.
     */
    static void matrices(long batch, long m, long n, long k, Buffer a, Buffer b, Buffer c) {
        if (batch < 0 || m < 0 || n < 0 || k < 0) {
            throw new IllegalArgumentException("gemm: " + batch + " matrices of " + m + " x " + k + " and " + k + " x "
                    + n + " elements; no size is negative");
        }
        vector("gemm", c);
        matrix("A", a, batch, m, k, a.type() == Compute.real(c.type()) ? a.type() : c.type());
        matrix("B", b, batch, k, n, c.type());
        matrix("C", c, batch, m, n, c.type());
    }

    private static void matrix(String name, Buffer matrix, long batch, long rows, long columns, DataType type) {
        vector("gemm", matrix);
        if (matrix.type() != type || !isProduct(matrix.count(), batch, rows, columns)) {
            throw new IllegalArgumentException("gemm: " + name + " is " + matrix + "; needed: "
                    + (batch == 1 ? "" : batch + " x ") + rows + " x " + columns + " elements of " + type);
        }
    }

    /** Returns whether a count is the product of sizes, which may be too large for any count. */
    private static boolean isProduct(long count, long batch, long rows, long columns) {
        long high = Math.multiplyHigh(rows, columns);
        long each = rows * columns;
        boolean fits = high == 0 && each >= 0 && Math.multiplyHigh(batch, each) == 0;
        return batch == 0 ? count == 0 : fits && count == batch * each;
    }

    /** Checks the diagonal that is added to a stencil. */
    static void diagonal(Buffer diagonal, Buffer x) {
        nonNull(diagonal, "stencil", "diagonal");
        nonNull(x, "stencil", "x");
        same("stencil", diagonal, x);
        if (x.type().isComplex()) {
            throw new IllegalArgumentException("stencil: a diagonal is added for real vectors, " + x + " is complex");
        }
    }

    /** Checks the shape of a Fourier transform. */
    static void transform(DataType type, long outer, int length, long inner) {
        Compute.check("fft", type);
        if (outer < 0 || length < 1 || inner < 0) {
            throw new IllegalArgumentException("fft: " + outer + " x " + length + " x " + inner
                    + " elements; a transform has at least 1, and no size is negative");
        }
        Math.multiplyExact(Math.multiplyExact(outer, length), inner);
    }

    /** Checks an operand of a Fourier transform: elements of its type, or the complex numbers that it makes of them. */
    static void transformed(
            String direction,
            DataType type,
            long outer,
            int length,
            long inner,
            String name,
            Buffer buffer,
            boolean spectrum) {
        DataType complex = Compute.real(type) == DataType.FLOAT64 ? DataType.COMPLEX128 : DataType.COMPLEX64;
        DataType wanted = spectrum ? complex : type;
        long count = spectrum && !type.isComplex() ? length / 2 + 1 : length;
        if (buffer.type() != wanted || buffer.count() != outer * count * inner) {
            throw new IllegalArgumentException(direction + " transform of " + outer + " x " + length + " x " + inner
                    + " " + type + ": " + name + " is " + buffer + ", not " + outer + " x " + count + " x " + inner
                    + " " + wanted);
        }
    }

    /** Checks that the operands of a Fourier transform are apart, or one memory of complex numbers. */
    static void disjoint(String direction, DataType type, Buffer x, Buffer y) {
        if (type.isComplex()) {
            same(direction + " transform", x, y);
        } else {
            apart(direction + " transform", x, y);
        }
    }

    /**
     * Returns the imaginary part of a factor.
     *
     * @throws IllegalArgumentException if it is not 0 and the elements are real
     */
    static double imaginary(String operation, double re, double im, DataType type) {
        if (im != 0 && !type.isComplex()) {
            throw new IllegalArgumentException(operation + ": the factor " + re + " + " + im
                    + "i is complex and the elements are " + type + "; copy them to a complex array first");
        }
        return im;
    }

    /** Returns the number of real numbers in a vector. */
    static long parts(Buffer array) {
        return array.type().isComplex() ? 2 * array.count() : array.count();
    }

    /** Returns whether numbers have 64 bits. */
    static boolean wide(Buffer array) {
        return Compute.real(array.type()) == DataType.FLOAT64;
    }

    /** Returns whether kernels may take packs of all of them. */
    static boolean aligned(Buffer... vectors) {
        for (Buffer vector : vectors) {
            if (vector.address() % Numbers.PACK != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of packs of a vector, the last of which may be in part. */
    static long packs(Buffer vector) {
        int lanes = Numbers.lanes(wide(vector));
        return (parts(vector) + lanes - 1) / lanes;
    }
}
