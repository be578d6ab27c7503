// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/**
 * Where values of type {@link Complex128} are: pairs at multiples of 16 bytes. A read or a write is one access of 16
 * bytes on a GPU; on the CPU it is checked as those of the parts are.
 *
 * @param parts real and imaginary parts in turn
 */
@KernelLibrary
public record C128Ptr(F64Ptr parts) {
    public C128Ptr {
        Objects.requireNonNull(parts, "C128Ptr: parts is null");
    }

    /** Returns the beginning of a buffer of {@link DataType#COMPLEX128}. */
    public static C128Ptr of(Buffer buffer) {
        nonNull(buffer, "C128Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#COMPLEX128}. */
    public static C128Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "C128Ptr.of", "buffer");
        Ptr.checkBuffer("C128Ptr", buffer, index, DataType.COMPLEX128);
        F64Ptr parts = new F64Ptr(Ptr.segment(buffer), index * 16, buffer);
        parts.checkAligned(0, 16);
        return new C128Ptr(parts);
    }

    /** {@code n} elements on. */
    public C128Ptr plus(long n) {
        return new C128Ptr(parts.plus(2 * n));
    }

    public Complex128 get(long i) {
        Double2 pair = parts.get2(2 * i);
        return new Complex128(pair.x(), pair.y());
    }

    public void set(long i, Complex128 value) {
        parts.set2(2 * i, new Double2(value.re(), value.im()));
    }

    /** Adds {@code value}: an atomic addition for each part, not one for both. */
    public void atomicAdd(long i, Complex128 value) {
        double _ = parts.atomicAdd(2 * i, value.re());
        double _ = parts.atomicAdd(2 * i + 1, value.im());
    }
}
