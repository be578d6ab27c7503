// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.I64Ptr;

/**
 * Sums of {@link ExactSums} in host memory, a window after the other: by {@link ExactLanes} with the units that fitted
 * the window before, or else with those that fit this one. What they leave of small terms, and terms that no units fit,
 * are added in another pass by an {@link ExactTile}.
 */
final class ExactLoops {
    private static final int TILE = ExactTile.SIZE;
    private static final long WINDOW = (long) TILE * ExactLanes.MOST;

    private final float[] narrow = new float[TILE];
    private final double[] ones = new double[TILE];
    private final double[] x = new double[TILE];
    private final double[] y = new double[TILE];
    /** Factors of terms that are not those of the vectors. */
    private final double[] u = new double[TILE];

    private final double[] v = new double[TILE];
    private final Part real = new Part();
    private final Part imaginary = new Part();

    /** A sum that is under way. */
    private static final class Part {
        /** What of the terms of a window is added next. */
        enum Pass {
            NONE,
            MULTIPLES,
            RESTS,
            TERMS
        }

        final ExactLanes lanes = new ExactLanes();
        final ExactTile tile = new ExactTile();
        Pass pass = Pass.NONE;
        boolean again;

        void begin(boolean taken) {
            pass = taken ? Pass.MULTIPLES : Pass.NONE;
            again = false;
            lanes.clear();
        }

        void add(double[] u, double[] v) {
            switch (pass) {
                case MULTIPLES -> lanes.add(u, v);
                case RESTS -> {
                    lanes.rests(u, v, tile.terms());
                    tile.add();
                }
                case TERMS -> {
                    multiply(u, v, tile.terms());
                    tile.add();
                }
                case NONE -> {}
            }
        }

        /** Ends a pass over the window, and returns whether there is another one. */
        boolean end() {
            pass = pass == Pass.MULTIPLES ? next(lanes.addTo(tile.digits())) : Pass.NONE;
            return pass != Pass.NONE;
        }

        private Pass next(ExactLanes.Outcome outcome) {
            if (outcome != ExactLanes.Outcome.NOTHING) {
                return outcome == ExactLanes.Outcome.ALL ? Pass.NONE : Pass.RESTS;
            }
            if (again || !lanes.fit()) {
                return Pass.TERMS;
            }
            again = true;
            lanes.clear();
            return Pass.MULTIPLES;
        }
    }

    ExactLoops() {
        Arrays.fill(ones, 1);
    }

    /** Adds a term of a sweep to its sum. */
    void accumulate(Sweep.Term term) {
        Buffer memory = requireNonNull(term.exact());
        if (!term.add()) {
            ((HostArray) memory).fill(0);
        }
        long n = Operands.parts(term.y());
        for (long i = 0; i < n; i += WINDOW) {
            window(term, i, Math.min(n, i + WINDOW));
        }
        real.tile.moveTo(memory, false);
        imaginary.tile.moveTo(memory, true);
    }

    private void window(Sweep.Term term, long from, long to) {
        boolean two = term.kind() == Sweep.Kind.EXACT_DOT || term.kind() == Sweep.Kind.EXACT_VDOT;
        real.begin(true);
        imaginary.begin(two && term.y().type().isComplex());
        boolean more = true;
        while (more) {
            tiles(term, from, to);
            boolean first = real.end();
            boolean second = imaginary.end();
            more = first || second;
        }
    }

    /** Adds the terms of a window, tile by tile. */
    private void tiles(Sweep.Term term, long from, long to) {
        boolean complex = term.y().type().isComplex();
        boolean same = term.x().address() == term.y().address();
        for (long i = from; i < to; i += TILE) {
            int count = (int) Math.min(TILE, to - i);
            load(term.x(), i, x, count);
            double[] other = x;
            if (!same) {
                load(term.y(), i, y, count);
                other = y;
            }
            switch (term.kind()) {
                case EXACT_SQUARES -> {
                    if (term.a().real() != 1) {
                        scale(x, term.a().real());
                    }
                    real.add(x, x);
                }
                case EXACT_MODULI -> {
                    moduli(x, complex, u);
                    real.add(u, ones);
                }
                default -> {
                    boolean conjugate = term.kind() == Sweep.Kind.EXACT_VDOT;
                    if (complex) {
                        cross(x, other, u, v);
                    }
                    real.add(complex && !conjugate ? u : x, other);
                    imaginary.add(conjugate ? u : x, v);
                }
            }
        }
    }

    private void load(Buffer from, long i, double[] to, int count) {
        MemorySegment segment = ((HostArray) from).segment();
        if (Operands.wide(from)) {
            MemorySegment.copy(segment, JAVA_DOUBLE, i * Double.BYTES, to, 0, count);
        } else {
            MemorySegment.copy(segment, JAVA_FLOAT, i * Float.BYTES, narrow, 0, count);
            widen(narrow, to);
        }
        if (count < TILE) {
            Arrays.fill(to, count, TILE, 0);
        }
    }

    private static void widen(float[] from, double[] to) {
        for (int k = 0; k < TILE; k++) {
            to[k] = from[k];
        }
    }

    private static void scale(double[] x, double factor) {
        for (int k = 0; k < TILE; k++) {
            x[k] *= factor;
        }
    }

    private static void multiply(double[] x, double[] y, double[] z) {
        for (int k = 0; k < TILE; k++) {
            z[k] = x[k] * y[k];
        }
    }

    /** Sets u to the conjugates of x, and v to y with real and imaginary parts exchanged. */
    private static void cross(double[] x, double[] y, double[] u, double[] v) {
        for (int k = 0; k < TILE; k += 2) {
            u[k] = x[k];
            u[k + 1] = -x[k + 1];
            v[k] = y[k + 1];
            v[k + 1] = y[k];
        }
    }

    private static void moduli(double[] x, boolean complex, double[] z) {
        for (int k = 0; k < TILE; k++) {
            z[k] = !complex ? Math.abs(x[k]) : k % 2 == 0 ? Complex.modulus(x[k], x[k + 1]) : 0;
        }
    }

    // Rounding

    /** Rounds the sums of a term of a sweep. */
    void round(Sweep.Term term) {
        I64Ptr from = I64Ptr.of(requireNonNull(term.exact()));
        long[] digits = real.tile.digits();
        I64Ptr sum = I64Ptr.of(digits);
        HostArray results = (HostArray) term.y();
        int count = (int) results.count();
        for (int k = 0; k < count; k++) {
            for (int d = 0; d < digits.length; d++) {
                for (int level = 0; level < term.levels(); level++) {
                    digits[d] += from.get((long) (level * count + k) * ExactSums.LENGTH + d);
                }
            }
            results.setDouble(k, ExactDigits.rounded(sum, 0));
            Arrays.fill(digits, 0);
        }
    }
}
