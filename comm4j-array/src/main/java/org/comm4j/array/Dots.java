// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Compute;
import org.comm4j.math.ExactSums;
import org.comm4j.math.PointTerm;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.math.Sweep;
import org.comm4j.math.Transfer;
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

    /** Numbers before the sums: how many levels there are, and dot products. */
    private static final int HEADER = 2;

    private final Backend backend;
    private final List<Term> terms = new ArrayList<>();
    /** Operations of the ranks that add up: all ranks, those of a group, or both for a stack with such members. */
    private final List<GroupedOperations> levels = new ArrayList<>();

    private boolean exact;
    private int count;
    private @Nullable Sums sums;
    private Transfer @Nullable [] background;

    /** Whether the host has not yet fetched what was reduced last. */
    private boolean fresh;

    private Dots(Backend backend) {
        this.backend = backend;
        exact = backend.isReproducible();
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

    /**
     * Makes the sums the same to the bit for every split of the vectors, number of ranks, engine and device: products
     * of real numbers are rounded to double precision, and their sums once in the end. A reduction then sends {@link
     * ExactSums#LENGTH} integers for each real number.
     *
     * @see Backend#reproducible
     */
    public Dots reproducible() {
        checkOpen();
        exact = true;
        return this;
    }

    boolean isReproducible() {
        return exact;
    }

    private Dots add(Vector x, Vector y, boolean conjugate) {
        checkOpen();
        x.check("dot", y);
        if (x.backend() != backend) {
            throw new IllegalArgumentException("dot: " + x + " belongs to another backend than the dots before it");
        }
        for (int i = 0; i < x.arrays().size(); i++) {
            DistributedArray a = x.arrays().get(i);
            terms.add(new Term(a, y.arrays().get(i), conjugate, count, level(a.layout())));
        }
        count++;
        return this;
    }

    @SuppressWarnings("ReferenceEquality") // these very operations
    private int level(Layout layout) {
        if (!layout.isDivided()) {
            return -1;
        }
        GroupedOperations operations = backend.operations(layout);
        for (int i = 0; i < levels.size(); i++) {
            if (levels.get(i) == operations) {
                return i;
            }
        }
        checkOpen();
        levels.add(operations);
        return levels.size() - 1;
    }

    private void checkOpen() {
        if (sums != null) {
            throw new IllegalStateException("dot products are described before they are reduced");
        }
    }

    /** Says that an array contributes to a sum, before its {@link #place} is asked for. */
    void expect(int dot, DistributedArray array) {
        check(dot);
        int _ = level(array.layout());
    }

    /** Returns the place of an array's contribution to a sum. */
    Scalar place(int dot, DistributedArray array) {
        return sums().place(index(dot, array));
    }

    /**
     * Returns where the sums of a {@link Pointwise} go.
     *
     * @param begun numbers of sums that have terms, to which it adds this one
     */
    PointTerm.Sums sums(int dot, DistributedArray array, Set<Integer> begun) {
        int index = index(dot, array);
        boolean add = !begun.add(index);
        return exact ? PointTerm.Sums.of(exactSums(), index, add) : PointTerm.Sums.of(place(dot, array), add);
    }

    /** Returns the sums of which {@link #index} is a contribution, of reproducible dots. */
    ExactSums exactSums() {
        return requireNonNull(sums().exact);
    }

    /** Returns the number of an array's contribution to a sum. */
    int index(int dot, DistributedArray array) {
        return (level(array.layout()) + 1) * count + dot;
    }

    /**
     * Collective unless all vectors are replicated or local: computes the dot products, with one pass over each pair of
     * arrays and one allReduce. The results are equal on every rank.
     */
    public Dots reduce() {
        addUp();
        sums().rounding.run();
        return this;
    }

    /** Adds up on every rank and over the ranks. */
    private void addUp() {
        Sums all = sums();
        Runnable together = all.together;
        if (together != null) {
            together.run();
        } else {
            all.plain(backend.compute()).run();
            for (int i = 0; i < levels.size() && backend.size() > 1; i++) {
                levels.get(i).allReduce(all.levels[i], all.levels[i], ReduceOp.SUM);
            }
        }
        fresh = true;
    }

    /**
     * Collective unless all vectors are replicated or local: computes what each rank contributes, and starts to reduce
     * in the background, by a communicator of its own, which the first call makes. {@link #ending} ends it.
     */
    public void begin() {
        Sums all = sums();
        all.plain(backend.compute()).run();
        for (Transfer each : background(all)) {
            each.begin();
        }
    }

    /**
     * Collective the first time: returns what ends a reduction that {@link #begin} has started, and then calculates
     * with numbers that stay where the vectors are. All ranks run it together.
     *
     * @param a memory of numbers, {@link #numbers} of this among them; {@code b} and {@code c} likewise
     */
    public Runnable ending(Calculation calculation, Buffer a, Buffer b, Buffer c) {
        Sums all = sums();
        Runnable rest = backend.compute().prepare(all.round(new Sweep()), calculation, a, b, c);
        return () -> {
            for (Transfer each : background(all)) {
                each.end();
            }
            fresh = true;
            rest.run();
        };
    }

    /** Collective the first time: returns the reductions in the background. */
    private Transfer[] background(Sums all) {
        Transfer[] known = background;
        if (known == null) {
            known = new Transfer[backend.size() > 1 ? levels.size() : 0];
            for (int i = 0; i < known.length; i++) {
                Buffer part = all.levels[i];
                known[i] = backend.background(levels.get(i), g -> g.allReduce(part, part, ReduceOp.SUM));
            }
            background = known;
        }
        return known;
    }

    /**
     * Collective the first time: returns what reduces as {@link #reduce} does, and then calculates with numbers that
     * stay where the vectors are. A GPU does both in one kernel if no rank communicates, or all ranks reach each
     * other's memory (NVSHMEM over NVLink). All ranks run it together.
     *
     * @param a memory of numbers, {@link #numbers} of this among them; {@code b} and {@code c} likewise
     */
    public Runnable reducing(Calculation calculation, Buffer a, Buffer b, Buffer c) {
        Sums all = sums();
        boolean alone = levels.isEmpty() || backend.size() == 1 || all.whole != null;
        Sweep before = all.round(alone ? all.whole() : new Sweep());
        Runnable both = backend.compute().prepare(before, calculation, a, b, c);
        return () -> {
            if (alone) {
                fresh = true;
            } else {
                addUp();
            }
            both.run();
        };
    }

    /** Returns the real part of a dot product that was reduced, in the order of their description. */
    public double real(int dot) {
        return sum(dot, 0);
    }

    /** Returns the imaginary part of a dot product that was reduced, in the order of their description. */
    public double imaginary(int dot) {
        return sum(dot, 1);
    }

    /** Returns the memory of the results, for calculations: {@link #real(F64Ptr, int)} reads it. */
    public Buffer numbers() {
        return sums().all.buffer();
    }

    /** Returns the real part of a dot product in the memory of {@link #numbers}, in a calculation. */
    public static double real(F64Ptr numbers, int dot) {
        return sum(numbers, dot, 0);
    }

    /** Returns the imaginary part of a dot product in the memory of {@link #numbers}, in a calculation. */
    public static double imaginary(F64Ptr numbers, int dot) {
        return sum(numbers, dot, 1);
    }

    private static double sum(F64Ptr numbers, int dot, int part) {
        int levels = (int) numbers.get(0);
        int count = (int) numbers.get(1);
        double sum = 0;
        for (int level = 0; level <= levels; level++) {
            sum += numbers.get(HEADER + 2L * (level * count + dot) + part);
        }
        return sum;
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
            all.all.buffer().copyTo(all.host);
            fresh = false;
        }
        double sum = 0;
        for (int level = 0; level <= levels.size(); level++) {
            sum += all.host.getDouble(HEADER + 2L * (level * count + dot) + part);
        }
        return sum;
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
        int total = (levels.size() + 1) * count;
        Scalars all = compute.scalars(HEADER / 2 + total);
        all.get(0).set(levels.size(), count);
        ExactSums exactSums = exact ? compute.exactSums(total) : null;
        Buffer summed = exactSums == null ? all.buffer() : exactSums.buffer();
        long first = exactSums == null ? HEADER : 0;
        long numbers = exactSums == null ? 2L * count : 2L * count * ExactSums.LENGTH;
        Buffer[] parts = new Buffer[levels.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = summed.slice(first + (i + 1) * numbers, numbers);
        }
        HostArray host = HostArray.allocate(DataType.FLOAT64, all.buffer().count());
        Buffer results = all.buffer().slice(HEADER, 2L * count);
        Supplier<Sweep> terms = terms(all, exactSums);
        Supplier<Sweep> whole = exactSums == null && reachEachOther(2L * count)
                ? () -> terms.get().sumOverRanks(requireNonNull(compute.peers(backend.communicator())), parts[0])
                : null;
        Sums made = new Sums(all, parts, terms, exactSums, whole, results, host);
        made.prepare(compute);
        return made;
    }

    /** Collective the first time: returns whether kernels sum so many numbers over all ranks. */
    @SuppressWarnings("ReferenceEquality") // these very operations
    private boolean reachEachOther(long numbers) {
        boolean ofAll = levels.size() == 1 && levels.getFirst() == backend.operations() && backend.size() > 1;
        return ofAll && numbers <= Sweep.MOST_OVER_RANKS && backend.compute().peers(backend.communicator()) != null;
    }

    private Supplier<Sweep> terms(Scalars all, @Nullable ExactSums exactSums) {
        return () -> {
            boolean[] begun = new boolean[(levels.size() + 1) * count];
            Sweep sweep = new Sweep();
            for (Term t : terms) {
                int place = (t.level + 1) * count + t.dot;
                Buffer x = t.x.part();
                Buffer y = t.y.part();
                if (exactSums != null && t.conjugate) {
                    sweep.vdot(x, y, exactSums, place, begun[place]);
                } else if (exactSums != null) {
                    sweep.dot(x, y, exactSums, place, begun[place]);
                } else if (t.conjugate) {
                    sweep.vdot(x, y, all.get(HEADER / 2 + place), begun[place]);
                } else {
                    sweep.dot(x, y, all.get(HEADER / 2 + place), begun[place]);
                }
                begun[place] = true;
            }
            return sweep;
        };
    }

    /** The memory of the sums, and what computes them. */
    private static final class Sums {
        /** The header, then the sums that every rank has whole, then those of divided arrays, level by level. */
        final Scalars all;

        /** The memory of each level's sums. */
        final Buffer[] levels;

        final HostArray host;

        /** Exact sums that are rounded to those that every rank has whole, which are all then; null for plain sums. */
        final @Nullable ExactSums exact;

        /** The terms and their sums over ranks, where kernels do both; null elsewhere. */
        final @Nullable Supplier<Sweep> whole;

        private final Supplier<Sweep> terms;
        private final Buffer results;
        private @Nullable Runnable plain;
        Runnable rounding = () -> {};
        /** Sums over ranks, too. */
        @Nullable
        Runnable together;

        Sums(
                Scalars all,
                Buffer[] levels,
                Supplier<Sweep> terms,
                @Nullable ExactSums exact,
                @Nullable Supplier<Sweep> whole,
                Buffer results,
                HostArray host) {
            this.all = all;
            this.levels = levels;
            this.terms = terms;
            this.exact = exact;
            this.whole = whole;
            this.results = results;
            this.host = host;
        }

        void prepare(Compute compute) {
            if (exact != null) {
                rounding = compute.prepare(round(new Sweep()));
            }
            if (whole != null) {
                together = compute.prepare(whole());
            } else {
                plain = compute.prepare(terms());
            }
        }

        /** Returns what computes the terms alone: where a kernel also sums over ranks, {@link #begin} needs it. */
        Runnable plain(Compute compute) {
            Runnable known = plain;
            if (known == null) {
                known = compute.prepare(terms());
                plain = known;
            }
            return known;
        }

        Sweep terms() {
            return terms.get();
        }

        /** Returns the terms, with their sums over ranks if a kernel does both. */
        Sweep whole() {
            Supplier<Sweep> both = whole;
            return both == null ? terms() : both.get();
        }

        /** Adds the rounding to a sweep. */
        Sweep round(Sweep before) {
            return exact == null ? before : before.round(exact, levels.length + 1, results);
        }

        Scalar place(int index) {
            return all.get(HEADER / 2 + index);
        }
    }
}
