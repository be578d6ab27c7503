// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.StencilKernels.Axis;
import org.comm4j.math.StencilKernels.Row;
import org.jspecify.annotations.Nullable;

/**
 * A stencil as launches of {@link StencilKernels}: axes without a band are merged with those beside them, so that most
 * arrays of any number of dimensions need one pass; where more than three axes are left, each band takes one of its
 * own.
 */
final class StencilPlan implements AutoCloseable {
    private static final int AXES = 3;

    /** Runs of an array along one axis, or along several that have no band. */
    private record Run(long count, @Nullable Band band, boolean split) {}

    /**
     * A launch.
     *
     * @param axes the three of the kernel
     * @param widths of their bands, −1 for none
     * @param masks of their inner coefficients that are not 0
     * @param step numbers between neighbours along the last axis
     * @param numbers along the last axis
     * @param split which axis has ghost rows, or −1
     * @param filters whether there is one band alone, along the last axis, with the same coefficients in all rows
     */
    record Pass(List<Axis> axes, int[] widths, int masks, int step, long numbers, int split, boolean filters) {}

    private final List<Memory> tables = new ArrayList<>();
    private final KernelQueue queue;
    private final Stencil stencil;
    private final int parts;
    private final List<Pass> passes = new ArrayList<>();

    StencilPlan(KernelQueue queue, Stencil stencil, boolean complex) {
        this.queue = queue;
        this.stencil = stencil;
        parts = complex ? 2 : 1;
        List<Run> runs = runs(-1);
        if (runs.size() <= AXES) {
            passes.add(pass(runs));
        } else {
            for (int a = 0; a < stencil.shape().length; a++) {
                if (stencil.bands()[a] != null) {
                    passes.add(pass(runs(a)));
                }
            }
        }
    }

    List<Pass> passes() {
        return passes;
    }

    /** Returns the axes with a band, or only one of them, with all others merged. */
    private List<Run> runs(int only) {
        List<Run> runs = new ArrayList<>();
        long plain = 1;
        for (int a = 0; a < stencil.shape().length; a++) {
            Band band = stencil.bands()[a];
            if (band == null || only >= 0 && a != only) {
                plain *= stencil.shape()[a];
                continue;
            }
            if (plain > 1) {
                runs.add(new Run(plain, null, false));
            }
            plain = 1;
            runs.add(new Run(stencil.shape()[a], band, a == stencil.axis()));
        }
        if (plain > 1 || runs.isEmpty()) {
            runs.add(new Run(plain, null, false));
        }
        return runs;
    }

    private Pass pass(List<Run> runs) {
        List<Run> three = new ArrayList<>(runs);
        while (three.size() < AXES) {
            three.addFirst(new Run(1, null, false));
        }
        Run last = three.getLast();
        int step = last.band == null ? 1 : parts;
        List<Axis> axes = new ArrayList<>();
        int[] widths = new int[AXES];
        int masks = 0;
        int split = -1;
        for (int i = 0; i < AXES; i++) {
            Run run = three.get(i);
            axes.add(axis(run));
            widths[i] = run.band == null ? -1 : run.band.width();
            masks |= mask(run.band) << i * StencilKernels.BITS;
            split = run.split ? i : split;
        }
        boolean filters = widths[0] < 0 && widths[1] < 0 && isFilter(last.band);
        return new Pass(axes, widths, masks, step, last.count * parts, split, filters);
    }

    private static boolean isFilter(@Nullable Band band) {
        return band != null && band.plainFrom() == 0 && band.plainTo() == band.length();
    }

    private static int mask(@Nullable Band band) {
        if (band == null || band.width() > StencilKernels.WIDEST) {
            return 0;
        }
        int mask = 0;
        for (int k = 0; k < 2 * band.width() + 1; k++) {
            mask |= band.interior()[k] != 0 ? 1 << k : 0;
        }
        return mask;
    }

    private Axis axis(Run run) {
        Band band = run.band;
        int terms = band == null ? 1 : 2 * band.width() + 1;
        int top = band == null ? 0 : band.top();
        int bottom = band == null ? 0 : band.bottom();
        HostArray table = HostArray.allocate(DataType.FLOAT64, (long) (top + 1 + bottom) * terms);
        double[] c = new double[StencilKernels.BITS];
        if (band != null) {
            for (int r = 0; r < top + 1 + bottom; r++) {
                double[] row =
                        r == top ? band.interior() : band.row(r < top ? r : band.length() - bottom + r - top - 1);
                for (int k = 0; k < terms; k++) {
                    table.setDouble((long) r * terms + k, row[k]);
                }
            }
            if (band.width() <= StencilKernels.WIDEST) {
                System.arraycopy(band.interior(), 0, c, 0, terms);
            }
        }
        Memory memory = queue.allocate(DataType.FLOAT64, table.count());
        tables.add(memory);
        Buffer there = memory.buffer();
        there.copyFrom(table);
        return new Axis(
                run.count,
                run.split ? stencil.start() : 0,
                band == null ? run.count : band.length(),
                top,
                bottom,
                new Row(c[0], c[1], c[2], c[3], c[4]),
                F64Ptr.of(there));
    }

    @Override
    public void close() {
        tables.forEach(Memory::close);
    }
}
