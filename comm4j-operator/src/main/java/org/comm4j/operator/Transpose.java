// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/**
 * The permutation of axes (PyLops {@code Transpose}). The divided axis stays divided, at its new place, so that nothing
 * is communicated; {@link Redistribute} divides another one.
 */
public final class Transpose extends LinearOperator {
    private final int[] axes;
    private final int[] back;
    private final Temporary odd = new Temporary();
    private final Temporary even = new Temporary();

    private Transpose(Backend backend, Layout domain, Layout range, DataType type, int... axes) {
        super(backend, domain, range, type);
        this.axes = axes;
        back = new int[axes.length];
        for (int a = 0; a < axes.length; a++) {
            back[axes[a]] = a;
        }
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axes for each axis of the range the one of the domain; negative ones count from the end
     * @throws IllegalArgumentException if the axes are no permutation
     */
    public static Transpose of(Backend backend, Layout domain, DataType type, int... axes) {
        int[] permutation = new int[axes.length];
        for (int a = 0; a < axes.length; a++) {
            permutation[a] = domain.axis(axes[a]);
        }
        if (axes.length != domain.ndim()
                || Arrays.stream(permutation).distinct().count() != axes.length) {
            throw new IllegalArgumentException(
                    "Transpose: the axes " + Arrays.toString(axes) + " are no permutation of those of " + domain);
        }
        return new Transpose(backend, domain, domain.transposed(permutation), type, permutation);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        permute(x, y, axes);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        permute(y, x, back);
    }

    /** Brings one axis after the other to its place; each that is not there yet is a pass over memory. */
    private void permute(Vector from, Vector to, int... wanted) {
        Compute compute = backend().compute();
        long[] shape = from.layout().localShape(backend().rank());
        int[] order = new int[shape.length];
        Arrays.setAll(order, a -> a);
        Layout whole = Layout.local(from.layout().localSize(backend().rank()));
        Buffer source = part(from);
        int passes = passes(order.clone(), wanted);
        if (passes == 0) {
            compute.copy(source, part(to));
        }
        Vector first = passes > 1 ? odd.of(backend(), whole, from.type()) : to;
        Vector second = passes > 2 ? even.of(backend(), whole, from.type()) : to;
        boolean inFirst = false;
        for (int k = 0; k < wanted.length; k++) {
            int at = find(order, wanted[k]);
            if (at != k) {
                passes--;
                Buffer target = part(passes == 0 ? to : inFirst ? second : first);
                inFirst = !inFirst;
                compute.transpose(
                        product(shape, order, 0, k),
                        product(shape, order, k, at),
                        shape[wanted[k]],
                        product(shape, order, at + 1, order.length),
                        source,
                        target);
                move(order, at, k);
                source = target;
            }
        }
    }

    private static int passes(int[] order, int... wanted) {
        int passes = 0;
        for (int k = 0; k < wanted.length; k++) {
            int at = find(order, wanted[k]);
            if (at != k) {
                passes++;
                move(order, at, k);
            }
        }
        return passes;
    }

    private static int find(int[] order, int axis) {
        int at = 0;
        while (order[at] != axis) {
            at++;
        }
        return at;
    }

    private static void move(int[] order, int from, int to) {
        int axis = order[from];
        System.arraycopy(order, to, order, to + 1, from - to);
        order[to] = axis;
    }

    private static long product(long[] shape, int[] order, int from, int to) {
        long product = 1;
        for (int a = from; a < to; a++) {
            product *= shape[order[a]];
        }
        return product;
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }
}
