// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.reflectivity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.Outcome;
import org.comm4j.apps.Runs;
import org.comm4j.apps.VolumeShape;
import org.comm4j.apps.Watch;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Npy;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReflectivityTest {
    private static final Watch DRAWN = new Watch(false, true, 0, (_, _, _, _) -> {});

    @TempDir
    private Path folder;

    private static ReflectivitySettings settings(
            double sparsity, double noise, int iterations, @Nullable Path model, long... shape) {
        return new ReflectivitySettings(
                VolumeShape.of(shape),
                0.004,
                25,
                sparsity,
                new InversionSettings(iterations, 0, noise, 4, DataType.FLOAT64, model));
    }

    private static Outcome run(int ranks, ReflectivitySettings settings) {
        return Runs.on(ranks, backend -> new Reflectivity(backend, settings).run(DRAWN));
    }

    /** Spikes that are farther from each other than a half period are found where they are, and nothing else is. */
    @Test
    void findsSpikes() {
        int samples = 100;
        int[] places = {20, 37, 61, 80};
        Path file = folder.resolve("layers.npy");
        Runs.on(1, backend -> {
            DistributedArray impedance = backend.zeros(backend.replicated(3, samples), DataType.FLOAT64);
            HostArray numbers = HostArray.allocate(DataType.FLOAT64, 3L * samples);
            for (int i = 0; i < numbers.count(); i++) {
                double logarithm = 1;
                for (int k = 0; k < places.length; k++) {
                    // Reflectivity is half of the logarithm's step.
                    logarithm += i % samples > places[k] ? 0.2 * (k % 2 == 0 ? 1 : -1) : 0;
                }
                numbers.setDouble(i, Math.exp(logarithm));
            }
            impedance.part().copyFrom(numbers);
            Npy.write(impedance, file);
            return impedance;
        });
        Outcome outcome = run(2, settings(0.001, 0, 2000, file, 3, samples));
        assertThat(outcome.startError()).isOne();
        assertThat(outcome.error()).isLessThan(0.01);
        double[] found = outcome.sections().getLast().values();
        for (int i = 0; i < found.length; i++) {
            boolean spike = false;
            for (int place : places) {
                spike |= i % samples == place;
            }
            assertThat(Math.abs(found[i]) > 0.09)
                    .as("sample %d: %g", i, found[i])
                    .isEqualTo(spike);
        }
    }

    @Test
    void isThatOfOneRankAndBetterThanZeros() {
        ReflectivitySettings settings = settings(0.02, 0.1, 60, null, 7, 11, 90);
        Outcome one = run(1, settings);
        assertThat(one.error()).isLessThan(0.92);
        assertThat(one.costs()).hasSize(61);
        assertThat(one.costs()[0]).isOne();
        for (int ranks : new int[] {2, 3, 8}) {
            Runs.assertSame(run(ranks, settings), one, 1e-11, 1e-9);
        }
    }

    @Test
    void badInputIsNamed() {
        assertThatThrownBy(() -> settings(1, 0, 5, null, 3, 20)).hasMessageContaining("--sparsity 1.0");
        assertThatThrownBy(() -> settings(0.1, 0, 0, null, 3, 20)).hasMessageContaining("--iterations 0");
        Path file = folder.resolve("flat.npy");
        Runs.on(1, backend -> {
            DistributedArray impedance = backend.full(backend.replicated(4, 20), DataType.FLOAT64, 5);
            Npy.write(impedance, file);
            return impedance;
        });
        assertThatThrownBy(() -> run(2, settings(0.1, 0, 3, file, 4, 20))).hasMessageContaining("no reflectors");
    }
}
