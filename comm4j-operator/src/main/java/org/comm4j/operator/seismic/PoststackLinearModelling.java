// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;

/**
 * The post-stack seismic data of an impedance model (PyLops {@code PoststackLinearModelling}): the convolution of a
 * wavelet with the derivative, along the last axis, of the logarithm of the impedance. PyLops has time as the first
 * axis. The factor of one half that zero-offset reflections have belongs to the wavelet.
 */
public final class PoststackLinearModelling {
    private PoststackLinearModelling() {}

    /**
     * Returns the operator for volumes whose last axis is time.
     *
     * @param wavelet samples of the wavelet, its origin in the middle
     */
    public static LinearOperator of(Backend backend, Layout volume, double[] wavelet, DataType type) {
        LinearOperator reflectivity =
                FirstDerivative.of(backend, volume, -1).dtype(type).build();
        return Convolve1D.of(backend, volume, type, -1, wavelet, wavelet.length / 2)
                .times(reflectivity);
    }
}
