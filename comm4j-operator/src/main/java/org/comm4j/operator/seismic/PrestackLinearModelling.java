// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.seismic.AvoLinearModelling.Linearization;

/**
 * The pre-stack seismic data of a model of three elastic parameters (PyLops {@code PrestackLinearModelling}): the
 * convolution of a wavelet with the reflections, by angle, of the derivative in time of the parameters' logarithms. The
 * model has … × 3 × nt elements and the data … × angles × nt; PyLops has these axes in the opposite order, before the
 * others.
 */
public final class PrestackLinearModelling {
    private PrestackLinearModelling() {}

    /**
     * Returns the operator.
     *
     * @param model layout of … × 3 × nt elements, whose last two axes are not divided
     * @param wavelet samples of the wavelet, its origin in the middle
     * @param degrees angles of incidence
     * @param ratio S by P velocity at each time
     */
    public static LinearOperator of(
            Backend backend,
            Layout model,
            DataType type,
            double[] wavelet,
            Linearization linearization,
            double[] degrees,
            double... ratio) {
        noNulls("PrestackLinearModelling.of", "backend", backend, "model", model, "type", type, "wavelet", wavelet);
        noNulls("PrestackLinearModelling.of", "linearization", linearization, "degrees", degrees, "ratio", ratio);
        LinearOperator amplitudes = AvoLinearModelling.of(backend, model, type, linearization, degrees, ratio);
        return Convolve1D.of(backend, amplitudes.range(), type, -1, wavelet, wavelet.length / 2)
                .times(amplitudes)
                .times(FirstDerivative.of(backend, model, -1).dtype(type).build());
    }
}
