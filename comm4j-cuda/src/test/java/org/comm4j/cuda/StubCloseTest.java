// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The stub ends the process when a call meets a destroyed handle, and takes its time before it looks. */
@Tag("stub")
class StubCloseTest extends CloseContract {
    private static long before;

    @BeforeAll
    static void load() {
        StubDriver.load();
        before = StubDriver.live();
        StubDriver.dawdle(true);
    }

    @AfterAll
    static void everythingWasGivenBack() {
        StubDriver.dawdle(false);
        assertThat(StubDriver.live()).isEqualTo(before);
    }
}
