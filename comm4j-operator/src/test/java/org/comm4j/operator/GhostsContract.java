// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Ghosts;
import org.comm4j.array.Layout;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Coefficient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ghost rows, against the whole array. */
abstract class GhostsContract {
    /** What is tried with some number of ranks. */
    static void all(Backend backend) {
        int ranks = backend.size();
        for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX128}) {
            // Uneven, with empty parts at the end, of several outer slices.
            check(backend, backend.scattered(0, 2L * ranks + 1, 3), 0, type, 1);
            check(backend, backend.scattered(0, 2L * ranks + 1, 8), 0, type, 2);
            check(backend, backend.scattered(0, 2, 5), 0, type, 1);
            check(backend, backend.scattered(1, 3, 3L * ranks + 2, 4), 1, type, 2);
            check(backend, backend.scattered(2, 2, 3, 2L * ranks), 2, type, 1);
        }
        // Parts that are empty in front, in between and at the end, and an edge with fewer rows than the width.
        long[] sizes = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            sizes[rank] = rank % 2 == 0 ? rank == ranks - 1 ? 1 : 4 : 0;
        }
        check(backend, Layout.scattered(sizes, 0, Arrays.stream(sizes).sum(), 7), 0, DataType.FLOAT64, 3);
        check(backend, backend.scattered(0, ranks, 5), 0, DataType.FLOAT64, 0);
        // Several blocks of a kernel.
        check(backend, backend.scattered(0, 2L * ranks, 3001), 0, DataType.FLOAT64, 2);
        if (ranks == 4) {
            Layout blocks = backend.blocks(new int[] {2, 2}, 5, 7);
            check(backend, blocks, 0, DataType.FLOAT64, 2);
            check(backend, blocks, 1, DataType.FLOAT64, 1);
        }
    }

    /** Rows of ranks behind the neighbours: always messages. */
    static void wide(Backend backend) {
        check(backend, backend.scattered(0, backend.size() + 1L, 3), 0, DataType.FLOAT64, 3);
        check(backend, backend.scattered(1, 2, backend.size(), 3), 1, DataType.FLOAT32, 2);
    }

    /** Several exchanges of two arrays, in order and beside what is computed. */
    private static void check(Backend backend, Layout layout, int axis, DataType type, int width) {
        Ghosts ghosts = new Ghosts(backend, layout, axis, type, width);
        try (DistributedArray x = backend.random(layout, type, 1);
                DistributedArray y = backend.random(layout, type, 2)) {
            for (int turn = 0; turn < 5; turn++) {
                DistributedArray each = turn % 3 == 1 ? y : x;
                if (turn % 2 == 0) {
                    ghosts.exchange(each);
                } else {
                    ghosts.begin(each);
                    ghosts.end();
                }
                String what = layout + ", " + type + ", width " + width + ", turn " + turn + ", rank " + backend.rank();
                HostArray whole = each.toHost();
                rim(backend, layout, axis, width, whole, ghosts.before(), true, what + ", before");
                rim(backend, layout, axis, width, whole, ghosts.after(), false, what + ", after");
                each.scale(Coefficient.of(-2));
            }
        }
    }

    private static void rim(
            Backend backend,
            Layout layout,
            int axis,
            int width,
            HostArray whole,
            Buffer rim,
            boolean front,
            String what) {
        long[] shape = layout.shape();
        long[] local = layout.localShape(backend.rank());
        if (Arrays.stream(local).anyMatch(n -> n == 0)) {
            return;
        }
        HostArray found = HostArray.allocate(rim.type(), rim.count());
        backend.compute().synchronize();
        rim.copyTo(found);
        long[] at = local.clone();
        at[axis] = width;
        for (long i = 0; i < rim.count(); i++) {
            long rest = i;
            long index = 0;
            long stride = 1;
            boolean inside = true;
            for (int a = shape.length - 1; a >= 0; a--) {
                long along = rest % at[a] + layout.start(backend.rank(), a);
                along += a == axis ? front ? -width : local[a] : 0;
                rest /= at[a];
                inside &= along >= 0 && along < shape[a];
                index += along * stride;
                stride *= shape[a];
            }
            boolean complex = rim.type().isComplex();
            double real = inside ? complex ? whole.getReal(index) : whole.getDouble(index) : 0;
            double imaginary = inside && complex ? whole.getImaginary(index) : 0;
            assertThat(complex ? found.getReal(i) : found.getDouble(i))
                    .as("%s, element %d", what, i)
                    .isEqualTo(real);
            assertThat(complex ? found.getImaginary(i) : 0)
                    .as("%s, element %d", what, i)
                    .isEqualTo(imaginary);
        }
    }

    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#countsAndAll")
    void rowsAreThoseOfTheWholeArray(int ranks) {
        Ranks.run(ranks, backend -> {
            all(backend);
            wide(backend);
        });
    }
}
