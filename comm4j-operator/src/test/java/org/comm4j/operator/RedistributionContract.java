// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Redistribution;
import org.comm4j.array.RowExchange;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Recording;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays that change their layout again and again, against the whole array. */
abstract class RedistributionContract {
    private static final int TURNS = 3;

    /** What is tried with some number of ranks. */
    static void all(Backend backend) {
        int ranks = backend.size();
        everyWay(backend, DataType.FLOAT32, 4, 3, 5);
        everyWay(backend, DataType.COMPLEX128, 3, 7, 2);
        // Packs, and single elements; more chunks than one.
        everyWay(backend, DataType.FLOAT32, 8L * ranks, 4L * ranks, 3);
        everyWay(backend, DataType.FLOAT64, 301, 5, 37);
    }

    private static void everyWay(Backend backend, DataType type, long... shape) {
        List<Layout> layouts = new ArrayList<>(List.of(backend.replicated(shape)));
        for (int axis = 0; axis < shape.length; axis++) {
            layouts.add(backend.scattered(axis, shape));
        }
        // Everything on the last rank.
        long[] sizes = new long[backend.size()];
        sizes[backend.size() - 1] = shape[1];
        layouts.add(Layout.scattered(sizes, 1, shape));
        for (Layout from : layouts) {
            for (Layout to : layouts) {
                try (DistributedArray x = backend.random(from, type, 1);
                        DistributedArray y = backend.zeros(to, type)) {
                    Redistribution way = new Redistribution(backend, from, to, type);
                    for (int turn = 0; turn < TURNS; turn++) {
                        way.run(x, y);
                        assertSame(x, y);
                        x.scale(Coefficient.of(-2));
                    }
                }
            }
        }
    }

    private static void assertSame(DistributedArray x, DistributedArray y) {
        assertThat(y.toHost().segment().mismatch(x.toHost().segment()))
                .as("%s to %s", x, y)
                .isEqualTo(-1);
    }

    /** Recorded once, as within the iteration of a solver. */
    static void recorded(Backend backend) {
        Layout from = backend.scattered(0, 33, 20);
        Layout to = backend.scattered(1, 33, 20);
        Redistribution way = new Redistribution(backend, from, to, DataType.COMPLEX64);
        try (DistributedArray x = backend.random(from, DataType.COMPLEX64, 1);
                DistributedArray y = backend.zeros(to, DataType.COMPLEX64)) {
            way.run(x, y);
            try (Recording recording = backend.compute().record(() -> way.run(x, y))) {
                for (int turn = 0; turn < TURNS; turn++) {
                    x.scale(Coefficient.of(3));
                    recording.run();
                    assertSame(x, y);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#countsAndAll")
    void elementsCome(int ranks) {
        Ranks.run(ranks, RedistributionContract::all);
    }

    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#teams")
    void elementsComeWithinARecording(int ranks) {
        Ranks.run(ranks, RedistributionContract::recorded);
    }

    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#teams")
    void slabsCome(int ranks) {
        Ranks.run(ranks, SlabTest::all);
    }

    /** Rows of all ranks, some of which everybody needs. */
    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#teams")
    void rowsCome(int ranks) {
        Ranks.run(ranks, backend -> {
            rows(backend, backend.scattered(0, 17, 6), 0);
            rows(backend, backend.scattered(1, 3, 17, 2), 1);
        });
    }

    private static void rows(Backend backend, Layout layout, int axis) {
        long length = layout.length(axis);
        IntFunction<long[]> needed = rank -> LongStream.of(0, rank + 2, length / 2, length - 1)
                .sorted()
                .distinct()
                .toArray();
        RowExchange exchange = new RowExchange(backend, layout, axis, DataType.FLOAT32, needed);
        long[] mine = needed.apply(backend.rank());
        long[] shape = layout.shape();
        long inner = shape.length == axis + 1 ? 1 : shape[axis + 1];
        try (DistributedArray x = backend.random(layout, DataType.FLOAT32, 3)) {
            for (int turn = 0; turn < TURNS; turn++) {
                Buffer rows = exchange.exchange(x);
                backend.compute().synchronize();
                HostArray found = HostArray.allocate(DataType.FLOAT32, rows.count());
                rows.copyTo(found);
                HostArray whole = x.toHost();
                for (long i = 0; i < found.count(); i++) {
                    long outer = i / (mine.length * inner);
                    long row = mine[(int) (i / inner % mine.length)];
                    assertThat(found.getFloat(i)).isEqualTo(whole.getFloat((outer * length + row) * inner + i % inner));
                }
                x.scale(Coefficient.of(-2));
            }
        }
    }
}
