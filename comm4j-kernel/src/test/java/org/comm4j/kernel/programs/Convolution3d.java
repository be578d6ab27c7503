// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Unroll;

/**
 * PolyBench's conv3d in blocks of three dimensions, specialised on what is beyond the edge, an enum that is a constant.
 */
final class Convolution3d extends Program {
    private static final int N = 11;

    /** What the cube goes on with. */
    enum Edge {
        ZERO,
        NEAREST,
        MIRROR
    }

    private static int inside(Edge edge, int i) {
        return switch (edge) {
            case ZERO -> i;
            case NEAREST -> Math.max(0, Math.min(N - 1, i));
            case MIRROR -> i < 0 ? -i : i >= N ? 2 * N - 2 - i : i;
        };
    }

    @Kernel
    static void convolve(@Constant Edge edge, F64Ptr cube, F64Ptr result) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        int z = GlobalIdx.z();
        if (x >= N || y >= N || z >= N) {
            return;
        }
        double sum = 0;
        for (int dz = -1; dz <= 1; dz++) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    Unroll.all();
                    int atX = inside(edge, x + dx);
                    int atY = inside(edge, y + dy);
                    int atZ = inside(edge, z + dz);
                    if (atX < 0 || atY < 0 || atZ < 0 || atX >= N || atY >= N || atZ >= N) {
                        continue;
                    }
                    sum += (2 + dx - 3 * dy + 0.5 * dz) * cube.get((atZ * N + atY) * N + atX);
                }
            }
        }
        result.set((z * N + y) * N + x, sum);
    }

    @Override
    void run(Machine machine, Random random) {
        double[] cube = doubles(random, N * N * N);
        for (Edge edge : Edge.values()) {
            HostArray result = HostArray.of(new double[cube.length]);
            machine.launch(
                    machine.kernel(Convolution3d.class, "convolve", edge),
                    LaunchConfig.grid(2, 3, 4).block(8, 4, 3),
                    HostArray.of(cube),
                    result);
            double[] expected = new double[cube.length];
            for (int at = 0; at < cube.length; at++) {
                for (int k = 0; k < 27; k++) {
                    int dx = k % 3 - 1;
                    int dy = k / 3 % 3 - 1;
                    int dz = k / 9 - 1;
                    int[] place = {at % N + dx, at / N % N + dy, at / N / N + dz};
                    boolean there = true;
                    for (int axis = 0; axis < 3; axis++) {
                        boolean out = place[axis] < 0 || place[axis] >= N;
                        there &= !out || edge != Edge.ZERO;
                        if (out) {
                            place[axis] = place[axis] < 0 ? 0 : N - 1;
                            if (edge == Edge.MIRROR) {
                                place[axis] = place[axis] == 0 ? 1 : N - 2;
                            }
                        }
                    }
                    if (there) {
                        expected[at] += (2 + dx - 3 * dy + 0.5 * dz) * cube[(place[2] * N + place[1]) * N + place[0]];
                    }
                }
            }
            assertThat(result.toDoubleArray()).as(edge.toString()).isEqualTo(expected);
        }
    }
}
