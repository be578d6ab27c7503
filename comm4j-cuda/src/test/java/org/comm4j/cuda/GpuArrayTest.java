// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class GpuArrayTest extends ArrayContract {
    @BeforeAll
    static void require() {
        Gpu.require(1);
    }
}
