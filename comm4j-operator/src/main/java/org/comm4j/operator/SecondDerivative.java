// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.Band;
import org.jspecify.annotations.Nullable;

/**
 * The second derivative along an axis (PyLops {@code SecondDerivative}). Along the divided axis each direction
 * exchanges ghost rows with the neighbours once.
 */
public final class SecondDerivative extends BandOperator {
    private SecondDerivative(Backend backend, Layout layout, DataType type, @Nullable Band[] bands) {
        super(backend, layout, type, bands);
    }

    /**
     * Returns a builder of the derivative along an axis of arrays of a layout: centred, with sampling 1, real elements
     * of double precision, and zero at the ends.
     *
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     */
    public static Builder of(Backend backend, Layout layout, int axis) {
        noNulls("SecondDerivative.of", "backend", backend, "layout", layout);
        return new Builder(backend, layout, axis);
    }

    /** The options of the derivative. */
    public static final class Builder {
        private final Backend backend;
        private final Layout layout;
        private final int axis;
        private double sampling = 1;
        private DerivativeKind kind = DerivativeKind.CENTERED;
        private boolean edge;
        private DataType type = DataType.FLOAT64;

        private Builder(Backend backend, Layout layout, int axis) {
            this.backend = backend;
            this.layout = layout;
            this.axis = layout.axis(axis);
        }

        /** Sets the distance of grid points; 1 unless set. */
        public Builder sampling(double sampling) {
            this.sampling = sampling;
            return this;
        }

        /** Sets which neighbours the difference takes. */
        public Builder kind(DerivativeKind kind) {
            nonNull(kind, "SecondDerivative.kind", "kind");
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
            nonNull(type, "SecondDerivative.dtype", "type");
            this.type = type;
            return this;
        }

        /** Returns the operator. */
        public SecondDerivative build() {
            @Nullable Band[] bands = new Band[layout.ndim()];
            bands[axis] = Differences.second(layout.length(axis), sampling, kind, edge);
            return new SecondDerivative(backend, layout, type, bands);
        }
    }
}
