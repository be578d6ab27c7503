// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.Machine;

/** A problem: kernels that solve it, and plain Java that says what is right. */
abstract class Program {
    /** All of them. */
    static List<Program> all() {
        return List.of(
                new TwoProducts(),
                new Atax(),
                new Bicg(),
                new Gemver(),
                new Gesummv(),
                new Mvt(),
                new Correlation(),
                new Syrk(),
                new Doitgen(),
                new Convolution2d(),
                new Convolution3d(),
                new Jacobi2d(),
                new Seidel2d(),
                new Fdtd2d(),
                new Adi(),
                new GramSchmidt(),
                new FloydWarshall(),
                new Hotspot(),
                new Pathfinder(),
                new Srad(),
                new NeedlemanWunsch(),
                new Bfs(),
                new Kmeans(),
                new Lud(),
                new Backprop(),
                new Gaussian(),
                new NearestNeighbours(),
                new ParticleFilter(),
                new LavaMd(),
                new TreeSearch(),
                new BitonicSort(),
                new Wavelet());
    }

    /** Solves the problem for numbers that {@code random} draws, and compares. */
    abstract void run(Machine machine, Random random);

    /** How many blocks of this size there are for n elements. */
    static int blocks(int n, int size) {
        return (n + size - 1) / size;
    }

    static float[] floats(Random random, int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = random.nextFloat(-1, 1);
        }
        return values;
    }

    static double[] doubles(Random random, int n) {
        return random.doubles(n, -1, 1).toArray();
    }

    /** Each as near as {@code tolerance}, of the larger of 1 and itself. */
    static void near(HostArray actual, double[] expected, double tolerance) {
        double[] found = actual.toDoubleArray();
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i])
                    .as("element %d", i)
                    .isCloseTo(expected[i], within(tolerance * Math.max(1, Math.abs(expected[i]))));
        }
    }

    /** Each as near as {@code tolerance}, of the larger of 1 and itself. */
    static void near(HostArray actual, float[] expected, float tolerance) {
        float[] found = actual.toFloatArray();
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i])
                    .as("element %d", i)
                    .isCloseTo(expected[i], within(tolerance * Math.max(1, Math.abs(expected[i]))));
        }
    }

    @Override
    public String toString() {
        return getClass().getSimpleName();
    }
}
