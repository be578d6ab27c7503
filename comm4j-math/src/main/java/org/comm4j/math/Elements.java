// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.HostArray;

/** Elements of any type as complex numbers, for operations that are rare. */
record Elements(HostArray array, boolean complex) {
    static Elements of(HostArray array) {
        return new Elements(array, array.type().isComplex());
    }

    double real(long i) {
        return complex ? array.getReal(i) : array.getDouble(i);
    }

    double imaginary(long i) {
        return complex ? array.getImaginary(i) : 0;
    }

    double modulus(long i) {
        return complex ? Complex.modulus(array.getReal(i), array.getImaginary(i)) : Math.abs(array.getDouble(i));
    }

    void set(long i, double real, double imaginary) {
        if (complex) {
            array.setComplex(i, real, imaginary);
        } else {
            array.setDouble(i, real);
        }
    }
}
