// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's kmeans: points choose the nearest centre, blocks add them up by atomics in shared memory, and then in
 * global memory.
 */
final class Kmeans extends Program {
    private static final int CENTRES = 5;
    private static final int FEATURES = 3;
    private static final int THREADS = 64;
    /** Features are multiples of 1 / SCALE, so that sums are exact in any order. */
    private static final int SCALE = 64;

    @Kernel
    static void step(
            int points,
            F32Ptr features,
            F32Ptr centres,
            I32Ptr membership,
            I64Ptr sums,
            I32Ptr counts,
            I32Ptr changed) {
        I64Ptr ownSums = I64Ptr.of(Shared.i64(CENTRES * FEATURES));
        I32Ptr ownCounts = I32Ptr.of(Shared.i32(CENTRES));
        int t = ThreadIdx.x();
        if (t < CENTRES * FEATURES) {
            ownSums.set(t, 0);
        }
        if (t < CENTRES) {
            ownCounts.set(t, 0);
        }
        Block.sync();
        int point = GlobalIdx.x();
        boolean moved = false;
        if (point < points) {
            int nearest = -1;
            float least = Float.POSITIVE_INFINITY;
            for (int centre = 0; centre < CENTRES; centre++) {
                float distance = 0;
                for (int feature = 0; feature < FEATURES; feature++) {
                    float difference =
                            features.get(feature * points + point) - centres.get(centre * FEATURES + feature);
                    distance += difference * difference;
                }
                if (distance < least) {
                    least = distance;
                    nearest = centre;
                }
            }
            moved = membership.get(point) != nearest;
            membership.set(point, nearest);
            ownCounts.atomicAdd(nearest, 1);
            for (int feature = 0; feature < FEATURES; feature++) {
                ownSums.atomicAdd(
                        nearest * FEATURES + feature, (long) (features.get(feature * points + point) * SCALE));
            }
        }
        int all = Block.syncCount(moved);
        if (t == 0) {
            changed.atomicAdd(0, all);
        }
        if (t < CENTRES * FEATURES) {
            sums.atomicAdd(t, ownSums.get(t));
        }
        if (t < CENTRES) {
            counts.atomicAdd(t, ownCounts.get(t));
        }
    }

    private static float[] centres(long[] sums, int[] counts, float[] before) {
        float[] centres = before.clone();
        for (int i = 0; i < centres.length; i++) {
            if (counts[i / FEATURES] > 0) {
                centres[i] = (float) ((double) sums[i] / SCALE / counts[i / FEATURES]);
            }
        }
        return centres;
    }

    @Override
    void run(Machine machine, Random random) {
        int points = 333;
        float[] features = new float[points * FEATURES];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) (random.nextInt(3) * 10 * SCALE + random.nextInt(-300, 300)) / SCALE;
        }
        float[] centres = new float[CENTRES * FEATURES];
        for (int i = 0; i < centres.length; i++) {
            centres[i] = features[i % FEATURES * points + i / FEATURES];
        }
        int[] membership = new int[points];
        Arrays.fill(membership, -1);
        HostArray inputs = HostArray.of(features);
        HostArray members = HostArray.of(membership);
        CompiledKernel step = machine.kernel(Kmeans.class, "step");
        int changed = points;
        for (int round = 0; changed > 0 && round < 10; round++) {
            HostArray sums = HostArray.of(new long[CENTRES * FEATURES]);
            HostArray counts = HostArray.of(new int[CENTRES]);
            HostArray moved = HostArray.of(0);
            machine.launch(
                    step,
                    LaunchConfig.grid(blocks(points, THREADS)).block(THREADS),
                    points,
                    inputs,
                    HostArray.of(centres),
                    members,
                    sums,
                    counts,
                    moved);
            long[] expectedSums = new long[CENTRES * FEATURES];
            int[] expectedCounts = new int[CENTRES];
            changed = 0;
            for (int point = 0; point < points; point++) {
                int nearest = nearest(points, features, centres, point);
                changed += nearest == membership[point] ? 0 : 1;
                membership[point] = nearest;
                expectedCounts[nearest]++;
                for (int feature = 0; feature < FEATURES; feature++) {
                    expectedSums[nearest * FEATURES + feature] += (long) (features[feature * points + point] * SCALE);
                }
            }
            assertThat(members.toIntArray()).isEqualTo(membership);
            assertThat(sums.toLongArray()).isEqualTo(expectedSums);
            assertThat(counts.toIntArray()).isEqualTo(expectedCounts);
            assertThat(moved.getInt(0)).isEqualTo(changed);
            centres = centres(expectedSums, expectedCounts, centres);
        }
    }

    private static int nearest(int points, float[] features, float[] centres, int point) {
        int nearest = -1;
        float least = Float.POSITIVE_INFINITY;
        for (int centre = 0; centre < CENTRES; centre++) {
            float distance = 0;
            for (int feature = 0; feature < FEATURES; feature++) {
                float difference = features[feature * points + point] - centres[centre * FEATURES + feature];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                nearest = centre;
            }
        }
        return nearest;
    }
}
