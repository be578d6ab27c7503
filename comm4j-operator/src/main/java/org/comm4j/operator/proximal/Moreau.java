// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;

/** The map of a conjugate function by Moreau's identity. */
record Moreau(Proximal function) {
    private static final Calculation NUMBERS = Moreau::numbers;

    private static void numbers(F64Ptr numbers, F64Ptr tau, F64Ptr parameters) {
        numbers.set(0, 1 / tau.get(0));
        numbers.set(2, -tau.get(0));
    }

    Step prepare(Pointwise update, Coefficient tau) {
        Vector x = update.vector();
        Vector u = x.like();
        Vector v = x.like();
        Steps steps = new Steps(x.backend(), 2, NUMBERS, tau);
        Step map = function.prepare(
                Pointwise.of(steps.get(0), u, Coefficient.ZERO, u).into(v), steps.get(0));
        Pointwise back = Pointwise.of(Coefficient.ONE, u, steps.get(1), v).into(v);
        Runnable all = update.around(
                u,
                () -> {
                    steps.calculate();
                    map.run();
                    back.run();
                },
                v);
        return new Step(all, u, v).with(map);
    }
}
