// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A function of u = a x + b y, element by element, see {@link Compute#prepare(PointTerm)}: n = f(u), then second = c n
 * + d target + e u and target = n, with the sums of m(n) and |n − target|², where target is what was there before.
 *
 * @param shape of the function
 * @param map f
 * @param measure m, of a real element or the modulus; null for no sums
 * @param step the second argument of both functions
 * @param parameters the third argument of both functions, {@code FLOAT64}
 * @param operands of equal types and counts, one or a group of up to {@link #MOST}
 * @param factors of all operands
 * @param sums take the sum of m(n) as real part and that of |n − target|² as imaginary one
 */
public record PointTerm(
        Shape shape,
        PointFunction map,
        @Nullable PointFunction measure,
        Coefficient step,
        Buffer parameters,
        List<Operand> operands,
        Factors factors,
        @Nullable Sums sums) {
    /** Operands of a group, at most. */
    public static final int MOST = 4;

    /**
     * The way of applying a function.
     *
     * @param radial whether it maps the modulus, of one element or of those of a group, and keeps the direction; else
     *     it maps real elements
     * @param dual whether it is u − step f(u / step) with 1 / step as its step: of a proximal map that of the conjugate
     *     function, by Moreau's identity
     */
    public record Shape(boolean radial, boolean dual) {}

    /**
     * The vectors of a term.
     *
     * @param target takes the result; null for sums alone
     * @param second takes another combination, null for none
     */
    public record Operand(
            Buffer x,
            Buffer y,
            @Nullable Buffer target,
            @Nullable Buffer second) {}

    /**
     * The factors of a term, all real.
     *
     * @param active 0 for a run that changes nothing
     */
    public record Factors(
            Coefficient a, Coefficient b, Coefficient c, Coefficient d, Coefficient e, Coefficient active) {}

    /**
     * Where two sums go: as real and imaginary part to a number, or without rounding to one of {@link ExactSums}.
     *
     * @param exact the memory of a sum without rounding
     * @param add whether they are added to what is there
     */
    public record Sums(@Nullable Scalar plain, @Nullable Buffer exact, boolean add) {
        /** Returns the place of plain sums. */
        public static Sums of(Scalar plain, boolean add) {
            nonNull(plain, "Sums.of", "plain");
            return new Sums(plain, null, add);
        }

        /** Returns the place of sums without rounding, but for that of each term. */
        public static Sums of(ExactSums exact, int index, boolean add) {
            nonNull(exact, "Sums.of", "exact");
            return new Sums(null, exact.at(index), add);
        }
    }

    /** Checks the operands. */
    public PointTerm {
        operands = List.copyOf(operands);
        if (operands.isEmpty() || operands.size() > MOST) {
            throw new IllegalArgumentException("a group has 1 to " + MOST + " operands, not " + operands.size());
        }
        Buffer first = operands.getFirst().x();
        vectors(operands).forEach(each -> Operands.same("map", each, first));
        if (!shape.radial() && (first.type().isComplex() || operands.size() > 1)) {
            throw new IllegalArgumentException("map: " + first + " is complex; this function is one of real numbers");
        }
    }

    /** Returns all vectors of the operands. */
    List<Buffer> vectors() {
        return vectors(operands);
    }

    private static List<Buffer> vectors(List<Operand> operands) {
        List<Buffer> all = new ArrayList<>();
        for (Operand operand : operands) {
            all.add(operand.x());
            all.add(operand.y());
            Buffer target = operand.target();
            Buffer second = operand.second();
            if (target != null) {
                all.add(target);
            }
            if (second != null) {
                all.add(second);
            }
        }
        return all;
    }
}
