// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.jspecify.annotations.Nullable;

/**
 * Any number of dot products with one reduction over the ranks. They are described once and reduced as often as needed,
 * without allocation: {@code Dots.of(q, q).and(p, p)}, then {@code reduce()} and {@code real(0)}.
 */
public final class Dots {
    private record Term(DistributedArray x, DistributedArray y, boolean conjugate, int dot) {}

    private final Backend backend;
    private final List<Term> terms = new ArrayList<>();
    private int count;
    private boolean scattered;
    private @Nullable Sums sums;

    /** Whether the host has not yet fetched what was reduced last. */
    private boolean fresh;

    private Dots(Backend backend) {
        this.backend = backend;
    }

    /** Returns the description of the sum of conj(x) y. */
    public static Dots of(Vector x, Vector y) {
        return new Dots(x.backend()).and(x, y);
    }

    /** Returns the description of the sum of x y, without conjugation. */
    public static Dots unconjugated(Vector x, Vector y) {
        return new Dots(x.backend()).andUnconjugated(x, y);
    }

    /** Adds the sum of conj(x) y. */
    public Dots and(Vector x, Vector y) {
        return add(x, y, true);
    }

    /** Adds the sum of x y, without conjugation. */
    public Dots andUnconjugated(Vector x, Vector y) {
        return add(x, y, false);
    }

    private Dots add(Vector x, Vector y, boolean conjugate) {
        x.check("dot", y);
        if (x.backend() != backend) {
            throw new IllegalArgumentException("dot: " + x + " belongs to another backend than the dots before it");
        }
        for (int i = 0; i < x.arrays().size(); i++) {
            DistributedArray a = x.arrays().get(i);
            terms.add(new Term(a, y.arrays().get(i), conjugate, count));
            scattered |= a.layout().partition() == Partition.SCATTERED;
        }
        count++;
        sums = null;
        return this;
    }

    /**
     * Collective unless all vectors are replicated or local: computes the dot products, with one pass over each pair of
     * arrays and one allReduce. The results are equal on every rank.
     */
    public Dots reduce() {
        Compute compute = backend.compute();
        Sums all = sums;
        if (all == null) {
            all = Sums.of(compute, count);
            sums = all;
        }
        Arrays.fill(all.begun, false);
        for (int i = 0; i < terms.size(); i++) {
            Term t = terms.get(i);
            boolean split = t.x.layout().partition() == Partition.SCATTERED;
            int place = split ? t.dot : count + t.dot;
            Scalar sum = all.begun[place] ? all.term : all.places[place];
            if (t.conjugate) {
                compute.vdot(t.x.part(), t.y.part(), sum);
            } else {
                compute.dot(t.x.part(), t.y.part(), sum);
            }
            if (all.begun[place]) {
                compute.axpby(Coefficient.ONE, all.termBuffer, Coefficient.ONE, all.buffers[place]);
            }
            all.begun[place] = true;
        }
        if (scattered && backend.size() > 1) {
            backend.operations().allReduce(all.scattered, all.scattered, ReduceOp.SUM);
        }
        fresh = true;
        return this;
    }

    /** Returns the real part of a dot product that was reduced, in the order of their description. */
    public double real(int dot) {
        return sum(dot, 0);
    }

    /** Returns the imaginary part of a dot product that was reduced, in the order of their description. */
    public double imaginary(int dot) {
        return sum(dot, 1);
    }

    /** Adds what the ranks have summed and what each has whole. */
    private double sum(int dot, int part) {
        if (dot < 0 || dot >= count) {
            throw new IndexOutOfBoundsException("there are " + count + " dot products, none at " + dot);
        }
        Sums all = sums;
        if (all == null) {
            throw new IllegalStateException("the dot products have not been reduced");
        }
        if (fresh) {
            backend.compute().synchronize();
            all.both.copyTo(all.host);
            fresh = false;
        }
        return all.host.getDouble(2L * dot + part) + all.host.getDouble(2L * (count + dot) + part);
    }

    /**
     * The memory of the sums, with every part of it that is used at each reduction.
     *
     * @param both the sums of scattered arrays, then those that every rank has whole
     * @param begun which of them have a term already
     * @param term a number that is being computed
     */
    private record Sums(
            Buffer both,
            Buffer scattered,
            Scalar[] places,
            Buffer[] buffers,
            boolean[] begun,
            Scalar term,
            Buffer termBuffer,
            HostArray host) {
        static Sums of(Compute compute, int count) {
            Scalars all = compute.scalars(2 * count + 1);
            Scalar[] places = new Scalar[2 * count];
            Buffer[] buffers = new Buffer[2 * count];
            for (int i = 0; i < places.length; i++) {
                places[i] = all.get(i);
                buffers[i] = places[i].buffer();
            }
            Scalar term = all.get(2 * count);
            return new Sums(
                    all.buffer().slice(0, 4L * count),
                    all.buffer().slice(0, 2L * count),
                    places,
                    buffers,
                    new boolean[2 * count],
                    term,
                    term.buffer(),
                    HostArray.allocate(DataType.FLOAT64, 4L * count));
        }
    }
}
