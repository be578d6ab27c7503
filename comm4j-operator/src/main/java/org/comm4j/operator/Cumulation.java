// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.RowExchange;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.jspecify.annotations.Nullable;

/**
 * The sums up to each element along an axis; the adjoint sums from each element on. Along the divided axis each
 * direction is one allToAllV of the parts' sums.
 */
final class Cumulation extends LinearOperator {
    private final boolean divided;
    private final long outer;
    private final long length;
    private final long inner;
    private final int along;
    /** One row that adds up this rank's part of the axis. */
    private final AxisMatrix ones;

    private final Temporary copy = new Temporary();
    private final Temporary sums = new Temporary();
    private final Temporary totals = new Temporary();
    private @Nullable RowExchange exchange;
    private @Nullable DataType planned;

    Cumulation(Backend backend, Layout layout, DataType type, int axis) {
        super(backend, layout, layout, type);
        along = layout.axis(axis);
        divided = layout.isDivided(along) && backend.size() > 1;
        long[] shape = layout.localShape(backend.rank());
        long before = 1;
        long behind = 1;
        for (int a = 0; a < shape.length; a++) {
            before *= a < along ? shape[a] : 1;
            behind *= a > along ? shape[a] : 1;
        }
        outer = before;
        length = shape[along];
        inner = behind;
        AxisMatrix.Builder row = AxisMatrix.of(length);
        for (long k = 0; k < length && divided; k++) {
            row.element(k, 1);
        }
        ones = row.endRow().build();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        run(false, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        run(true, y, x);
    }

    private void run(boolean backward, Vector from, Vector to) {
        Compute compute = backend().compute();
        Buffer source = divided ? begun(backward, from) : part(from);
        compute.cumulate(backward, outer, length, inner, source, part(to));
    }

    /** Returns this rank's part with the sums of the parts before it added to its first slice. */
    private Buffer begun(boolean backward, Vector from) {
        Compute compute = backend().compute();
        long slice = outer * inner;
        long[] sizes = domain().sizes(along);
        Arrays.fill(sizes, 1);
        Layout each = domain().withSizes(along, sizes);
        DistributedArray mine = (DistributedArray) totals.of(backend(), each, from.type());
        compute.multiply(ones, outer, inner, part(from), mine.part());
        RowExchange known = exchange;
        if (known == null || planned != from.type()) {
            long[] all = LongStream.range(0, sizes.length).toArray();
            known = new RowExchange(backend(), each, along, from.type(), rank -> all);
            exchange = known;
            planned = from.type();
        }
        Buffer own = part(sums.of(backend(), Layout.local(slice), from.type()));
        compute.multiply(others(backward, each), outer, inner, known.exchange(mine), own);
        Buffer begun = part(copy.like(from).assign(from));
        for (long o = 0; o < outer && length > 0; o++) {
            long first = (o * length + (backward ? length - 1 : 0)) * inner;
            compute.axpby(Coefficient.ONE, own.slice(o * inner, inner), Coefficient.ONE, begun.slice(first, inner));
        }
        return begun;
    }

    /** Returns one row that adds up the totals of the parts before this rank's, or behind it. */
    private AxisMatrix others(boolean backward, Layout each) {
        long block = each.start(backend().rank(), along);
        AxisMatrix.Builder row = AxisMatrix.of(each.length(along));
        for (long b = 0; b < each.length(along); b++) {
            if (backward ? b > block : b < block) {
                row.element(b, 1);
            }
        }
        return row.endRow().build();
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }
}
