// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** With {@code -Dcomm4j.stress.seconds=600} it takes ten minutes. */
@Tag("gpu")
class GpuCloseTest extends CloseContract {
    @BeforeAll
    static void require() {
        Gpu.require(1);
    }
}
