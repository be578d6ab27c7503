// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.PeerMemory;
import org.jspecify.annotations.Nullable;

/**
 * Updates of vectors and sums that are described once and computed often, see {@link Compute#prepare(Sweep)}: a GPU
 * takes several in one kernel, and a processor computes an update with the squared norm of its result in one loop.
 * Results are those of the terms one after the other.
 */
public final class Sweep {
    /** Kinds of terms. */
    enum Kind {
        NONE,
        /** The sum of x y. */
        DOT,
        /** The sum of conj(x) y. */
        VDOT,
        /** The sum of |y|². */
        NORM,
        /** y = a x + b y. */
        UPDATE,
        /** y = a x + b y, and the sum of |y|². */
        SQUARES,
        /** The sum of x y without rounding. */
        EXACT_DOT,
        /** The sum of conj(x) y without rounding. */
        EXACT_VDOT,
        /** The sum of |a y|² without rounding. */
        EXACT_SQUARES,
        /** The sum of |y| without rounding. */
        EXACT_MODULI,
        /** The rounding of such sums. */
        ROUND;

        boolean updates() {
            return this == UPDATE || this == SQUARES;
        }

        boolean sums() {
            return this == DOT || this == VDOT || this == NORM || this == SQUARES;
        }

        boolean isExact() {
            return compareTo(EXACT_DOT) >= 0;
        }
    }

    /**
     * A term.
     *
     * @param result where a sum goes
     * @param add whether it is added to what is there
     * @param exact the memory of a sum without rounding, or of those to round
     * @param levels how many sums each rounding takes
     */
    record Term(
            Kind kind,
            Coefficient a,
            Buffer x,
            Coefficient b,
            Buffer y,
            @Nullable Scalar result,
            boolean add,
            @Nullable Buffer exact,
            int levels) {
        Term(Kind kind, Coefficient a, Buffer x, Coefficient b, Buffer y, @Nullable Scalar result, boolean add) {
            this(kind, a, x, b, y, result, add, null, 0);
        }

        /** Returns whether one of the two changes what the other one reads or changes. */
        boolean dependsOn(Term other) {
            return kind.updates() && (overlap(y, other.x) || overlap(y, other.y))
                    || other.kind.updates() && (overlap(other.y, x) || overlap(other.y, y));
        }

        private static boolean overlap(Buffer a, Buffer b) {
            long first = a.address();
            long second = b.address();
            return first < second + HostArray.bytes(b.type(), b.count())
                    && second < first + HostArray.bytes(a.type(), a.count());
        }

        DataType type() {
            return y.type();
        }
    }

    /** The most numbers of {@link #sumOverRanks}. */
    public static final int MOST_OVER_RANKS = PeerSums.MOST_NUMBERS;

    /** The sum of numbers over ranks, after all terms. */
    record Exchange(PeerMemory peers, Buffer numbers) {}

    private final List<Term> terms = new ArrayList<>();
    private @Nullable Exchange exchange;

    /** Makes a sweep without terms. */
    public Sweep() {}

    /**
     * Adds the sum of x y in double precision.
     *
     * @param add whether it is added to what {@code result} is then
     */
    public Sweep dot(Buffer x, Buffer y, Scalar result, boolean add) {
        noNulls("Sweep.dot", "x", x, "y", y, "result", result);
        return sum("dot", Kind.DOT, x, y, result, add);
    }

    /**
     * Adds the sum of conj(x) y in double precision.
     *
     * @param add whether it is added to what {@code result} is then
     */
    public Sweep vdot(Buffer x, Buffer y, Scalar result, boolean add) {
        noNulls("Sweep.vdot", "x", x, "y", y, "result", result);
        return sum("vdot", Kind.VDOT, x, y, result, add);
    }

    private Sweep sum(String operation, Kind kind, Buffer x, Buffer y, Scalar result, boolean add) {
        Operands.same(operation, x, y);
        boolean conjugated = kind == Kind.VDOT || !y.type().isComplex();
        Kind simple = !conjugated ? kind : x.address() == y.address() ? Kind.NORM : Kind.VDOT;
        terms.add(new Term(simple, Coefficient.ONE, x, Coefficient.ONE, y, result, add));
        return this;
    }

    /** Adds y = a x + b y; an operand whose factor is 0 is not read, and a = 0 with b = 1 leaves y as it is. */
    public Sweep update(Coefficient a, Buffer x, Coefficient b, Buffer y) {
        noNulls("Sweep.update", "a", a, "x", x, "b", b, "y", y);
        Operands.same("update", x, y);
        terms.add(new Term(Kind.UPDATE, a, x, b, y, null, false));
        return this;
    }

    /**
     * Adds y = a x + b y with the sum of |y|² in double precision.
     *
     * @param add whether the sum is added to what {@code squares} is then
     */
    public Sweep update(Coefficient a, Buffer x, Coefficient b, Buffer y, Scalar squares, boolean add) {
        noNulls("Sweep.update", "a", a, "x", x, "b", b, "y", y, "squares", squares);
        Operands.same("update", x, y);
        terms.add(new Term(Kind.SQUARES, a, x, b, y, squares, add));
        return this;
    }

    /**
     * Adds the sum of x y without rounding, but for that of each product of real numbers to double precision.
     *
     * @param add whether it is added to what is there
     */
    public Sweep dot(Buffer x, Buffer y, ExactSums sums, int index, boolean add) {
        noNulls("Sweep.dot", "x", x, "y", y, "sums", sums);
        return exact("dot", Kind.EXACT_DOT, Coefficient.ONE, x, y, sums, index, add);
    }

    /**
     * Adds the sum of conj(x) y without rounding, but for that of each product of real numbers to double precision.
     *
     * @param add whether it is added to what is there
     */
    public Sweep vdot(Buffer x, Buffer y, ExactSums sums, int index, boolean add) {
        noNulls("Sweep.vdot", "x", x, "y", y, "sums", sums);
        return exact("vdot", Kind.EXACT_VDOT, Coefficient.ONE, x, y, sums, index, add);
    }

    /**
     * Adds the sum of |factor x|² without rounding, but for that of each square of a real number.
     *
     * @param factor a power of two, which changes no digits
     * @param add whether it is added to what is there
     */
    public Sweep squares(double factor, Buffer x, ExactSums sums, int index, boolean add) {
        noNulls("Sweep.squares", "x", x, "sums", sums);
        return exact("squares", Kind.EXACT_SQUARES, Coefficient.of(factor), x, x, sums, index, add);
    }

    /**
     * Adds the sum of |x| without rounding, but for that of each modulus of a complex number.
     *
     * @param add whether it is added to what is there
     */
    public Sweep moduli(Buffer x, ExactSums sums, int index, boolean add) {
        noNulls("Sweep.moduli", "x", x, "sums", sums);
        return exact("moduli", Kind.EXACT_MODULI, Coefficient.ONE, x, x, sums, index, add);
    }

    private Sweep exact(
            String operation, Kind kind, Coefficient a, Buffer x, Buffer y, ExactSums sums, int index, boolean add) {
        Operands.same(operation, x, y);
        terms.add(new Term(kind, a, x, Coefficient.ONE, y, null, add, sums.at(index), 1));
        return this;
    }

    /**
     * Adds the rounding of sums to the nearest double-precision numbers.
     *
     * @param levels number of sums that are added up for a result, as many apart as there are results
     * @param results complex numbers of {@code FLOAT64}
     * @throws IllegalArgumentException if there are not as many sums
     */
    public Sweep round(ExactSums sums, int levels, Buffer results) {
        noNulls("Sweep.round", "sums", sums, "results", results);
        if (results.count() * levels != 2L * sums.count()) {
            throw new IllegalArgumentException("round: " + sums.count() + " sums are not " + levels + " for each of "
                    + results.count() / 2 + " results");
        }
        Coefficient one = Coefficient.ONE;
        terms.add(new Term(Kind.ROUND, one, results, one, results, null, false, sums.buffer(), levels));
        return this;
    }

    /**
     * Adds sums over ranks in the end, in the order of ranks. A GPU does it in the kernel of the last terms.
     *
     * @param peers what {@link Compute#peers} returned
     * @param numbers of {@code FLOAT64}, at most {@value #MOST_OVER_RANKS}, as many on each rank
     * @throws IllegalArgumentException if there are more
     */
    public Sweep sumOverRanks(PeerMemory peers, Buffer numbers) {
        noNulls("Sweep.sumOverRanks", "peers", peers, "numbers", numbers);
        PeerSums.Peers _ = PeerSums.of(peers, numbers);
        exchange = new Exchange(peers, numbers);
        return this;
    }

    @Nullable
    Exchange exchange() {
        return exchange;
    }

    List<Term> terms() {
        return List.copyOf(terms);
    }

    /** Returns the terms in groups of independent ones of one type, at most {@code most} in each. */
    List<List<Term>> groups(int most) {
        List<List<Term>> groups = new ArrayList<>();
        List<Term> last = new ArrayList<>();
        for (Term term : terms) {
            boolean apart = last.size() == most
                    || term.kind().isExact()
                    || !last.isEmpty() && last.getFirst().kind().isExact()
                    || last.stream().anyMatch(other -> other.type() != term.type() || term.dependsOn(other));
            if (apart) {
                last = new ArrayList<>();
            }
            if (last.isEmpty()) {
                groups.add(last);
            }
            last.add(term);
        }
        return groups;
    }
}
