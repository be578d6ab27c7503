// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.World;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Timeout;

/** PEs that are threads of this JVM. */
@Timeout(120)
class OneSidedThreadsTest extends OneSidedContract {
    @Override
    List<Integer> sizes() {
        return Sizes.of(1, 2, 3, 4, 5, 8);
    }

    @Override
    void run(int pes, OneSidedCase oneSidedCase) {
        World.threads(pes, world -> {
            try (HostShmem shmem = HostShmem.init(world)) {
                shmem.timeout(Duration.ofSeconds(60));
                oneSidedCase.run(shmem);
            }
        });
    }
}
