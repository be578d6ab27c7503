// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;
import org.comm4j.math.Fft;
import org.comm4j.math.Memory;

/** Bare transforms of one rank along each axis of a shape: a rank's share of the lines, and nothing else. */
final class BareFft implements AutoCloseable {
    private final List<Fft> plans = new ArrayList<>();
    private final List<Memory> memories = new ArrayList<>();
    private final boolean real;
    private double fraction = 1;

    BareFft(Backend backend, FftShape shape, DataType type) {
        Compute compute = backend.compute();
        real = !type.isComplex();
        DataType complex = Compute.promote(type, DataType.COMPLEX64);
        long[] lengths = shape.shape();
        int first = lengths.length - shape.lengths().length;
        long inner = 1;
        for (int axis = lengths.length - 1; axis >= first; axis--) {
            boolean realNow = real && plans.isEmpty();
            int length = (int) lengths[axis];
            long outer = 1;
            for (int before = 0; before < axis; before++) {
                outer *= lengths[before];
            }
            // As a rank has parts of the array: of the outer lines where there are several.
            long ranks = backend.size();
            long outerShare = outer > 1 ? Math.ceilDiv(outer, ranks) : 1;
            long innerShare = outer > 1 ? inner : Math.ceilDiv(inner, ranks);
            fraction = Math.min(fraction, (double) outer * inner / ranks / (outerShare * innerShare));
            plans.add(compute.fft(realNow ? type : complex, outerShare, length, innerShare));
            long bins = realNow ? length / 2 + 1 : length;
            memories.add(memory(compute, realNow ? type : complex, outerShare * length * innerShare));
            memories.add(memory(compute, complex, outerShare * bins * innerShare));
            inner *= bins;
        }
    }

    private static Memory memory(Compute compute, DataType type, long count) {
        Memory memory = compute.allocate(type, count);
        compute.random(1, 0, memory.buffer());
        return memory;
    }

    /** Returns the lines of a rank on average, divided by those that are transformed here. */
    double fraction() {
        return fraction;
    }

    /** Transforms all lines. */
    void forward() {
        for (int i = 0; i < plans.size(); i++) {
            plans.get(i)
                    .forward(
                            memories.get(2 * i).buffer(),
                            memories.get(2 * i + 1).buffer());
        }
    }

    /** Transforms all lines back. */
    void inverse() {
        for (int i = plans.size() - 1; i >= 0; i--) {
            plans.get(i)
                    .inverse(
                            memories.get(2 * i + 1).buffer(),
                            memories.get(2 * i).buffer());
        }
    }

    @Override
    public void close() {
        plans.forEach(Fft::close);
        memories.forEach(Memory::close);
    }
}
