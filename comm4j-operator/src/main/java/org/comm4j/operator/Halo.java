// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.function.Consumer;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;

/**
 * The extension of each rank's part by rows of its neighbours along the divided axis (pylops-mpi {@code MPIHalo}). Its
 * adjoint adds the rows to those of their owners; {@link #crop} drops them. Each direction is one allToAllV. A rim may
 * be wider than a neighbour's part. At the ends of the array there is no rim, and ranks without rows have none.
 */
public final class Halo extends AxisOperator {
    private final long before;
    private final long after;

    private Halo(Backend backend, Layout domain, Layout range, DataType type, long before, long after) {
        super(backend, domain, range, type, domain.axis(), matrix -> {
            for (int r = 0; r < backend.size(); r++) {
                for (long row = first(domain, r, before); row < end(domain, r, after); row++) {
                    matrix.element(row, 1).endRow();
                }
            }
        });
        this.before = before;
        this.after = after;
    }

    /**
     * Returns the operator.
     *
     * @param domain a scattered layout
     * @param before number of rows that each part gets before its own
     * @param after number of rows that it gets behind them
     */
    public static Halo of(Backend backend, Layout domain, DataType type, long before, long after) {
        if (domain.partition() != Partition.SCATTERED || before < 0 || after < 0) {
            throw new IllegalArgumentException("Halo: rims of " + before + " and " + after + " rows of " + domain
                    + "; it takes scattered layouts and no negative widths");
        }
        long[] sizes = new long[backend.size()];
        long total = 0;
        for (int r = 0; r < sizes.length; r++) {
            sizes[r] = end(domain, r, after) - first(domain, r, before);
            total += sizes[r];
        }
        long[] shape = domain.shape();
        shape[domain.axis()] = total;
        return new Halo(backend, domain, Layout.scattered(sizes, domain.axis(), shape), type, before, after);
    }

    private static long rows(Layout domain, int rank) {
        return domain.localShape(rank)[domain.axis()];
    }

    private static long first(Layout domain, int rank, long before) {
        return rows(domain, rank) == 0 ? domain.start(rank) : Math.max(0, domain.start(rank) - before);
    }

    private static long end(Layout domain, int rank, long after) {
        long end = domain.start(rank) + rows(domain, rank);
        return rows(domain, rank) == 0 ? end : Math.min(domain.length(domain.axis()), end + after);
    }

    /** Returns the operator that drops the rims: its product with this one is the identity. */
    public LinearOperator crop() {
        Layout whole = domain();
        Consumer<AxisMatrix.Builder> rows = matrix -> {
            for (int r = 0; r < backend().size(); r++) {
                long shift = range().start(r) - first(whole, r, before);
                for (long row = whole.start(r); row < whole.start(r) + rows(whole, r); row++) {
                    matrix.element(row + shift, 1).endRow();
                }
            }
        };
        return new AxisOperator(backend(), range(), whole, type(), whole.axis(), rows);
    }

    @Override
    public String toString() {
        return "Halo[" + before + ", " + after + "; " + range() + " <- " + domain() + ", " + type() + "]";
    }
}
