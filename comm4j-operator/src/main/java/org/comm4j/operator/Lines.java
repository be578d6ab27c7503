// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.math.Compute;

/** An operator applied to each line along the last axis, which is not divided. */
final class Lines extends LinearOperator {
    private final LinearOperator operator;
    private final Temporary in = new Temporary();
    private final Temporary out = new Temporary();

    Lines(LinearOperator operator, Layout domain) {
        super(operator.backend(), domain, domain.resized(-1, operator.range().size()), operator.type());
        this.operator = operator;
    }

    @Override
    boolean isComplexLinear() {
        return operator.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        run(operator, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        run(operator.H(), y, x);
    }

    private void run(LinearOperator each, Vector from, Vector to) {
        Compute compute = backend().compute();
        Buffer source = part(from);
        Buffer target = part(to);
        long n = each.domain().size();
        long m = each.range().size();
        Vector line = in.of(backend(), each.domain(), from.type());
        Vector result = out.of(backend(), each.range(), to.type());
        long count = n == 0 ? (m == 0 ? 0 : target.count() / m) : source.count() / n;
        for (long i = 0; i < count; i++) {
            compute.copy(source.slice(i * n, n), part(line));
            each.matvec(line, result);
            compute.copy(part(result), target.slice(i * m, m));
        }
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }
}
