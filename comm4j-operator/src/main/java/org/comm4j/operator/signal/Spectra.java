// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.LinearOperator;

/** Multiplications of spectra: operators of the form Fᴴ D F for a Fourier transform F. */
final class Spectra {
    /** The factor of an element of a spectrum. */
    @FunctionalInterface
    interface Factor {
        /**
         * Sets a factor.
         *
         * @param index of the element along each axis
         */
        void set(long[] index, HostArray factors, long at);
    }

    private Spectra() {}

    /** Returns Fᴴ D F. */
    static LinearOperator multiplied(FFTND transform, Factor factor) {
        return transform.H().times(diagonal(transform, factor).times(transform));
    }

    private static LinearOperator diagonal(FFTND transform, Factor factor) {
        Backend backend = transform.backend();
        Layout layout = transform.range();
        DataType type = transform.rangeType();
        DistributedArray diagonal = backend.zeros(layout, type);
        HostArray own = HostArray.allocate(type, diagonal.part().count());
        long[] shape = layout.shape();
        long[] index = new long[shape.length];
        layout.runs(backend.rank(), (local, global, count) -> {
            for (long i = 0; i < count; i++) {
                long rest = global + i;
                for (int axis = shape.length - 1; axis >= 0; axis--) {
                    index[axis] = rest % shape[axis];
                    rest /= shape[axis];
                }
                factor.set(index, own, local + i);
            }
        });
        diagonal.part().copyFrom(own);
        return Diagonal.of(diagonal);
    }
}
