// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Compute;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;

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
        noNulls("PoststackLinearModelling.of", "backend", backend, "volume", volume, "wavelet", wavelet, "type", type);
        LinearOperator reflectivity =
                FirstDerivative.of(backend, volume, -1).dtype(type).build();
        return Convolve1D.of(backend, volume, type, -1, wavelet, wavelet.length / 2)
                .times(reflectivity);
    }

    /**
     * Returns the operator with a wavelet of its own for each sample. Time is not the divided axis, or the operator
     * brings all of it to all ranks.
     *
     * @param wavelets for each sample of the time axis its wavelet, all of the same length, their origin in the middle
     */
    public static LinearOperator of(Backend backend, Layout volume, double[][] wavelets, DataType type) {
        noNulls("PoststackLinearModelling.of", "backend", backend, "volume", volume);
        noNulls("PoststackLinearModelling.of", "wavelets", wavelets, "type", type);
        int nt = Math.toIntExact(volume.length(-1));
        if (wavelets.length != nt || nt == 0) {
            throw new IllegalArgumentException("PoststackLinearModelling: " + wavelets.length + " wavelets for " + nt
                    + " samples; pass one wavelet or one a sample");
        }
        int half = wavelets[0].length / 2;
        double[] matrix = new double[Math.multiplyExact(nt, nt)];
        for (int from = 0; from < nt; from++) {
            if (wavelets[from].length != wavelets[0].length) {
                throw new IllegalArgumentException("PoststackLinearModelling: wavelet " + from + " has "
                        + wavelets[from].length + " samples, the first one " + wavelets[0].length);
            }
            for (int k = 0; k < wavelets[from].length; k++) {
                int to = from + k - half;
                if (to >= 0 && to < nt) {
                    matrix[to * nt + from] = wavelets[from][k];
                }
            }
        }
        DistributedArray convolution = backend.zeros(backend.replicated(nt, nt), Compute.real(type));
        HostArray numbers = HostArray.allocate(convolution.type(), matrix.length);
        for (int i = 0; i < matrix.length; i++) {
            numbers.setDouble(i, matrix[i]);
        }
        convolution.part().copyFrom(numbers);
        return MatrixMult.of(convolution, volume, -1)
                .times(FirstDerivative.of(backend, volume, -1).dtype(type).build());
    }
}
