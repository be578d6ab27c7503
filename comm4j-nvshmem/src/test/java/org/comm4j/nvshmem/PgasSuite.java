// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.time.Duration;
import org.comm4j.core.contract.pgas.CommonCase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What NVSHMEM and OpenSHMEM have in common. */
class PgasSuite {
    @ParameterizedTest
    @EnumSource
    void holds(CommonCase each) throws Exception {
        Nvshmem shmem = Pes.current();
        Duration before = shmem.timeout();
        shmem.timeout(PesRun.WAIT);
        each.run(shmem);
        shmem.timeout(before);
    }
}
