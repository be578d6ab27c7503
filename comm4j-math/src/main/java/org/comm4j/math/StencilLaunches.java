// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.math.StencilKernels.Axis;

/** The launches of {@link StencilKernels} and {@link PlaneKernels}. */
final class StencilLaunches {
    private static final int THREADS = 256;
    private static final int MOST_GRID = 65_535;

    /** Blocks that keep a large GPU busy to the end. */
    private static final long MANY_BLOCKS = 2048;

    /** Planes of a thread: each block reads two more. */
    private static final long MOST_DEPTH = 64;

    private static final long LEAST_DEPTH = 8;

    /** Rows of a thread of a gradient. */
    private static final long ROWS = 16;

    private StencilLaunches() {}

    /**
     * Adds a pass to y, or sets y to it.
     *
     * @param begin what sums begin with, as {@link StencilKernels} names it
     * @param d the diagonal, if they begin with its product
     */
    static void run(
            KernelRunner runner,
            StencilPlan.Pass pass,
            Buffer x,
            Buffer before,
            Buffer after,
            Buffer d,
            Buffer y,
            int begin) {
        boolean wide = Operands.wide(y);
        int lanes = Numbers.lanes(wide);
        boolean aligned = Operands.aligned(x, d, y) && pass.numbers() % lanes == 0;
        if (begin != StencilKernels.ADD && aligned && Operands.aligned(before, after) && takesPlanes(pass)) {
            planes(runner, pass, x, before, after, d, y, begin == StencilKernels.PRODUCT);
            return;
        }
        if (begin == StencilKernels.ZERO && takesFilter(pass)) {
            filter(runner, pass, x, y);
            return;
        }
        Axis first = pass.axes().get(0);
        Axis second = pass.axes().get(1);
        Axis last = pass.axes().get(2);
        int[] widths = pass.widths();
        Object[] constants = {
            wide, aligned, widths[0], widths[1], widths[2], pass.masks(), pass.step(), begin, pass.split()
        };
        long packs = (pass.numbers() + lanes - 1) / lanes;
        int bx = 1;
        while (bx < 32 && bx < packs) {
            bx *= 2;
        }
        int bz = widths[0] >= 0 && first.count() > 3 ? 4 : 1;
        int by = 1;
        while (bx * by * bz < THREADS && by < second.count()) {
            by *= 2;
        }
        LaunchConfig config = LaunchConfig.grid(
                        Math.toIntExact((packs + bx - 1) / bx),
                        (int) Math.min(MOST_GRID, (second.count() + by - 1) / by),
                        (int) Math.min(MOST_GRID, (first.count() + bz - 1) / bz))
                .block(bx, by, bz);
        runner.launch(
                "Stencil.stencil", config, constants, first, second, last, pass.numbers(), x, before, after, d, y);
    }

    /** Returns whether a pass is a wide filter of real numbers, in lines that keep most threads of a block busy. */
    private static boolean takesFilter(StencilPlan.Pass pass) {
        int width = pass.widths()[2];
        return pass.filters()
                && pass.step() == 1
                && pass.split() < 0
                && width > StencilKernels.WIDEST
                && width <= FilterKernels.WIDEST
                && pass.numbers() >= FilterKernels.THREADS;
    }

    private static void filter(KernelRunner runner, StencilPlan.Pass pass, Buffer x, Buffer y) {
        int width = pass.widths()[2];
        Axis last = pass.axes().get(2);
        long lines = pass.axes().get(0).count() * pass.axes().get(1).count();
        long piece = (long) FilterKernels.THREADS * FilterKernels.EACH;
        boolean aligned = Operands.aligned(y) && pass.numbers() % FilterKernels.EACH == 0;
        Object[] constants = {Operands.wide(y), aligned, width % 2 == 1};
        LaunchConfig config = LaunchConfig.grid(
                        Math.toIntExact((pass.numbers() + piece - 1) / piece), (int) Math.min(MOST_GRID, lines))
                .block(FilterKernels.THREADS);
        long at = (long) last.top() * (2 * width + 1);
        runner.launch("Filter.last", config, constants, lines, pass.numbers(), width, at, last.table(), x, y);
    }

    /** Returns whether a pass has three narrow bands, and no rows of neighbours along the last axis. */
    private static boolean takesPlanes(StencilPlan.Pass pass) {
        boolean narrow = true;
        for (int width : pass.widths()) {
            narrow &= width == 1;
        }
        return narrow && pass.split() != 2 && pass.axes().get(1).count() <= MOST_GRID;
    }

    private static void planes(
            KernelRunner runner,
            StencilPlan.Pass pass,
            Buffer x,
            Buffer before,
            Buffer after,
            Buffer d,
            Buffer y,
            boolean product) {
        boolean wide = Operands.wide(y);
        Axis first = pass.axes().get(0);
        Axis second = pass.axes().get(1);
        Axis last = pass.axes().get(2);
        long packs = pass.numbers() / Numbers.lanes(wide);
        int bx = 1;
        while (bx < 32 && bx < packs) {
            bx *= 2;
        }
        int by = 1;
        while (bx * by < PlaneKernels.THREADS && by < second.count()) {
            by *= 2;
        }
        int across = Math.toIntExact((packs + bx - 1) / bx);
        int down = Math.toIntExact((second.count() + by - 1) / by);
        long depth = MOST_DEPTH;
        while (depth > LEAST_DEPTH && (long) across * down * ((first.count() + depth - 1) / depth) < MANY_BLOCKS) {
            depth /= 2;
        }
        while ((first.count() + depth - 1) / depth > MOST_GRID) {
            depth *= 2;
        }
        LaunchConfig config = LaunchConfig.grid(across, down, Math.toIntExact((first.count() + depth - 1) / depth))
                .block(bx, by);
        Object[] constants = {wide, pass.step(), pass.split(), product};
        runner.launch(
                "Plane.planes", config, constants, first, second, last, pass.numbers(), depth, x, before, after, d, y);
    }

    /**
     * Computes a gradient or its adjoint, unless the bands are wide or the packs are no whole ones.
     *
     * @param nowhere any other memory
     */
    static boolean fused(
            KernelRunner runner,
            boolean gradient,
            StencilPlan plan,
            Buffer nowhere,
            Buffer before,
            Buffer after,
            Buffer whole,
            Buffer... components) {
        boolean wide = Operands.wide(whole);
        StencilPlan.Pass pass = plan.passes().size() == 1 ? plan.passes().getFirst() : null;
        int axes = components.length;
        if (pass == null
                || axes < 2
                || axes > 3
                || pass.split() == 2
                || pass.numbers() % Numbers.lanes(wide) != 0
                || !Operands.aligned(whole, before, after)
                || !Operands.aligned(components)) {
            return false;
        }
        for (int i = 3 - axes; i < 3; i++) {
            if (pass.widths()[i] != 1) {
                return false;
            }
        }
        Axis first = pass.axes().get(0);
        Axis second = pass.axes().get(1);
        Axis last = pass.axes().get(2);
        long packs = pass.numbers() / Numbers.lanes(wide);
        long rows = (second.count() + ROWS - 1) / ROWS;
        if (first.count() > MOST_GRID || rows > MOST_GRID) {
            return false;
        }
        int bx = 1;
        while (bx < 32 && bx < packs) {
            bx *= 2;
        }
        int bz = first.count() > 3 ? 4 : 1;
        int by = 1;
        while (bx * by * bz < GradientKernels.THREADS && by < rows) {
            by *= 2;
        }
        LaunchConfig config = LaunchConfig.grid(
                        Math.toIntExact((packs + bx - 1) / bx),
                        Math.toIntExact((rows + by - 1) / by),
                        Math.toIntExact((first.count() + bz - 1) / bz))
                .block(bx, by, bz);
        Object[] constants = {wide, axes == 3, pass.step(), pass.split()};
        Buffer b = components[axes - 2];
        Buffer c = components[axes - 1];
        // A kernel that has no first axis does not touch its array.
        Buffer a = axes == 3 ? components[0] : nowhere;
        long n = pass.numbers();
        if (gradient) {
            runner.launch(
                    "Gradient.gradient",
                    config,
                    constants,
                    first,
                    second,
                    last,
                    n,
                    ROWS,
                    whole,
                    before,
                    after,
                    a,
                    b,
                    c);
        } else {
            runner.launch(
                    "Gradient.sum", config, constants, first, second, last, n, ROWS, a, b, c, before, after, whole);
        }
        return true;
    }
}
