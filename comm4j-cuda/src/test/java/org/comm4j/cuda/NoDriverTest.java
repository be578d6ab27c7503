// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.comm4j.core.CommException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine without a driver; a system property makes it one. */
@Tag("no-driver")
class NoDriverTest {

    @Test
    void theProblemIsOneLine() {
        assertThat(Cuda.problem())
                .startsWith("no CUDA driver: libcuda.so.1 not found")
                .doesNotContain("\n");
        assertThat(Cuda.deviceCount()).isZero();
        assertThat(Cuda.driverVersion()).isZero();
    }

    @Test
    void theServiceForSharedDevicesIsFoundByItsPipe(@TempDir Path folder) throws IOException {
        Map<String, String> environment = Map.of("CUDA_MPS_PIPE_DIRECTORY", folder.toString());
        assertThat(Cuda.hasMps(environment)).isFalse();
        Files.createFile(folder.resolve("control"));
        assertThat(Cuda.hasMps(environment)).isTrue();
    }

    @Test
    void devicesCannotBeOpened() {
        assertThatThrownBy(() -> Device.of(0))
                .isInstanceOf(CommException.class)
                .hasMessageContaining("no CUDA driver")
                .hasMessageContaining("nothing/libcuda.so.1")
                .as("the places once")
                .hasNoCause();
        assertThatThrownBy(() -> Device.of(-1)).isInstanceOf(CommException.class);
    }
}
