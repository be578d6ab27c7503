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
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/**
 * The permutation of axes (PyLops {@code Transpose}). The divided axis stays divided, at its new place, so that nothing
 * is communicated; {@link Redistribute} divides another one.
 */
public final class Transpose extends LinearOperator {
    /** A pass over memory, which brings one axis to its place: see {@link Compute#transpose}. */
    private record Pass(long outer, long rows, long columns, long inner) {}

    private final Pass[] there;
    private final Pass[] back;
    private final Layout whole;
    private final Temporary odd = new Temporary();
    private final Temporary even = new Temporary();

    private Transpose(Backend backend, Layout domain, Layout range, DataType type, int... axes) {
        super(backend, domain, range, type);
        int[] inverse = new int[axes.length];
        for (int a = 0; a < axes.length; a++) {
            inverse[axes[a]] = a;
        }
        there = passes(domain.localShape(backend.rank()), axes);
        back = passes(range.localShape(backend.rank()), inverse);
        whole = Layout.local(domain.localSize(backend.rank()));
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axes for each axis of the range the one of the domain; negative ones count from the end
     * @throws IllegalArgumentException if the axes are no permutation
     */
    public static Transpose of(Backend backend, Layout domain, DataType type, int... axes) {
        noNulls("Transpose.of", "backend", backend, "domain", domain, "type", type, "axes", axes);
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
        permute(x, y, there);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        permute(y, x, back);
    }

    private void permute(Vector from, Vector to, Pass... passes) {
        Compute compute = backend().compute();
        Buffer source = part(from);
        if (passes.length == 0) {
            compute.copy(source, part(to));
        }
        Vector first = passes.length > 1 ? odd.of(backend(), whole, from.type()) : to;
        Vector second = passes.length > 2 ? even.of(backend(), whole, from.type()) : to;
        for (int i = 0; i < passes.length; i++) {
            Pass pass = passes[i];
            Buffer target = part(i == passes.length - 1 ? to : i % 2 == 0 ? first : second);
            compute.transpose(pass.outer, pass.rows, pass.columns, pass.inner, source, target);
            source = target;
        }
    }

    /** Returns passes that bring one axis after the other to its place, of those that are not there yet. */
    private static Pass[] passes(long[] shape, int... wanted) {
        int[] order = new int[shape.length];
        Arrays.setAll(order, a -> a);
        List<Pass> passes = new ArrayList<>();
        for (int k = 0; k < wanted.length; k++) {
            int at = find(order, wanted[k]);
            if (at != k) {
                passes.add(new Pass(
                        product(shape, order, 0, k),
                        product(shape, order, k, at),
                        shape[wanted[k]],
                        product(shape, order, at + 1, order.length)));
                move(order, at, k);
            }
        }
        return passes.toArray(Pass[]::new);
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
