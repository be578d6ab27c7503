// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.Outcome;
import org.comm4j.apps.Runs;
import org.comm4j.apps.Watch;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Npy;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationTest {
    private static final int NX = 20;
    private static final int NZ = 15;

    @TempDir
    private Path folder;

    private static MigrationSettings settings(double aperture, int iterations, @Nullable Path model) {
        return new MigrationSettings(
                NX,
                NZ,
                10,
                2000,
                3,
                5,
                0,
                0.004,
                30,
                aperture,
                90,
                new InversionSettings(iterations, 1e-3, 0.01, 4, DataType.FLOAT64, model));
    }

    private static Outcome run(int ranks, MigrationSettings settings) {
        return Runs.on(
                ranks, backend -> new Migration(backend, settings).run(new Watch(false, true, 0, (_, _, _, _) -> {})));
    }

    /** Also with a rank that has no source. */
    @Test
    void isThatOfOneRank() {
        MigrationSettings settings = settings(3, 20, null);
        Outcome one = run(1, settings);
        assertThat(one.misfit()).isLessThan(0.3);
        assertThat(one.error()).isLessThan(1);
        for (int ranks : new int[] {2, 3, 4}) {
            Runs.assertSame(run(ranks, settings), one, 1e-10, 1e-8);
        }
    }

    /** One step of the impedance is one line of reflectors: the image has its largest amplitudes there. */
    @Test
    void aLayerIsWhereItIs() {
        Path file = folder.resolve("step.npy");
        Runs.on(1, backend -> {
            DistributedArray impedance = backend.zeros(backend.replicated(NX, NZ), DataType.FLOAT64);
            HostArray numbers = HostArray.allocate(DataType.FLOAT64, (long) NX * NZ);
            for (int i = 0; i < numbers.count(); i++) {
                numbers.setDouble(i, i % NZ <= 9 ? 4 : 6);
            }
            impedance.part().copyFrom(numbers);
            Npy.write(impedance, file);
            return impedance;
        });
        Outcome outcome = run(2, settings(0, 60, file));
        double[] image = outcome.sections().getLast().values();
        for (int x = 4; x < NX - 4; x++) {
            int largest = 0;
            for (int z = 0; z < NZ; z++) {
                if (image[x * NZ + z] > image[x * NZ + largest]) {
                    largest = z;
                }
            }
            assertThat(largest).as("depth at x = %d", x).isEqualTo(9);
            assertThat(image[x * NZ + 9]).isEqualTo(Math.log(6.0 / 4) / 2, within(0.05));
        }
    }

    @Test
    void framesAreSeenOnEveryRank() {
        List<Integer> frames = Runs.on(2, backend -> {
            List<Integer> seen = new ArrayList<>();
            Watch watch = new Watch(false, false, 4, (iteration, sections, _, costs) -> {
                assertThat(sections).hasSize(4);
                assertThat(costs).hasSize(iteration + 1);
                seen.add(iteration);
            });
            assertThat(new Migration(backend, settings(0, 9, null)).run(watch).sections())
                    .isEmpty();
            return seen;
        });
        assertThat(frames).containsExactly(4, 8);
    }
}
