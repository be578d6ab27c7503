// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.ReduceOp;
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
    /** The sums of scattered arrays, then those that every rank has whole, then one number that is being computed. */
    private @Nullable Scalars sums;

    private @Nullable Buffer reduced;

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
        Scalars all = sums;
        if (all == null) {
            all = backend.compute().scalars(2 * count + 1);
            sums = all;
            reduced = all.buffer().slice(0, 2L * count);
        }
        for (int i = 0; i < 2 * count; i++) {
            all.get(i).set(0);
        }
        Scalar term = all.get(2 * count);
        for (int i = 0; i < terms.size(); i++) {
            Term t = terms.get(i);
            if (t.conjugate) {
                backend.compute().vdot(t.x.part(), t.y.part(), term);
            } else {
                backend.compute().dot(t.x.part(), t.y.part(), term);
            }
            boolean split = t.x.layout().partition() == Partition.SCATTERED;
            Scalar sum = all.get(split ? t.dot : count + t.dot);
            sum.set(sum.real() + term.real(), sum.imaginary() + term.imaginary());
        }
        if (scattered && backend.size() > 1 && reduced != null) {
            backend.communicator().allReduce(reduced, reduced, ReduceOp.SUM);
        }
        return this;
    }

    /** Returns the real part of a dot product that was reduced, in the order of their description. */
    public double real(int dot) {
        Scalars all = reduced(dot);
        return all.get(dot).real() + all.get(count + dot).real();
    }

    /** Returns the imaginary part of a dot product that was reduced, in the order of their description. */
    public double imaginary(int dot) {
        Scalars all = reduced(dot);
        return all.get(dot).imaginary() + all.get(count + dot).imaginary();
    }

    private Scalars reduced(int dot) {
        if (dot < 0 || dot >= count) {
            throw new IndexOutOfBoundsException("there are " + count + " dot products, none at " + dot);
        }
        if (sums == null) {
            throw new IllegalStateException("the dot products have not been reduced");
        }
        return sums;
    }
}
