// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Timeout;

/** The embedded engine, with PEs that are processes; a job that hangs ends before this limit, and says where. */
@Timeout(400)
class EmbeddedProcessesTest extends ProcessesContract {
    @Override
    List<Integer> sizes() {
        return Sizes.of(2, 5);
    }

    @Override
    boolean isOptimised(int pes) {
        return pes <= 2;
    }

    @Override
    Map.Entry<Integer, String> start(int pes, String... words) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(pes)
                .java(words)
                .environment(OpenShmemOptions.VARIABLE, "embedded")
                .timeout(Duration.ofMinutes(5))
                .output(output, output)
                .run();
        return Map.entry(code, output.toString(StandardCharsets.UTF_8));
    }
}
