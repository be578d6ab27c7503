// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.Redistribute;

/**
 * Multi-dimensional convolution (PyLops {@code MDC}): a matrix for each frequency, between Fourier transforms over
 * time. Traces are divided among the ranks while they are transformed, each once, and frequencies while they are
 * multiplied: a direction is two allToAllV.
 */
@SuppressWarnings("AbbreviationAsWordInName") // PyLops' name
public final class MDC extends Chain {
    private MDC(LinearOperator chain) {
        super(chain);
    }

    /**
     * Returns a builder of the operator from real arrays of nt × nr × nv elements to those of nt × ns × nv.
     *
     * @param kernel complex elements, nf frequencies × ns sources × nr receivers, divided along the first axis or
     *     replicated; not copied
     * @param nt number of samples in time
     * @param nv number of virtual sources
     * @throws IllegalArgumentException if the kernel is real, or has more frequencies than nt samples have
     */
    public static Builder of(DistributedArray kernel, int nt, int nv) {
        nonNull(kernel, "MDC.of", "kernel");
        return new Builder(kernel, nt, nv);
    }

    /** The options of a multi-dimensional convolution. */
    public static final class Builder {
        private final DistributedArray kernel;
        private final int nt;
        private final int nv;
        private Layout model;
        private Layout data;
        private double dt = 1;
        private double dr = 1;
        private boolean twoSided;
        private boolean conjugate;
        private boolean prescaled;

        private Builder(DistributedArray kernel, int nt, int nv) {
            this.kernel = kernel;
            this.nt = nt;
            this.nv = nv;
            Layout layout = kernel.layout();
            if (!kernel.type().isComplex() || layout.ndim() != 3 || nt < 1 || nv < 1) {
                throw new IllegalArgumentException("MDC: the kernel " + kernel + " for " + nt + " samples and " + nv
                        + " virtual sources; it has complex elements, frequencies x sources x receivers");
            }
            if (layout.length(0) > nt / 2 + 1) {
                throw new IllegalArgumentException("MDC: the kernel has " + layout.length(0) + " frequencies, and " + nt
                        + " samples have " + (nt / 2 + 1));
            }
            Backend backend = kernel.backend();
            model = backend.scattered(1, nt, layout.length(2), nv);
            data = backend.scattered(1, nt, layout.length(1), nv);
        }

        /** Sets the interval of samples in time; 1 unless set. */
        public Builder dt(double dt) {
            this.dt = dt;
            return this;
        }

        /** Sets the interval of receivers; 1 unless set. */
        public Builder dr(double dr) {
            this.dr = dr;
            return this;
        }

        /** Makes the model two-sided: time 0 is the middle one of an odd number of samples. */
        public Builder twoSided() {
            if (nt % 2 == 0) {
                throw new IllegalArgumentException(
                        "MDC: " + nt + " samples have no middle one; a two-sided model has an odd number");
            }
            twoSided = true;
            return this;
        }

        /** Multiplies by the complex conjugate of the kernel: a correlation. */
        public Builder conj() {
            conjugate = true;
            return this;
        }

        /** Takes the kernel as it is, without the factor dt dr √nt. */
        public Builder prescaled() {
            prescaled = true;
            return this;
        }

        /** Sets how the model is divided: its receivers are, unless set. */
        public Builder model(Layout model) {
            nonNull(model, "MDC.model", "model");
            this.model = checked(model, this.model);
            return this;
        }

        /** Sets how the data are divided: their sources are, unless set. */
        public Builder data(Layout data) {
            nonNull(data, "MDC.data", "data");
            this.data = checked(data, this.data);
            return this;
        }

        private static Layout checked(Layout layout, Layout shape) {
            if (!Arrays.equals(layout.shape(), shape.shape())) {
                throw new IllegalArgumentException("MDC: " + layout + " has not the shape of " + shape);
            }
            return layout;
        }

        /** Returns the operator. */
        public MDC build() {
            LinearOperator multiply = Fredholm1.of(kernel, nv);
            if (conjugate) {
                multiply = multiply.conj();
            }
            LinearOperator chain = spectrum(data, false, multiply.range())
                    .H()
                    .times(multiply.times(spectrum(model, twoSided, multiply.domain())));
            // Both transforms are unitary by 1 / √nt: one factor for all takes one pass over the data.
            double unitary = 1.0 / nt;
            return new MDC(chain.times(prescaled ? unitary : unitary * dr * dt * Math.sqrt(nt)));
        }

        /** Returns the way from traces to the frequencies that the kernel has, divided as the kernel is. */
        private LinearOperator spectrum(Layout traces, boolean shifted, Layout frequencies) {
            Backend backend = kernel.backend();
            DataType precision = Compute.real(kernel.type());
            Layout divided = backend.scattered(1, traces.shape());
            var builder =
                    FFT.of(backend, divided, 0).real().norm(FourierNorm.NONE).dtype(precision);
            LinearOperator transform = (shifted ? builder.shiftBefore() : builder).build();
            if (!traces.equals(divided)) {
                transform = transform.times(Redistribute.of(backend, traces, divided, precision));
            }
            long nf = kernel.layout().length(0);
            if (nf < transform.range().length(0)) {
                long[] kept = transform.range().shape();
                kept[0] = nf;
                transform = Identity.of(backend, transform.range(), kernel.type(), kept)
                        .times(transform);
            }
            return Redistribute.of(backend, transform.range(), frequencies, kernel.type())
                    .times(transform);
        }
    }
}
