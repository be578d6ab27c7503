// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/**
 * Where values of type {@link Complex64} are: pairs at multiples of 8 bytes. A read or a write is one access of 8
 * bytes on a GPU; on the CPU it is checked as those of the parts are.
 *
 * @param parts real and imaginary parts in turn
 */
@KernelLibrary
public record C64Ptr(F32Ptr parts) {
    public C64Ptr {
        Objects.requireNonNull(parts, "C64Ptr: parts is null");
    }

    /** Returns the beginning of a buffer of {@link DataType#COMPLEX64}. */
    public static C64Ptr of(Buffer buffer) {
        nonNull(buffer, "C64Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#COMPLEX64}. */
    public static C64Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "C64Ptr.of", "buffer");
        Ptr.checkBuffer("C64Ptr", buffer, index, DataType.COMPLEX64);
        F32Ptr parts = new F32Ptr(Ptr.segment(buffer), index * 8, buffer);
        parts.checkAligned(0, 8);
        return new C64Ptr(parts);
    }

    /** {@code n} elements on. */
    public C64Ptr plus(long n) {
        return new C64Ptr(parts.plus(2 * n));
    }

    public Complex64 get(long i) {
        Float2 pair = parts.get2(2 * i);
        return new Complex64(pair.x(), pair.y());
    }

    public void set(long i, Complex64 value) {
        parts.set2(2 * i, new Float2(value.re(), value.im()));
    }

    /** Adds {@code value}: an atomic addition for each part, not one for both. */
    public void atomicAdd(long i, Complex64 value) {
        float _ = parts.atomicAdd(2 * i, value.re());
        float _ = parts.atomicAdd(2 * i + 1, value.im());
    }
}
