// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Medians of times of runs that were disturbed. */
class CaseTimerTest {
    /** The least of the longer runs may be below the least of the shorter ones, if those were the disturbed ones. */
    @Test
    void aFewDisturbedRunsDoNotCount() {
        assertThat(CaseTimer.median(100, 101, -5000, 99, 9000)).isEqualTo(100);
        assertThat(CaseTimer.median(3)).isEqualTo(3);
    }

    @Test
    void timesThatAreLostInTheNoiseAreNone() {
        assertThat(CaseTimer.median(100, -101, -50, 99, 9000)).isNaN();
        assertThat(CaseTimer.median(-3)).isNaN();
        assertThat(CaseTimer.median(0, 0, 0, 0)).isNaN();
    }
}
