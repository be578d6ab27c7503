// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.comm4j.core.Buffer;
import org.comm4j.math.Coefficient;
import org.comm4j.math.PointFunction;
import org.comm4j.math.PointTerm;
import org.jspecify.annotations.Nullable;

/**
 * A function n = f(a x + b y) of vectors, element by element, that is described once and run often: one pass over
 * memory, without allocation and communication. A proximal map and the update behind it are one of these.
 *
 * <p>{@link #into} says where n goes, {@link #second} where another combination goes, and {@link #sums} adds up. Any of
 * the vectors may be the same.
 */
public final class Pointwise implements Runnable {
    private final Coefficient a;
    private final Vector x;
    private final Coefficient b;
    private final Vector y;
    private PointFunction map = PointFunction.IDENTITY;
    private boolean radial = true;
    private boolean dual;
    private boolean group;
    private Coefficient step = Coefficient.ONE;
    private @Nullable Buffer parameters;
    private @Nullable Vector target;
    private @Nullable Vector second;
    private Coefficient c = Coefficient.ZERO;
    private Coefficient d = Coefficient.ZERO;
    private Coefficient e = Coefficient.ZERO;
    private Coefficient active = Coefficient.ONE;
    private @Nullable PointFunction measure;
    private @Nullable Dots dots;
    private int dot;
    private @Nullable Runnable prepared;

    private Pointwise(Coefficient a, Vector x, Coefficient b, Vector y) {
        x.check("map", y);
        this.a = a;
        this.x = x;
        this.b = b;
        this.y = y;
    }

    /**
     * Returns the description of u = a x + b y, with real factors; an operand whose factor is 0 is not read.
     *
     * @throws IllegalArgumentException if layouts, types or backends differ
     */
    public static Pointwise of(Coefficient a, Vector x, Coefficient b, Vector y) {
        return new Pointwise(a, x, b, y);
    }

    /** Returns the description of u = x. */
    public static Pointwise of(Vector x) {
        return new Pointwise(Coefficient.ONE, x, Coefficient.ZERO, x);
    }

    /**
     * Sets a function of the modulus of elements, which keep their direction; the identity unless set.
     *
     * @param step its second argument
     * @param parameters its third argument, beside the vectors; null for a function that has none
     */
    public Pointwise radial(PointFunction map, Coefficient step, @Nullable Buffer parameters) {
        return function(true, map, step, parameters);
    }

    /**
     * Sets a function of real elements.
     *
     * @param step its second argument
     * @param parameters its third argument, beside the vectors; null for a function that has none
     * @throws IllegalArgumentException if the vectors are complex
     */
    public Pointwise real(PointFunction map, Coefficient step, @Nullable Buffer parameters) {
        if (x.type().isComplex()) {
            throw new IllegalArgumentException(
                    "map: " + x + " is complex, and the function is defined for real elements only");
        }
        return function(false, map, step, parameters);
    }

    private Pointwise function(boolean modulus, PointFunction f, Coefficient by, @Nullable Buffer given) {
        radial = modulus;
        map = f;
        step = by;
        parameters = given;
        return this;
    }

    /**
     * Takes the root of the sum of squares over the arrays of a stack as modulus, at each place.
     *
     * @throws IllegalArgumentException if the arrays have different layouts, or are more than {@link PointTerm#MOST}
     */
    public Pointwise group() {
        List<DistributedArray> arrays = x.arrays();
        for (DistributedArray array : arrays) {
            if (!array.layout().equals(arrays.getFirst().layout())) {
                throw new IllegalArgumentException("map: the arrays of " + x + " must have the same layout");
            }
        }
        if (arrays.size() > PointTerm.MOST) {
            throw new IllegalArgumentException("map: " + x + " has more than " + PointTerm.MOST + " arrays");
        }
        group = true;
        return this;
    }

    /** Takes u − step f(u / step) with the step 1 / step instead of f(u): Moreau's identity. */
    public Pointwise dual() {
        dual = true;
        return this;
    }

    /** Sets what takes n. */
    public Pointwise into(Vector vector) {
        vector.check("map", x);
        target = vector;
        return this;
    }

    /** Sets what takes c n + d (what the target was before) + e u. */
    public Pointwise second(Vector vector, Coefficient ofResult, Coefficient ofOld, Coefficient ofArgument) {
        vector.check("map", x);
        second = vector;
        c = ofResult;
        d = ofOld;
        e = ofArgument;
        return this;
    }

    /**
     * Computes two sums, too: that of m(n) as real part, where n is a real element or the modulus, and that of |n −
     * (what the target was before)|² as imaginary part.
     *
     * @param all the sums are one of
     * @param number of a {@linkplain Dots#andGiven given} one
     */
    public Pointwise sums(PointFunction m, Dots all, int number) {
        measure = m;
        dots = all;
        dot = number;
        x.arrays().forEach(array -> all.expect(number, array));
        return this;
    }

    /** Sets a number that is 0 for runs that change nothing. */
    public Pointwise active(Coefficient number) {
        active = number;
        return this;
    }

    /** Returns the first vector that u is computed from. */
    public Vector vector() {
        return x;
    }

    /** Returns the description for each array by itself, in their order, with the sums of all. */
    public List<Pointwise> members() {
        List<Pointwise> all = new ArrayList<>();
        Vector to = target;
        Vector also = second;
        for (int i = 0; i < x.arrays().size(); i++) {
            Pointwise one = of(a, x.arrays().get(i), b, y.arrays().get(i));
            one.active = active;
            if (to != null) {
                one.into(to.arrays().get(i));
            }
            if (also != null) {
                one.second(also.arrays().get(i), c, d, e);
            }
            all.add(one);
        }
        return all;
    }

    /**
     * Returns this with f done by something else, which is no function of single elements.
     *
     * @param argument takes u
     * @param between makes f(u) of it
     * @param result has f(u) then, perhaps the same vector unless the argument has a factor in {@link #second}
     */
    public Runnable around(Vector argument, Runnable between, Vector result) {
        Pointwise before = of(a, x, b, y).into(argument).active(active);
        Pointwise after = of(result).active(active);
        Vector to = target;
        Vector also = second;
        if (to != null) {
            after.into(to);
        }
        if (also != null) {
            after.second(also, c, d, Coefficient.ZERO);
        }
        PointFunction m = measure;
        Dots all = dots;
        if (m != null && all != null) {
            after.sums(m, all, dot);
        }
        Runnable last = also == null || e.equals(Coefficient.ZERO)
                ? () -> {}
                : of(Coefficient.ONE, also, e, argument).into(also).active(active);
        return () -> {
            before.run();
            between.run();
            after.run();
            last.run();
        };
    }

    /** Computes the function; the description is complete then. */
    @Override
    public void run() {
        Runnable all = prepared;
        if (all == null) {
            all = prepare();
            prepared = all;
        }
        all.run();
    }

    private Runnable prepare() {
        List<Runnable> terms = new ArrayList<>();
        Set<Integer> begun = new HashSet<>();
        int count = x.arrays().size();
        for (int i = 0; i < (group ? 1 : count); i++) {
            List<PointTerm.Operand> operands = new ArrayList<>();
            for (int k = i; k < (group ? count : i + 1); k++) {
                operands.add(new PointTerm.Operand(part(x, k), part(y, k), partOf(target, k), partOf(second, k)));
            }
            PointTerm.Sums sums =
                    dots == null ? null : dots.sums(dot, x.arrays().get(i), begun);
            Buffer given = parameters;
            terms.add(x.backend()
                    .compute()
                    .prepare(new PointTerm(
                            new PointTerm.Shape(radial, dual),
                            map,
                            measure,
                            step,
                            given == null ? x.backend().scratch().buffer() : given,
                            operands,
                            new PointTerm.Factors(a, b, c, d, e, active),
                            sums)));
        }
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        Runnable[] all = terms.toArray(Runnable[]::new);
        return () -> {
            for (Runnable term : all) {
                term.run();
            }
        };
    }

    private static Buffer part(Vector vector, int number) {
        return vector.arrays().get(number).part();
    }

    private static @Nullable Buffer partOf(@Nullable Vector vector, int number) {
        return vector == null ? null : part(vector, number);
    }
}
