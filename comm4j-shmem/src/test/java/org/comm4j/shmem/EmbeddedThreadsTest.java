// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.Pgas;
import org.comm4j.core.World;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The embedded engine, with PEs that are threads of this JVM. */
@Timeout(120)
class EmbeddedThreadsTest extends ShmemContract {
    @Override
    List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(1, 2, 3, 4, 5, 8) : Sizes.of(3);
    }

    @Override
    void run(int pes, Each each) {
        World.threads(pes, world -> {
            try (OpenShmem shmem = OpenShmem.init(world, OpenShmemOptions.defaults("embedded"))) {
                shmem.timeout(Duration.ofSeconds(60));
                each.body().run(shmem);
            }
        });
    }

    /** In programs that name no engine. */
    @Test
    void isTheUsualEngine() {
        World.threads(2, world -> {
            try (Pgas shmem = world.pgas()) {
                assertThat(shmem).isInstanceOf(OpenShmem.class);
                assertThat(shmem.engine()).isEqualTo("embedded");
                shmem.barrierAll();
            }
        });
    }
}
