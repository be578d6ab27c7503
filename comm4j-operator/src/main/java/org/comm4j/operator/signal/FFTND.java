// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.Redistribute;
import org.comm4j.operator.Roll;

/**
 * The Fourier transform along any axes, divided among the ranks or not (PyLops {@code FFTND}).
 *
 * <p>Axes that a rank has whole are transformed there. For the divided one the ranks redistribute the array by one
 * allToAllV, so that {@link #range} is divided along another axis; {@link Builder#sameAxis} divides it along the same
 * one, by another allToAllV. A one-dimensional array is transformed as a matrix, with three of them.
 */
@SuppressWarnings("AbbreviationAsWordInName") // PyLops' name
public final class FFTND extends Chain {
    private final double inverse;
    private final int[] axes;
    private final double[][] frequencies;

    private FFTND(Builder builder, LinearOperator chain, double inverse) {
        super(chain);
        this.inverse = inverse;
        axes = builder.axes;
        frequencies = builder.frequencies();
    }

    /**
     * Returns a builder of the transform along axes of arrays of a layout: unitary, of complex elements of double
     * precision, without padding and shifts.
     *
     * @param axes any axes, each once; negative ones count from the end
     */
    public static Builder of(Backend backend, Layout layout, int... axes) {
        noNulls("FFTND.of", "backend", backend, "layout", layout, "axes", axes);
        return new Builder("FFTND", backend, layout, axes);
    }

    /** Returns the inverse: the adjoint, scaled. It is exact where no element was cut off. */
    public LinearOperator inverse() {
        return inverse == 1 ? H() : H().times(inverse);
    }

    /**
     * Returns the frequencies of the elements along an axis of the range, in cycles by the unit of the sampling.
     *
     * @throws IllegalArgumentException if the axis is not transformed
     */
    public double[] frequencies(int axis) {
        int along = domain().axis(axis);
        for (int i = 0; i < axes.length; i++) {
            if (axes[i] == along) {
                return frequencies[i].clone();
            }
        }
        throw new IllegalArgumentException("frequencies of " + this + ": axis " + axis + " is not transformed");
    }

    /** The options of a Fourier transform. */
    public static final class Builder {
        private static final int SLABS = 4;

        private final String name;
        private final Backend backend;
        private final Layout layout;
        private final int[] axes;
        private final long[] lengths;
        private double[] samplings;
        private boolean[] before;
        private boolean[] after;
        private FourierNorm norm = FourierNorm.ORTHO;
        private DataType precision = DataType.FLOAT64;
        private boolean real;
        private boolean sameAxis;
        private int slabs;

        Builder(String name, Backend backend, Layout layout, int... axes) {
            this.name = name;
            this.backend = backend;
            this.layout = layout;
            this.axes = axes.clone();
            lengths = new long[axes.length];
            samplings = new double[axes.length];
            Arrays.fill(samplings, 1);
            before = new boolean[axes.length];
            after = new boolean[axes.length];
            if (axes.length == 0 || layout.partition() == Partition.STACKED) {
                throw new IllegalArgumentException(name + ": no axes, or a stack: " + layout);
            }
            for (int i = 0; i < axes.length; i++) {
                this.axes[i] = layout.axis(axes[i]);
                lengths[i] = layout.length(axes[i]);
                for (int j = 0; j < i; j++) {
                    if (this.axes[j] == this.axes[i]) {
                        throw new IllegalArgumentException(name + ": axis " + axes[i] + " is named twice");
                    }
                }
            }
        }

        /**
         * Transforms real elements. The last one of the axes has those up to the Nyquist frequency: ⌊n / 2⌋ + 1, with
         * √2 times the ones that stand for two, so that the transform keeps dot products.
         */
        public Builder real() {
            real = true;
            return this;
        }

        /**
         * Sets the lengths of the transforms (PyLops {@code nffts}), which put zeros behind an axis.
         *
         * @throws IllegalArgumentException if one is shorter than its axis, which {@link #lengths} cuts off
         */
        public Builder pad(long... lengths) {
            nonNull(lengths, "FFTND.pad", "lengths");
            checkCount("lengths", lengths.length);
            for (int i = 0; i < lengths.length; i++) {
                if (lengths[i] > 0 && lengths[i] < layout.length(axes[i])) {
                    throw new IllegalArgumentException(name + ": the length " + lengths[i] + " along axis " + axes[i]
                            + " is below the axis's " + layout.length(axes[i])
                            + ": pad does not cut off elements, lengths does");
                }
            }
            return lengths(lengths);
        }

        /** Sets the lengths of the transforms: as {@link #pad}, but shorter ones than an axis cut it off. */
        public Builder lengths(long... lengths) {
            nonNull(lengths, "FFTND.lengths", "lengths");
            checkCount("lengths", lengths.length);
            for (int i = 0; i < lengths.length; i++) {
                if (lengths[i] < 1 || lengths[i] > Integer.MAX_VALUE) {
                    throw new IllegalArgumentException(name + ": the length " + lengths[i] + " along axis " + axes[i]
                            + " is not from 1 to " + Integer.MAX_VALUE);
                }
                this.lengths[i] = lengths[i];
            }
            return this;
        }

        /** Sets the scaling; {@link FourierNorm#ORTHO} unless set. */
        public Builder norm(FourierNorm norm) {
            nonNull(norm, "FFTND.norm", "norm");
            this.norm = norm;
            return this;
        }

        /** Sets the distance of the elements along each of the axes, for {@link #frequencies}; 1 unless set. */
        public Builder sampling(double... samplings) {
            nonNull(samplings, "FFTND.sampling", "samplings");
            checkCount("samplings", samplings.length);
            this.samplings = samplings.clone();
            return this;
        }

        /** Takes the middle of each axis as its origin (NumPy {@code ifftshift} before the transform). */
        public Builder shiftBefore() {
            boolean[] all = new boolean[axes.length];
            Arrays.fill(all, true);
            return shiftBefore(all);
        }

        /** Says for each of the axes whether its middle is its origin. */
        public Builder shiftBefore(boolean... shifted) {
            nonNull(shifted, "FFTND.shiftBefore", "shifted");
            checkCount("shifts", shifted.length);
            before = shifted.clone();
            return this;
        }

        /** Puts the frequency 0 into the middle of each axis (NumPy {@code fftshift} after the transform). */
        public Builder shiftAfter() {
            boolean[] all = new boolean[axes.length];
            Arrays.fill(all, true);
            return shiftAfter(all);
        }

        /** Says for each of the axes whether the frequency 0 comes into its middle. */
        public Builder shiftAfter(boolean... shifted) {
            nonNull(shifted, "FFTND.shiftAfter", "shifted");
            checkCount("shifts", shifted.length);
            after = shifted.clone();
            return this;
        }

        /** Divides the range along the same axis as the domain, for one more allToAllV. */
        public Builder sameAxis() {
            sameAxis = true;
            return this;
        }

        /** Sets the precision of the elements; {@code FLOAT64} or {@code COMPLEX128} unless set. */
        public Builder dtype(DataType type) {
            nonNull(type, "FFTND.dtype", "type");
            Compute.check(name, type);
            precision = Compute.real(type);
            return this;
        }

        /**
         * Sets how many slabs of a rank's rows are transformed one after the other, each of which travels to the other
         * ranks while the next one is transformed; 1 for travelling after all transforms. Unless set it is
         * {@value #SLABS} on GPUs for parts from {@link Backend#overlapFrom()} bytes on, else 1. It has an effect where
         * the axis that is divided is axis 0 and comes first in the list of axes, with another one.
         */
        public Builder slabs(int slabs) {
            if (slabs < 1) {
                throw new IllegalArgumentException(name + ": " + slabs + " slabs, at least 1 is needed");
            }
            this.slabs = slabs;
            return this;
        }

        private int slabs(Layout at, DataType type) {
            if (slabs > 0) {
                return slabs;
            }
            long bytes = at.size() / backend.size() * type.bytes();
            boolean beside = backend.overlaps() && backend.compute().isAsynchronous();
            return beside && bytes >= backend.overlapFrom() ? SLABS : 1;
        }

        private void checkCount(String what, int count) {
            if (count != axes.length) {
                throw new IllegalArgumentException(name + ": " + count + " " + what + " for " + axes.length + " axes");
            }
        }

        /**
         * Returns the operator.
         *
         * @throws IllegalArgumentException if a transform is longer than 2³¹ − 1
         */
        public FFTND build() {
            List<LinearOperator> steps = new ArrayList<>();
            Layout at = layout;
            DataType type = real ? precision : AxisTransform.complex(precision);
            if (at.isDivided() && (at.partition() == Partition.BLOCKS || at.groups().length > 0)) {
                // Axes are made whole one at a time, which takes one divided axis, and all ranks.
                at = add(steps, Redistribute.of(backend, at, backend.scattered(0, at.shape()), type));
            }
            Layout divided = at;
            double total = 1;
            for (int i = 0; i < axes.length; i++) {
                long length = layout.length(axes[i]);
                total *= (double) lengths[i];
                if (before[i]) {
                    at = add(steps, Roll.of(backend, at, type, axes[i], -(length / 2)));
                }
            }
            long[] padded = at.shape();
            for (int i = 0; i < axes.length; i++) {
                padded[axes[i]] = lengths[i];
            }
            if (!Arrays.equals(padded, at.shape())) {
                at = add(steps, Identity.of(backend, at, type, padded));
            }
            at = transforms(steps, at, type, norm.factor(total));
            DataType complex = AxisTransform.complex(precision);
            for (int i = 0; i < axes.length; i++) {
                if (after[i]) {
                    at = add(steps, Roll.of(backend, at, complex, axes[i], at.length(axes[i]) / 2));
                }
            }
            if (sameAxis && isDivided(at) && at.axis() != divided.axis()) {
                add(steps, Redistribute.of(backend, at, backend.scattered(divided.axis(), at.shape()), complex));
            }
            return new FFTND(this, Chain.of(steps), norm.inverse(total));
        }

        private static Layout add(List<LinearOperator> steps, LinearOperator step) {
            steps.add(step);
            return step.range();
        }

        private boolean isDivided(Layout at) {
            return backend.size() > 1 && at.partition() == Partition.SCATTERED;
        }

        /** Adds the transforms, the real one first, and what brings the divided axis together when its turn comes. */
        private Layout transforms(List<LinearOperator> steps, Layout from, DataType type, double scale) {
            Layout at = from;
            if (isDivided(at) && at.ndim() == 1) {
                return line(steps, at, type, scale);
            }
            DataType now = type;
            double factor = scale;
            List<Integer> left =
                    new ArrayList<>(Arrays.stream(axes).boxed().toList().reversed());
            while (!left.isEmpty()) {
                int next = left.getFirst();
                if (isDivided(at)) {
                    int divided = at.axis();
                    boolean realNow = !now.isComplex() && next == divided;
                    next = left.stream()
                            .filter(axis -> axis != divided && !realNow)
                            .findFirst()
                            .orElse(divided);
                    if (next == divided) {
                        int other = other(at, left);
                        at = add(steps, Redistribute.of(backend, at, backend.scattered(other, at.shape()), now));
                    } else if (divided == 0 && left.size() == 2 && left.contains(0) && slabs(at, now) > 1) {
                        left.remove(Integer.valueOf(next));
                        int other = other(AxisTransform.spectrum(at, now, next), left);
                        at = add(steps, new SlabTransform(backend, at, now, next, factor, other, slabs(at, now)));
                        now = AxisTransform.complex(precision);
                        factor = 1;
                        continue;
                    }
                }
                at = add(steps, new AxisTransform(backend, at, now, next, factor));
                now = AxisTransform.complex(precision);
                factor = 1;
                left.remove(Integer.valueOf(next));
            }
            return at;
        }

        /** Adds the transform of a divided line; a real one is transformed as a complex one, and half of it is kept. */
        private Layout line(List<LinearOperator> steps, Layout at, DataType type, double factor) {
            DataType complex = AxisTransform.complex(type);
            if (type.isComplex()) {
                return add(steps, new LineTransform(backend, at, type).times(factor));
            }
            add(steps, new ToComplex(backend, at, type));
            add(steps, new LineTransform(backend, at, complex));
            long n = at.length(0);
            Layout half = add(steps, Identity.of(backend, at, complex, n / 2 + 1));
            double[] weights = new double[Math.toIntExact(n / 2 + 1)];
            Arrays.setAll(weights, k -> k == 0 || 2L * k == n ? factor : factor * Math.sqrt(2));
            DistributedArray diagonal = backend.zeros(half, complex);
            diagonal.assign(backend.of(half, weights));
            return add(steps, Diagonal.of(diagonal));
        }

        /** Returns the axis to divide next: one that need not come together again, and of these the longest. */
        private static int other(Layout at, List<Integer> left) {
            int best = -1;
            for (int axis = 0; axis < at.ndim(); axis++) {
                if (axis == at.axis()) {
                    continue;
                }
                boolean done = !left.contains(axis);
                boolean bestDone = best >= 0 && !left.contains(best);
                if (best < 0 || done && !bestDone || done == bestDone && at.length(axis) > at.length(best)) {
                    best = axis;
                }
            }
            return best;
        }

        private double[][] frequencies() {
            double[][] all = new double[axes.length][];
            for (int i = 0; i < axes.length; i++) {
                boolean half = real && i == axes.length - 1;
                int n = Math.toIntExact(lengths[i]);
                double[] f = new double[half ? n / 2 + 1 : n];
                for (int k = 0; k < f.length; k++) {
                    f[k] = (half || 2 * k < n ? k : k - n) / (n * samplings[i]);
                }
                all[i] = f;
                if (after[i]) {
                    double[] shifted = new double[f.length];
                    for (int k = 0; k < f.length; k++) {
                        shifted[(k + f.length / 2) % f.length] = f[k];
                    }
                    all[i] = shifted;
                }
            }
            return all;
        }
    }
}
