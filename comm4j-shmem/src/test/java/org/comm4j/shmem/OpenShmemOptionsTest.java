// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.World;
import org.comm4j.shmem.OpenShmemOptions.Engine;
import org.junit.jupiter.api.Test;

class OpenShmemOptionsTest {
    @Test
    void theVariableNamesTheEngine() {
        assertThat(OpenShmemOptions.defaults(null).engine()).isEqualTo(Engine.AUTO);
        assertThat(OpenShmemOptions.defaults(" ").engine()).isEqualTo(Engine.AUTO);
        assertThat(OpenShmemOptions.defaults("native").engine()).isEqualTo(Engine.NATIVE);
        assertThatThrownBy(() -> OpenShmemOptions.defaults("ucx"))
                .hasMessageContaining("COMM4J_SHMEM is 'ucx'")
                .hasMessageContaining("auto, embedded, native");
    }

    @Test
    void withoutALauncherTheEmbeddedEngineIsChosen() {
        World.threads(2, world -> {
            try (OpenShmem shmem = OpenShmem.init(world, new OpenShmemOptions(Engine.AUTO, 1 << 20))) {
                assertThat(shmem.options()).isEqualTo(new OpenShmemOptions(Engine.EMBEDDED, 1 << 20));
                assertThat(OpenShmem.isInitialized(world)).isTrue();
                shmem.barrierAll();
            }
            assertThat(OpenShmem.isInitialized(world)).isFalse();
        });
    }

    @Test
    void aHeapOfNegativeSizeIsRefused() {
        assertThatThrownBy(() -> new OpenShmemOptions(Engine.AUTO, -1)).hasMessageContaining("-1 bytes");
    }
}
