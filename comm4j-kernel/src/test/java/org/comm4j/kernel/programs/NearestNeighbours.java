// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Warp;

/**
 * Rodinia's nn: who is nearest to some places. A distance and who has it are one {@code long}, of which an atomic takes
 * the least.
 */
final class NearestNeighbours extends Program {
    @Kernel
    static void nearest(int records, F32Ptr latitudes, F32Ptr longitudes, F32Ptr places, I64Ptr best) {
        int i = GlobalIdx.x();
        int place = BlockIdx.y();
        long own = Long.MAX_VALUE;
        if (i < records) {
            float north = latitudes.get(i) - places.get(2L * place);
            float east = longitudes.get(i) - places.get(2 * place + 1);
            float distance = (float) Math.sqrt(north * north + east * east);
            own = (long) Float.floatToIntBits(distance) << 32 | i;
        }
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            own = Math.min(own, Warp.shuffleDown(own, by));
        }
        if (Warp.laneId() == 0) {
            best.atomicMin(place, own);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int records = 205;
        int count = 3;
        float[] latitudes = floats(random, records);
        float[] longitudes = floats(random, records);
        // The same twice: the first counts.
        latitudes[150] = latitudes[7];
        longitudes[150] = longitudes[7];
        float[] places = floats(random, 2 * count);
        places[0] = latitudes[7];
        places[1] = longitudes[7];
        long[] none = new long[count];
        Arrays.fill(none, Long.MAX_VALUE);
        HostArray best = HostArray.of(none);
        machine.launch(
                machine.kernel(NearestNeighbours.class, "nearest"),
                LaunchConfig.grid(blocks(records, 64), count).block(64),
                records,
                HostArray.of(latitudes),
                HostArray.of(longitudes),
                HostArray.of(places),
                best);
        for (int place = 0; place < count; place++) {
            int nearest = 0;
            float least = Float.MAX_VALUE;
            for (int i = 0; i < records; i++) {
                float north = latitudes[i] - places[2 * place];
                float east = longitudes[i] - places[2 * place + 1];
                float distance = (float) Math.sqrt(north * north + east * east);
                if (distance < least) {
                    least = distance;
                    nearest = i;
                }
            }
            assertThat((int) best.getLong(place)).isEqualTo(nearest);
            assertThat(Float.intBitsToFloat((int) (best.getLong(place) >>> 32))).isEqualTo(least);
        }
    }
}
