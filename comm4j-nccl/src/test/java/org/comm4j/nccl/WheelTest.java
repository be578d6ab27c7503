// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real NCCLs, as far as they go without a GPU; a process loads one, so each gets its own: {@link WheelProgram}. */
class WheelTest {
    /** The newest one, unless there is much time. */
    static List<String> versions() {
        return Nightly.variants(-1, Natives.NCCL_VERSIONS);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void withoutAGpu(String version) throws Exception {
        Optional<Path> library = Natives.nccl(version);
        Assumptions.assumeTrue(library.isPresent(), Natives.missing("nvidia-nccl-cu13-" + version));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int status = Launcher.ranks(1)
                .java(WheelProgram.class.getName(), library.orElseThrow().toString(), version)
                .environment("NCCL_DEBUG", "WARN")
                .timeout(Duration.ofSeconds(60))
                .output(output, output)
                .run();
        String text = output.toString(StandardCharsets.UTF_8);
        assertThat(status).as(text).isZero();
        Stream<String> lines = text.lines();
        assertThat(lines.filter(line -> line.endsWith("all well with " + version)))
                .as(text)
                .hasSize(1);
    }
}
