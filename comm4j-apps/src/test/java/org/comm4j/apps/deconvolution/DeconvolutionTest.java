// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.deconvolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.Outcome;
import org.comm4j.apps.Runs;
import org.comm4j.apps.Section;
import org.comm4j.apps.Watch;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.Test;

class DeconvolutionTest {
    private static DeconvolutionSettings settings(int virtual, int nt, int iterations) {
        return new DeconvolutionSettings(
                12,
                7,
                virtual,
                nt,
                0.008,
                15,
                1500,
                15,
                new InversionSettings(iterations, 0, 0, 3, DataType.FLOAT64, null));
    }

    private static Outcome run(int ranks, DeconvolutionSettings settings) {
        return Runs.on(
                ranks,
                backend -> new Deconvolution(backend, settings).run(new Watch(false, true, 0, (_, _, _, _) -> {})));
    }

    @Test
    void isThatOfOneRank() {
        DeconvolutionSettings settings = settings(2, 101, 12);
        Outcome one = run(1, settings);
        for (int ranks : new int[] {2, 3, 5}) {
            Runs.assertSame(run(ranks, settings), one, 1e-10, 1e-8);
        }
    }

    /** More sources than receivers determine the reflections where the wavelet has energy. */
    @Test
    void findsTheReflections() {
        Outcome outcome = run(2, settings(3, 151, 80));
        assertThat(outcome.misfit()).isLessThan(0.01);
        assertThat(outcome.error()).isLessThan(0.2);
        Section truth = outcome.sections().getFirst();
        Section found = outcome.sections().getLast();
        assertThat(found.values()).hasSameSizeAs(truth.values());
        assertThat(correlation(truth.values(), found.values())).isGreaterThan(0.98);
        // The correlation with the down-going waves has their reverberations, too.
        assertThat(correlation(truth.values(), outcome.sections().get(2).values()))
                .isLessThan(0.9);
    }

    private static double correlation(double[] x, double[] y) {
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int i = 0; i < x.length; i++) {
            xy += x[i] * y[i];
            xx += x[i] * x[i];
            yy += y[i] * y[i];
        }
        return xy / Math.sqrt(xx * yy);
    }

    @Test
    void wrongOptionsSayWhatToDo() {
        assertThatThrownBy(() -> settings(8, 101, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--virtual 8: from 1 to the number of receivers, 7");
        assertThatThrownBy(() -> settings(1, 100, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--nt 100: an odd number of samples");
    }
}
