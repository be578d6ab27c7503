// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.ffi.cblas.LibCblas;
import org.junit.jupiter.api.Test;

/** The operations of a processor with a BLAS; skipped where there is none. */
class NativeBlasTest extends ComputeContract {
    @Override
    Compute make() {
        assumeTrue(LibCblas.library().isPresent(), () -> LibCblas.library().toString());
        return new CpuCompute(NativeBlas.find());
    }

    @Test
    void isWhatTheLibrarySays() {
        assertThat(NativeBlas.find().name()).isNotEqualTo("Java");
    }
}
