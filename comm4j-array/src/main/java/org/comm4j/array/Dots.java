// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.math.Compute;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.math.Sweep;
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

    /** Returns the description of a sum that an {@link Updates} computes before each reduction. */
    public static Dots given(Backend backend) {
        return new Dots(backend).andGiven();
    }

    /** Adds the sum of conj(x) y. */
    public Dots and(Vector x, Vector y) {
        return add(x, y, true);
    }

    /** Adds the sum of x y, without conjugation. */
    public Dots andUnconjugated(Vector x, Vector y) {
        return add(x, y, false);
    }

    /** Adds a sum that an {@link Updates} computes before each reduction. */
    public Dots andGiven() {
        checkOpen();
        count++;
        return this;
    }

    private Dots add(Vector x, Vector y, boolean conjugate) {
        checkOpen();
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
        return this;
    }

    private void checkOpen() {
        if (sums != null) {
            throw new IllegalStateException("dot products are described before they are reduced");
        }
    }

    /** Returns the place of an array's contribution to a sum. */
    Scalar place(int dot, DistributedArray array) {
        check(dot);
        boolean split = array.layout().partition() == Partition.SCATTERED;
        scattered |= split;
        return sums().all.get(split ? dot : count + dot);
    }

    /**
     * Collective unless all vectors are replicated or local: computes the dot products, with one pass over each pair of
     * arrays and one allReduce. The results are equal on every rank.
     */
    public Dots reduce() {
        Sums all = sums();
        all.sweep.run();
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

    /**
     * Returns the memory of the results, for calculations that {@link Compute#prepare(KernelMethod.Of3, Buffer, Buffer,
     * Buffer) follow} the reduction: {@link #real(F64Ptr, int, int)} reads it.
     */
    public Buffer numbers() {
        return sums().both;
    }

    /**
     * Returns the real part of a dot product in the memory of {@link #numbers}, in a calculation.
     *
     * @param count of the dot products
     */
    public static double real(F64Ptr numbers, int count, int dot) {
        return numbers.get(2L * dot) + numbers.get(2L * (count + dot));
    }

    /** Adds what the ranks have summed and what each has whole. */
    private double sum(int dot, int part) {
        check(dot);
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

    private void check(int dot) {
        if (dot < 0 || dot >= count) {
            throw new IndexOutOfBoundsException("there are " + count + " dot products, none at " + dot);
        }
    }

    private Sums sums() {
        Sums all = sums;
        if (all == null) {
            all = prepare();
            sums = all;
        }
        return all;
    }

    private Sums prepare() {
        Compute compute = backend.compute();
        Scalars all = compute.scalars(2 * count);
        boolean[] begun = new boolean[2 * count];
        Sweep sweep = new Sweep();
        for (Term t : terms) {
            int place = t.x.layout().partition() == Partition.SCATTERED ? t.dot : count + t.dot;
            if (t.conjugate) {
                sweep.vdot(t.x.part(), t.y.part(), all.get(place), begun[place]);
            } else {
                sweep.dot(t.x.part(), t.y.part(), all.get(place), begun[place]);
            }
            begun[place] = true;
        }
        return new Sums(
                all,
                all.buffer(),
                all.buffer().slice(0, 2L * count),
                compute.prepare(sweep),
                HostArray.allocate(DataType.FLOAT64, 4L * count));
    }

    /**
     * The memory of the sums, and what computes them.
     *
     * @param both the sums of scattered arrays, then those that every rank has whole
     */
    private record Sums(Scalars all, Buffer both, Buffer scattered, Runnable sweep, HostArray host) {}
}
