// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * Lines of an array in host memory, as numbers with two parts: where each lies, and how runs of them are read and
 * written.
 *
 * @param length elements of a line
 * @param inner lines beside each other, element by element
 * @param part distance of the two parts of a number, in real numbers: 1 in complex arrays
 * @param step distance of neighbouring numbers of a line, in real numbers
 */
record FftLines(MemorySegment memory, boolean wide, boolean complex, long length, long inner, long part, long step) {

    /** Returns the complex numbers of an array, or the real ones in pairs of neighbours on a line. */
    static FftLines of(HostArray array, long length, long inner) {
        boolean wide = Compute.real(array.type()) == DataType.FLOAT64;
        boolean complex = array.type().isComplex();
        return new FftLines(array.segment(), wide, complex, length, inner, complex ? 1 : inner, 2 * inner);
    }

    /** Returns real numbers one by one: the imaginary parts are 0. */
    FftLines single() {
        return new FftLines(memory, wide, complex, length, inner, 0, inner);
    }

    /** Returns whether the two parts of a number lie beside each other, and neighbours of a line as well. */
    boolean dense() {
        return part == 1 && step == 2;
    }

    /** Returns the place of the first number of a line, in real numbers. */
    long start(long line) {
        return (line / inner * length * inner + line % inner) * (complex ? 2 : 1);
    }

    /** Reads real numbers that lie one behind the other. */
    void read(long index, int count, double[] to, int at) {
        if (wide) {
            MemorySegment.copy(memory, JAVA_DOUBLE, index * Double.BYTES, to, at, count);
            return;
        }
        for (int j = 0; j < count; j++) {
            to[at + j] = memory.getAtIndex(JAVA_FLOAT, index + j);
        }
    }

    /** Reads real numbers of single precision that lie one behind the other. */
    void read(long index, int count, float[] to, int at) {
        MemorySegment.copy(memory, JAVA_FLOAT, index * Float.BYTES, to, at, count);
    }

    /** Writes real numbers one behind the other. */
    void write(double[] from, int at, long index, int count) {
        if (wide) {
            MemorySegment.copy(from, at, memory, JAVA_DOUBLE, index * Double.BYTES, count);
            return;
        }
        for (int j = 0; j < count; j++) {
            memory.setAtIndex(JAVA_FLOAT, index + j, (float) from[at + j]);
        }
    }

    /** Writes real numbers of single precision one behind the other. */
    void write(float[] from, int at, long index, int count) {
        MemorySegment.copy(from, at, memory, JAVA_FLOAT, index * Float.BYTES, count);
    }

    /** Returns the real number at a place. */
    double get(long index) {
        return wide ? memory.getAtIndex(JAVA_DOUBLE, index) : memory.getAtIndex(JAVA_FLOAT, index);
    }

    /** Sets the real number at a place. */
    void set(long index, double value) {
        if (wide) {
            memory.setAtIndex(JAVA_DOUBLE, index, value);
        } else {
            memory.setAtIndex(JAVA_FLOAT, index, (float) value);
        }
    }
}
