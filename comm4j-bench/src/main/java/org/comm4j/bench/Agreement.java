// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.stream.DoubleStream;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;

/** Numbers of all ranks, exchanged by the hosts without the engine that is measured. */
public final class Agreement {
    /** Longer than any case. */
    private static final Duration DAY = Duration.ofDays(1);

    private final World world;
    private final String name;
    private int exchanges;

    public Agreement(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** Collective: the maximum or the sum. */
    public double of(double mine, ReduceOp op) {
        byte[] bytes = ByteBuffer.allocate(Double.BYTES).putDouble(mine).array();
        DoubleStream all = world.exchange(name + "." + exchanges++ % 2, bytes, DAY).stream()
                .mapToDouble(each -> ByteBuffer.wrap(each).getDouble());
        return op == ReduceOp.MAX ? all.max().orElseThrow() : all.sum();
    }

    /** Returns when all ranks have called it. */
    public void meet() {
        double ignored = of(0, ReduceOp.MAX);
    }
}
