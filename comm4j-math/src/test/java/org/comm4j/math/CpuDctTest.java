// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Cosine transforms of a processor. */
class CpuDctTest extends DctContract {
    @Override
    Compute make() {
        return new CpuCompute();
    }
}
