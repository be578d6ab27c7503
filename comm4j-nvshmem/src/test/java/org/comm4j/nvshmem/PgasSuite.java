// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.comm4j.core.Pgas;
import org.comm4j.core.contract.pgas.CommonCase;
import org.comm4j.core.spi.PgasEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What NVSHMEM and OpenSHMEM have in common, as a program meets it that names no engine. */
class PgasSuite {
    /** What the PEs need. */
    static final Map<String, String> ENVIRONMENT = Map.of(PgasEngine.VARIABLE, NvshmemEngine.NAME);

    private static Pgas shmem;

    @BeforeAll
    static void begin() {
        Pes.close();
        shmem = Pes.world().pgas();
        assertThat(shmem).isInstanceOf(Nvshmem.class);
        assertThat(shmem.engine()).startsWith("nvshmem " + Nvshmem.version());
        shmem.timeout(PesRun.WAIT);
    }

    @AfterAll
    static void end() {
        shmem.close();
        assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.FINALIZED);
    }

    @ParameterizedTest
    @EnumSource
    void holds(CommonCase each) throws Exception {
        each.run(shmem);
    }
}
