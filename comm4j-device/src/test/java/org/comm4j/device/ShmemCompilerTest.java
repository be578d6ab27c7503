// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which PEs get kernels without code for a network. */
class ShmemCompilerTest {
    private static final String FAR = "this GPU does not reach the memory of PE 3 by loads and stores";

    @AfterEach
    void forget() {
        System.clearProperty(ShmemCompiler.DIRECT);
    }

    @Test
    void whoReachesAllNeedsNone() {
        assertThat(ShmemCompiler.isDirect(null)).isTrue();
        assertThat(ShmemCompiler.isDirect(FAR)).isFalse();
    }

    @Test
    void thePropertyDecidesOtherwise() {
        System.setProperty(ShmemCompiler.DIRECT, "false");
        assertThat(ShmemCompiler.isDirect(null)).isFalse();
        assertThat(ShmemCompiler.isDirect(FAR)).isFalse();
        System.setProperty(ShmemCompiler.DIRECT, "true");
        assertThat(ShmemCompiler.isDirect(null)).isTrue();
    }

    @Test
    void kernelsThatCannotReachAPeAreNotMade() {
        System.setProperty(ShmemCompiler.DIRECT, "true");
        assertThatThrownBy(() -> ShmemCompiler.isDirect(FAR))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("kernels without code for a network (-Dorg.comm4j.device.direct=true) cannot run here: "
                        + FAR + "; leave the property out");
        System.setProperty(ShmemCompiler.DIRECT, "yes");
        assertThatThrownBy(() -> ShmemCompiler.isDirect(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dorg.comm4j.device.direct=yes: it is true, false, or left out");
    }
}
