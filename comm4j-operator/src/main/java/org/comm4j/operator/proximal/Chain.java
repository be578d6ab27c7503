// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;

/** The function whose map is that of one function and then that of another one. */
final class Chain extends Proximal {
    private final Proximal first;
    private final Proximal second;

    Chain(Proximal first, Proximal second) {
        this.first = first;
        this.second = second;
    }

    /** Returns the sum of both, whose map the chain is where the sum has this map. */
    @Override
    public double value(Vector x) {
        return first.value(x) + second.value(x);
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        Step one = first.prepare(Pointwise.of(u).into(v), tau);
        Step other = second.prepare(Pointwise.of(v).into(v), tau);
        Runnable all = update.around(
                u,
                () -> {
                    one.run();
                    other.run();
                },
                v);
        return new Step(all, u, v).with(one).with(other);
    }

    @Override
    public String toString() {
        return first + " then " + second;
    }
}
