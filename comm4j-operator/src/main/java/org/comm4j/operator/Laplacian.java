// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.Band;
import org.jspecify.annotations.Nullable;

/**
 * The Laplacian, the weighted sum of second derivatives along axes (PyLops {@code Laplacian}), in one pass over memory.
 * Along the divided axis each direction exchanges ghost rows with the neighbours once.
 */
public final class Laplacian extends BandOperator {
    private Laplacian(Backend backend, Layout layout, DataType type, @Nullable Band[] bands) {
        super(backend, layout, type, bands);
    }

    /**
     * Returns a builder of the Laplacian along axes of arrays of a layout: centred, with weights and samplings 1, real
     * elements of double precision, and zero at the ends.
     *
     * @param axes any axes, divided among the ranks or not; negative ones count from the end
     */
    public static Builder of(Backend backend, Layout layout, int... axes) {
        noNulls("Laplacian.of", "backend", backend, "layout", layout, "axes", axes);
        return new Builder(backend, layout, axes);
    }

    /** The options of the Laplacian. */
    public static final class Builder {
        private final Backend backend;
        private final Layout layout;
        private final int[] axes;
        private double[] weights;
        private double[] samplings;
        private DerivativeKind kind = DerivativeKind.CENTERED;
        private boolean edge;
        private DataType type = DataType.FLOAT64;

        private Builder(Backend backend, Layout layout, int... axes) {
            this.backend = backend;
            this.layout = layout;
            this.axes = axes.clone();
            weights = ones(axes.length);
            samplings = ones(axes.length);
            for (int i = 0; i < axes.length; i++) {
                this.axes[i] = layout.axis(axes[i]);
            }
        }

        private static double[] ones(int count) {
            double[] ones = new double[count];
            Arrays.fill(ones, 1);
            return ones;
        }

        /** Sets the factor of each axis' second derivative; 1 unless set. */
        public Builder weights(double... weights) {
            nonNull(weights, "Laplacian.weights", "weights");
            this.weights = checked("weights", weights);
            return this;
        }

        /** Sets the distance of grid points along each axis; 1 unless set. */
        public Builder sampling(double... samplings) {
            nonNull(samplings, "Laplacian.sampling", "samplings");
            this.samplings = checked("samplings", samplings);
            return this;
        }

        private double[] checked(String what, double... values) {
            if (values.length != axes.length) {
                throw new IllegalArgumentException(
                        "Laplacian: " + values.length + " " + what + " for " + axes.length + " axes");
            }
            return values.clone();
        }

        /** Sets which neighbours the differences take. */
        public Builder kind(DerivativeKind kind) {
            nonNull(kind, "Laplacian.kind", "kind");
            this.kind = kind;
            return this;
        }

        /** Makes the ends one-sided differences instead of zero, for the centred kind. */
        public Builder edge() {
            edge = true;
            return this;
        }

        /** Sets the type of the operator's elements; {@code FLOAT64} unless set. */
        public Builder dtype(DataType type) {
            nonNull(type, "Laplacian.dtype", "type");
            this.type = type;
            return this;
        }

        /**
         * Returns the operator.
         *
         * @throws IllegalArgumentException if an axis is named twice
         */
        public Laplacian build() {
            @Nullable Band[] bands = new Band[layout.ndim()];
            for (int i = 0; i < axes.length; i++) {
                if (bands[axes[i]] != null) {
                    throw new IllegalArgumentException("Laplacian: axis " + axes[i] + " is named twice");
                }
                bands[axes[i]] = Differences.second(layout.length(axes[i]), samplings[i], kind, edge)
                        .times(weights[i]);
            }
            return new Laplacian(backend, layout, type, bands);
        }
    }
}
