// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of PEs over the simulated NVSHMEM, and of that one itself. */
class SimulatedFaultTest extends FaultContract {
    private static final int PES = 2;

    SimulatedFaultTest() {
        super(Machine.SIMULATED_3_4_5, Nightly.isOn() ? 3 : PES);
    }

    @Test
    void aFailureThatTheLibraryDoesNotTellIsFoundOut() {
        int code = program(PES, "swallowed").run();
        assertThat(code).as(text()).isZero();
        assertThat(lines(".* refused: .*status 1.*ABANDONED.*")).as(text()).hasSize(PES);
        assertThat(lines(".*survived")).as(text()).hasSize(PES);
    }

    @Test
    @Tag("nightly")
    void aFailureOfTheLibraryIsAnException() {
        int code = program(PES, "failed").run();
        assertThat(code).as(text()).isZero();
        assertThat(lines(".* refused: .*nvshmemx_hostlib_init_attr.*ABANDONED.*"))
                .as(text())
                .hasSize(PES);
    }

    @Test
    @Tag("nightly")
    void aFailureAfterTheEndIsNoEndWithoutClosing() {
        int code = program(PES, "device").run();
        assertThat(code).as(text()).isZero();
        assertThat(lines(".* refused: release device .*FINALIZED.*")).as(text()).hasSize(PES);
        assertThat(text()).doesNotContain("without having closed");
    }

    @Test
    void aFailureBeforeTheLibraryIsAskedCanBeRepeated() {
        int code = program(PES, "missing").run();
        assertThat(code).as(text()).isZero();
        assertThat(lines(".* refused: .*PE 0 .*nvshmemx_get_uniqueid.*NOT_INITIALIZED.*"))
                .as(text())
                .hasSize(PES);
        assertThat(lines(".*then it worked")).as(text()).hasSize(PES);
    }
}
