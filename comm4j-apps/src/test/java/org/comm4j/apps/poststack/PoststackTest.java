// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.poststack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.Outcome;
import org.comm4j.apps.Runs;
import org.comm4j.apps.VolumeShape;
import org.comm4j.apps.Watch;
import org.comm4j.apps.poststack.Regularization.Method;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Npy;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoststackTest {
    private static final Watch DRAWN = new Watch(false, true, 0, (_, _, _, _) -> {});

    @TempDir
    private Path folder;

    private static PoststackSettings settings(
            double laplacian, double noise, int iterations, @Nullable Path model, long... shape) {
        return new PoststackSettings(
                VolumeShape.of(shape),
                0.004,
                25,
                Regularization.smooth(laplacian),
                new InversionSettings(iterations, 0, noise, 4, DataType.FLOAT64, model));
    }

    private static Outcome run(int ranks, PoststackSettings settings) {
        return Runs.on(ranks, backend -> new Poststack(backend, settings).run(DRAWN));
    }

    /** The logarithm of the impedance is a sine of the wavelet's frequency, faded at both ends. */
    private static double logarithm(int sample, int samples) {
        double fade = Math.sin(Math.PI * sample / (samples - 1));
        return Math.log(6) + 0.1 * fade * fade * Math.sin(2 * Math.PI * 25 * 0.004 * sample);
    }

    @Test
    void findsWhatIsInTheBand() {
        int samples = 120;
        Path file = folder.resolve("sine.npy");
        Runs.on(1, backend -> {
            DistributedArray impedance = backend.zeros(backend.replicated(3, samples), DataType.FLOAT32);
            HostArray numbers = HostArray.allocate(DataType.FLOAT32, 3L * samples);
            for (int i = 0; i < numbers.count(); i++) {
                numbers.setDouble(i, Math.exp(logarithm(i % samples, samples)));
            }
            impedance.part().copyFrom(numbers);
            Npy.write(impedance, file);
            return impedance;
        });
        Outcome outcome = run(2, settings(0, 0, 150, file, 3, samples));
        assertThat(outcome.startError()).isBetween(0.03, 0.06);
        assertThat(outcome.error()).isLessThan(outcome.startError() / 100);
        assertThat(outcome.misfit()).isLessThan(1e-3);
        double[] found = outcome.sections().getLast().values();
        assertThat(found).hasSize(3 * samples);
        for (int i = 0; i < samples; i++) {
            assertThat(Math.log(found[i])).isEqualTo(logarithm(i, samples), within(3e-3));
        }
    }

    /** After few iterations: traces share their singular values, so that rounding soon grows a thousandfold a step. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1})
    void isThatOfOneRank(double laplacian) {
        PoststackSettings settings = settings(laplacian, 0.1, 15, null, 7, 11, 60);
        Outcome one = run(1, settings);
        assertThat(one.misfit()).isLessThan(0.3);
        assertThat(one.costs()).hasSize(16);
        for (int ranks : new int[] {2, 3, 4, 8}) {
            Runs.assertSame(run(ranks, settings), one, 1e-11, 1e-9);
        }
    }

    /** The Laplacian keeps noise out of the model. */
    @Test
    void theRegularisedModelIsBetterThanThePlainOne() {
        double plain = run(1, settings(0, 0.5, 60, null, 8, 20, 80)).error();
        double regularised = run(1, settings(0.5, 0.5, 60, null, 8, 20, 80)).error();
        assertThat(regularised).isLessThan(0.8 * plain);
    }

    private static PoststackSettings blocks(Method method, double noise, int iterations, long... shape) {
        return new PoststackSettings(
                VolumeShape.of(shape),
                0.004,
                20,
                new Regularization(0, 0.001, method),
                new InversionSettings(iterations, 0, noise, 1, DataType.FLOAT64, null));
    }

    /** Of layers with a fault, with noise, total variation is nearer to them than least squares at their best. */
    @Test
    @Tag("nightly")
    void totalVariationIsBetterThanLeastSquares() {
        double best = Double.MAX_VALUE;
        for (double laplacian : new double[] {0, 0.1, 0.3}) {
            for (int iterations : new int[] {20, 40, 80}) {
                PoststackSettings least = new PoststackSettings(
                        VolumeShape.of(40, 120),
                        0.004,
                        20,
                        Regularization.smooth(laplacian),
                        blocks(Method.ADMM, 0.2, iterations, 40, 120).common());
                best = Math.min(best, run(1, least).error());
            }
        }
        assertThat(run(1, blocks(Method.PRIMAL_DUAL, 0.2, 100, 40, 120)).error())
                .isLessThan(0.93 * best);
    }

    @ParameterizedTest
    @EnumSource(Method.class)
    void totalVariationIsThatOfOneRank(Method method) {
        PoststackSettings settings = blocks(method, 0.1, 8, 9, 50);
        Outcome one = run(1, settings);
        assertThat(one.measure()).isEqualTo("change by model");
        assertThat(one.error()).isLessThan(one.startError());
        for (int ranks : new int[] {2, 3}) {
            Runs.assertSame(run(ranks, settings), one, 1e-9, 1e-8);
        }
    }

    @Test
    void modelsThatCannotBeInverted() {
        Path file = folder.resolve("model.npy");
        Runs.on(1, backend -> {
            DistributedArray impedance = backend.full(backend.replicated(4, 20), DataType.FLOAT64, 5);
            Npy.write(impedance, file);
            return impedance;
        });
        assertThatThrownBy(() -> run(2, settings(0, 0, 3, file, 4, 20))).hasMessageContaining("no reflectors");
        assertThatThrownBy(() -> run(2, settings(0, 0, 3, file, 4, 21))).hasMessageContaining("shape [4, 20]");
        Runs.on(1, backend -> {
            DistributedArray impedance = backend.random(backend.replicated(4, 20), DataType.FLOAT64, 1);
            HostArray numbers = impedance.part().toHost();
            numbers.setDouble(79, -1);
            impedance.part().copyFrom(numbers);
            Npy.write(impedance, file);
            return impedance;
        });
        assertThatThrownBy(() -> run(2, settings(0, 0, 3, file, 4, 20)))
                .hasMessageContaining("rank 1: the impedance -1.0 is not a finite positive number");
        Runs.on(1, backend -> {
            DistributedArray complex = backend.random(backend.replicated(4, 20), DataType.COMPLEX64, 1);
            Npy.write(complex, file);
            return complex;
        });
        assertThatThrownBy(() -> run(2, settings(0, 0, 3, file, 4, 20))).hasMessageContaining("complex");
    }
}
