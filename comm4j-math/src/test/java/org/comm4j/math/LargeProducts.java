// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.stream.LongStream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * The program of {@link LargeProductsTest}: products of matrices with more elements than 32 bits count. Nearly all of
 * these are zeros in memory that was never written, which takes none.
 */
@SuppressWarnings("restricted") // maps memory that is not there
final class LargeProducts {
    private static final int READ_AND_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS_UNRESERVED = 0x4022;

    private final Blas blas = NativeBlas.find();

    private LargeProducts() {}

    public static void main(String[] arguments) {
        LargeProducts products = new LargeProducts();
        System.out.println("library " + products.blas.name());
        for (String length : arguments[0].split(",")) {
            products.run(Long.parseLong(length));
        }
    }

    private void run(long k) {
        for (Transpose transpose : new Transpose[] {Transpose.NONE, Transpose.TRANSPOSE}) {
            check(DataType.FLOAT32, DataType.FLOAT32, transpose, 1, 1, k);
            // Rows that are shorter: more elements, though no size needs 64 bits.
            check(DataType.FLOAT32, DataType.FLOAT32, transpose, 5, 1, k / 4);
        }
        check(DataType.COMPLEX64, DataType.COMPLEX64, Transpose.NONE, 1, 1, k);
        check(DataType.FLOAT32, DataType.COMPLEX64, Transpose.NONE, 1, 1, k);
        check(DataType.FLOAT64, DataType.FLOAT64, Transpose.NONE, 5, 2, k / 4);
    }

    /** The places of numbers that are not 0. */
    private static long[] places(long k) {
        return LongStream.of(0, 1, k / 2, 1L << 31, 1L << 32, k - 2, k - 1)
                .filter(p -> p < k)
                .sorted()
                .distinct()
                .toArray();
    }

    private void check(DataType left, DataType type, Transpose transpose, long m, long n, long k) {
        HostArray a = zeros(left, m * k);
        HostArray b = zeros(type, k * n);
        HostArray c = HostArray.allocate(type, m * n);
        long[] places = places(k);
        for (int at = 0; at < places.length; at++) {
            for (long i = 0; i < m; i++) {
                set(a, transpose == Transpose.NONE ? i * k + places[at] : places[at] * m + i, (double) (at + i + 1));
            }
            for (long j = 0; j < n; j++) {
                set(b, places[at] * n + j, (double) (2 * at + j + 1));
            }
        }
        String what = left + " x " + type + " " + transpose + " " + m + " x " + n + " x " + k;
        System.out.println(what);
        blas.gemm(transpose, m, n, k, 1, a, b, 0, c);
        for (long i = 0; i < m; i++) {
            for (long j = 0; j < n; j++) {
                double expected = 0;
                for (int at = 0; at < places.length; at++) {
                    expected += (at + i + 1.0) * (2 * at + j + 1.0);
                }
                double found = type.isComplex() ? c.getReal(i * n + j) : c.getDouble(i * n + j);
                if (found != expected) {
                    throw new AssertionError(what + ": " + found + " at " + i + ", " + j + " instead of " + expected);
                }
            }
        }
        unmap(a);
        unmap(b);
        System.out.println("right");
    }

    private static void set(HostArray array, long at, double value) {
        if (array.type().isComplex()) {
            array.setComplex(at, value, 0);
        } else {
            array.setDouble(at, value);
        }
    }

    private static HostArray zeros(DataType type, long count) {
        long bytes = count * type.bytes();
        try {
            MemorySegment memory = (MemorySegment) function(
                            "mmap",
                            FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG))
                    .invokeExact(MemorySegment.NULL, bytes, READ_AND_WRITE, PRIVATE_ANONYMOUS_UNRESERVED, -1, 0L);
            if (memory.address() == -1) {
                throw new OutOfMemoryError("mmap of " + bytes + " bytes");
            }
            return HostArray.wrap(memory.reinterpret(bytes), type);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unmap(HostArray array) {
        try {
            int status = (int) function("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG))
                    .invokeExact(array.segment(), array.byteSize());
            if (status != 0) {
                throw new IllegalStateException("munmap");
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
}
