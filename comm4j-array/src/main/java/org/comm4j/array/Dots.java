// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
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
    /**
     * One array's part of a dot product.
     *
     * @param level number of the ranks that add it up among {@link #levels}; −1 for none
     */
    private record Term(DistributedArray x, DistributedArray y, boolean conjugate, int dot, int level) {}

    private final Backend backend;
    private final List<Term> terms = new ArrayList<>();
    /** Operations of the ranks that add up: all ranks, those of a group, or both for a stack with such members. */
    private final List<GroupedOperations> levels = new ArrayList<>();

    private int count;
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
            terms.add(new Term(a, y.arrays().get(i), conjugate, count, level(a.layout())));
        }
        count++;
        sums = null;
        return this;
    }

    private int level(Layout layout) {
        if (!layout.isDivided()) {
            return -1;
        }
        GroupedOperations operations = backend.operations(layout);
        if (!levels.contains(operations)) {
            levels.add(operations);
        }
        return levels.indexOf(operations);
    }

    /**
     * Collective unless all vectors are replicated or local: computes the dot products, with one pass over each pair of
     * arrays and one allReduce. The results are equal on every rank.
     */
    public Dots reduce() {
        Compute compute = backend.compute();
        Sums all = sums;
        if (all == null) {
            all = Sums.of(compute, count, levels.size());
            sums = all;
        }
        Arrays.fill(all.begun, false);
        for (int i = 0; i < terms.size(); i++) {
            Term t = terms.get(i);
            int place = (t.level + 1) * count + t.dot;
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
        for (int i = 0; i < levels.size() && backend.size() > 1; i++) {
            levels.get(i).allReduce(all.levels[i], all.levels[i], ReduceOp.SUM);
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
        double sum = 0;
        for (int level = 0; level <= levels.size(); level++) {
            sum += all.host.getDouble(2L * (level * count + dot) + part);
        }
        return sum;
    }

    /**
     * The memory of the sums, with every part of it that is used at each reduction.
     *
     * @param both the sums that every rank has whole, then those of divided arrays, level by level
     * @param levels the memory of each level's sums
     * @param begun which of them have a term already
     * @param term a number that is being computed
     */
    private record Sums(
            Buffer both,
            Buffer[] levels,
            Scalar[] places,
            Buffer[] buffers,
            boolean[] begun,
            Scalar term,
            Buffer termBuffer,
            HostArray host) {
        static Sums of(Compute compute, int count, int levelCount) {
            int total = (levelCount + 1) * count;
            Scalars all = compute.scalars(total + 1);
            Scalar[] places = new Scalar[total];
            Buffer[] buffers = new Buffer[total];
            Buffer[] levels = new Buffer[levelCount];
            for (int i = 0; i < levelCount; i++) {
                levels[i] = all.buffer().slice(2L * (i + 1) * count, 2L * count);
            }
            for (int i = 0; i < places.length; i++) {
                places[i] = all.get(i);
                buffers[i] = places[i].buffer();
            }
            Scalar term = all.get(total);
            return new Sums(
                    all.buffer().slice(0, 2L * total),
                    levels,
                    places,
                    buffers,
                    new boolean[total],
                    term,
                    term.buffer(),
                    HostArray.allocate(DataType.FLOAT64, 2L * total));
        }
    }
}
