// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.Test;

/** Sums without rounding on processors. */
class CpuExactTest extends ExactContract {
    @Override
    Compute make() {
        return new CpuCompute();
    }

    /** More tiles than digits have room for without carries between them. */
    @Test
    void manyTiles() {
        ExactTile tile = new ExactTile();
        int tiles = (1 << 18) + 3;
        for (int i = 0; i < tiles; i++) {
            tile.terms()[0] = -1;
            tile.terms()[1] = 0x1p-80;
            tile.add();
        }
        ExactSums sums = compute.exactSums(1);
        Scalars results = compute.scalars(1);
        tile.moveTo(sums.at(0), false);
        compute.prepare(new Sweep().round(sums, 1, results.buffer())).run();
        assertThat(results.get(0).real()).isEqualTo(-tiles);
    }

    /** Several windows: sizes that grow and shrink, some too different for one window. */
    @Test
    void windowsOfDifferentSizes() {
        int window = ExactLanes.WIDTH * ExactLanes.MOST;
        Random random = new Random(3);
        double[] u = new double[5 * window / 2];
        double[] v = new double[u.length];
        for (int i = 0; i < u.length; i++) {
            int part = i / (window / 2);
            u[i] = Math.scalb(random.nextDouble() - 0.5, new int[] {0, 9, 90, -300, -300}[part]);
            boolean apart = part == 2 && random.nextInt(1000) == 0;
            v[i] = (random.nextDouble() - 0.5) * (apart ? 0x1p-70 : 1);
        }
        ExactSums sums = compute.exactSums(2);
        Scalars results = compute.scalars(2);
        Buffer x = buffer(DataType.FLOAT64, u);
        Buffer y = buffer(DataType.FLOAT64, v);
        double[] terms = new double[u.length];
        for (int i = 0; i < u.length; i++) {
            terms[i] = u[i] * v[i];
        }
        Runnable run = compute.prepare(
                new Sweep().vdot(x, y, sums, 0, false).moduli(y, sums, 1, false).round(sums, 1, results.buffer()));
        double moduli = 0;
        for (int again = 0; again < 2; again++) {
            run.run();
            assertThat(results.get(0).real()).isEqualTo(sum(terms));
            assertThat(again == 0 || results.get(1).real() == moduli).isTrue();
            moduli = results.get(1).real();
        }
        // Pairs of complex numbers: the imaginary part of a window may fit while the real one does not.
        Buffer a = buffer(DataType.COMPLEX128, u);
        Buffer b = buffer(DataType.COMPLEX128, v);
        compute.prepare(new Sweep()
                        .vdot(a, b, sums, 0, false)
                        .dot(a, b, sums, 1, false)
                        .round(sums, 1, results.buffer()))
                .run();
        double[] crossed = new double[u.length];
        double[] plain = new double[u.length];
        double[] opposite = new double[u.length];
        for (int i = 0; i < u.length; i += 2) {
            crossed[i] = u[i] * v[i + 1];
            crossed[i + 1] = -(u[i + 1] * v[i]);
            opposite[i] = crossed[i];
            opposite[i + 1] = -crossed[i + 1];
            plain[i] = terms[i];
            plain[i + 1] = -terms[i + 1];
        }
        assertThat(results.get(0).real()).isEqualTo(sum(terms));
        assertThat(results.get(0).imaginary()).isEqualTo(sum(crossed));
        assertThat(results.get(1).real()).isEqualTo(sum(plain));
        assertThat(results.get(1).imaginary()).isEqualTo(sum(opposite));
        u[window + 5] = Double.POSITIVE_INFINITY;
        v[window + 5] = -1;
        Buffer infinite = buffer(DataType.FLOAT64, u);
        Buffer factors = buffer(DataType.FLOAT64, v);
        compute.prepare(new Sweep().vdot(infinite, factors, sums, 0, false).round(sums, 1, results.buffer()))
                .run();
        assertThat(results.get(0).real()).isEqualTo(Double.NEGATIVE_INFINITY);
    }
}
