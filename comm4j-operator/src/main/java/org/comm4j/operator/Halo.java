// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;

/**
 * The extension of each rank's part by rows of its neighbours along the divided axes (pylops-mpi {@code MPIHalo}), the
 * corners included. Its adjoint adds the rows to those of their owners; {@link #crop} drops them. Each direction is one
 * allToAllV an axis. A rim may be wider than a neighbour's part. At the ends of the array there is no rim, and ranks
 * without rows have none.
 */
public final class Halo extends LinearOperator {
    private final long[] before;
    private final long[] after;
    private final LinearOperator extension;
    private final LinearOperator crop;

    private Halo(LinearOperator extension, LinearOperator crop, long[] before, long... after) {
        super(extension.backend(), extension.domain(), extension.range(), extension.type());
        this.extension = extension;
        this.crop = crop;
        this.before = before;
        this.after = after;
    }

    /**
     * Returns the operator for arrays that one axis of is divided.
     *
     * @param domain a scattered layout
     * @param before number of rows that each part gets before its own
     * @param after number of rows that it gets behind them
     */
    public static Halo of(Backend backend, Layout domain, DataType type, long before, long after) {
        noNulls("Halo.of", "backend", backend, "domain", domain, "type", type);
        long[] first = new long[domain.ndim()];
        long[] last = new long[domain.ndim()];
        for (int a = 0; a < domain.ndim(); a++) {
            first[a] = domain.isDivided(a) ? before : 0;
            last[a] = domain.isDivided(a) ? after : 0;
        }
        check(domain, new long[] {before}, new long[] {after});
        return of(backend, domain, type, first, last);
    }

    /**
     * Returns the operator for arrays of any number of divided axes.
     *
     * @param domain a layout that is scattered or has blocks
     * @param before for each axis the number of rows that each part gets before its own; 0 along axes that are whole
     * @param after for each axis the number of rows that it gets behind them
     */
    public static Halo of(Backend backend, Layout domain, DataType type, long[] before, long... after) {
        noNulls("Halo.of", "backend", backend, "domain", domain, "type", type, "before", before, "after", after);
        check(domain, before, after);
        if (before.length != domain.ndim() || after.length != domain.ndim()) {
            throw new IllegalArgumentException("Halo: rims of " + before.length + " and " + after.length + " axes for "
                    + domain + ", which has " + domain.ndim());
        }
        List<LinearOperator> extensions = new ArrayList<>();
        List<LinearOperator> crops = new ArrayList<>();
        Layout layout = domain;
        for (int a = 0; a < domain.ndim(); a++) {
            if (before[a] > 0 || after[a] > 0) {
                if (!domain.isDivided(a)) {
                    throw new IllegalArgumentException(
                            "Halo: a rim along axis " + a + " of " + domain + ", which is not divided there");
                }
                Layout wide = layout.withSizes(a, wide(layout.sizes(a), before[a], after[a]));
                extensions.add(extension(backend, layout, wide, type, a, before[a]));
                crops.add(crop(backend, layout, wide, type, a, before[a]));
                layout = wide;
            }
        }
        LinearOperator extension = Identity.of(backend, domain, type);
        LinearOperator crop = extension;
        for (int i = 0; i < extensions.size(); i++) {
            extension = i == 0 ? extensions.getFirst() : extensions.get(i).times(extension);
            crop = i == 0 ? crops.getFirst() : crop.times(crops.get(i));
        }
        return new Halo(extension, crop, before.clone(), after.clone());
    }

    private static void check(Layout domain, long[] before, long... after) {
        boolean negative = Arrays.stream(before).anyMatch(width -> width < 0)
                || Arrays.stream(after).anyMatch(width -> width < 0);
        if (!domain.isDivided() || negative) {
            throw new IllegalArgumentException("Halo: rims of " + Arrays.toString(before) + " and "
                    + Arrays.toString(after) + " rows of " + domain
                    + "; it takes layouts that are scattered or have blocks, and no negative widths");
        }
    }

    /** Returns the lengths of the blocks with their rims. */
    private static long[] wide(long[] sizes, long before, long after) {
        long length = Arrays.stream(sizes).sum();
        long[] wide = new long[sizes.length];
        long start = 0;
        for (int b = 0; b < sizes.length; b++) {
            long end = start + sizes[b];
            wide[b] = sizes[b] == 0 ? 0 : Math.min(length, end + after) - Math.max(0, start - before);
            start = end;
        }
        return wide;
    }

    private static LinearOperator extension(
            Backend backend, Layout from, Layout to, DataType type, int axis, long before) {
        long[] sizes = from.sizes(axis);
        long[] wide = to.sizes(axis);
        return new AxisOperator(backend, from, to, type, axis, matrix -> {
            long start = 0;
            for (int b = 0; b < sizes.length; b++) {
                long first = Math.max(0, start - before);
                for (long row = first; row < first + wide[b]; row++) {
                    matrix.element(row, 1).endRow();
                }
                start += sizes[b];
            }
        });
    }

    private static LinearOperator crop(Backend backend, Layout from, Layout to, DataType type, int axis, long before) {
        long[] sizes = from.sizes(axis);
        long[] wide = to.sizes(axis);
        return new AxisOperator(backend, to, from, type, axis, matrix -> {
            long start = 0;
            long wideStart = 0;
            for (int b = 0; b < sizes.length; b++) {
                for (long row = 0; row < sizes[b]; row++) {
                    matrix.element(wideStart + Math.min(start, before) + row, 1).endRow();
                }
                start += sizes[b];
                wideStart += wide[b];
            }
        });
    }

    /** Returns the operator that drops the rims: its product with this one is the identity. */
    public LinearOperator crop() {
        return crop;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        extension.matvec(x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        extension.rmatvec(y, x);
    }

    @Override
    public String toString() {
        return "Halo[" + Arrays.toString(before) + ", " + Arrays.toString(after) + "; " + range() + " <- " + domain()
                + ", " + type() + "]";
    }
}
