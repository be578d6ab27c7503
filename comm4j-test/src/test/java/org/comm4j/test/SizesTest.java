// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizesTest {
    @Test
    void thoseListedAreRun() {
        assertThat(Sizes.among("1,2, 3", 2, 3, 8)).containsExactly(2, 3);
        assertThat(Sizes.among("", 2, 3, 8)).containsExactly(2, 3, 8);
    }

    @Test
    void aTestIsNeverLeftOutForItsSizes() {
        assertThat(Sizes.among("1,2,3", 4, 8)).containsExactly(4);
        assertThat(Sizes.among("1,2,3")).isEmpty();
    }
}
