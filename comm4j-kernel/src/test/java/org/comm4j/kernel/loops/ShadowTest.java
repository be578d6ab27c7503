// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShadowTest {
    /** As a symmetric heap reserves them: a table of all its pages would take 32 GiB. */
    @Test
    void aTerabyteOfAddressesTakesPagesWhereItIsAccessed() {
        long bytes = 1L << 40;
        Shadow shadow = new Shadow(bytes, 1);
        long last = shadow.cell(bytes - 1);
        assertThat(shadow.known(last)).isNull();
        shadow.page(last)[Shadow.place(last)] = 7;
        shadow.page(0)[Shadow.place(0)] = 8;
        assertThat(shadow.page(last)[Shadow.place(last)]).isEqualTo(7);
        assertThat(shadow.page(0)[Shadow.place(0)]).isEqualTo(8);
        assertThat(shadow.known(last / 2)).isNull();
        shadow.release();
        Shadow next = new Shadow(bytes, 8);
        assertThat(next.page(next.cell(bytes - 1))).containsOnly(0);
    }
}
