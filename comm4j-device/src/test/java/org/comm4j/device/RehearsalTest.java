// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that may never have a kernel does not notice what is rehearsed for one. */
class RehearsalTest {
    @TempDir
    Path folder;

    private String said(String engine, String... options) {
        List<String> words = new ArrayList<>(Arrays.asList(options));
        words.add("-XX:TieredStopAtLevel=1");
        words.add("-Dorg.comm4j.kernel.cache=" + folder.resolve("cache"));
        words.add(RehearsalProgram.class.getName());
        words.add(engine);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .java(words.toArray(String[]::new))
                .timeout(Duration.ofMinutes(1))
                .output(output, output)
                .run();
        String said = output.toString(StandardCharsets.UTF_8).strip();
        assertThat(code).as(said).isZero();
        return said;
    }

    /** What is missing is missing silently. */
    @ParameterizedTest
    @ValueSource(strings = {"device", "nvshmem", "nccl"})
    void needsNoLibrary(String engine) {
        String nowhere = folder.resolve("nowhere").toString();
        assertThat(said(
                        engine,
                        "-Dorg.comm4j.nvshmem.library=" + nowhere,
                        "-Dorg.comm4j.nvrtc.library=" + nowhere,
                        "-Dorg.comm4j.nvvm.library=" + nowhere,
                        "-Dorg.comm4j.nvjitlink.library=" + nowhere,
                        "-Dorg.comm4j.cuda.library=" + nowhere))
                .isEqualTo("loaded: []");
        assertThat(folder.resolve("cache")).doesNotExist();
    }

    /** Headers beside NVRTC are for who compiles; and NVSHMEM is for who uses it. */
    @Test
    void loadsNoCompilerThatIsThere() {
        Compilers.require();
        String nvrtc = "-Dorg.comm4j.nvrtc.library=" + System.getProperty("org.comm4j.nvrtc.library");
        String nvshmem = "-Dorg.comm4j.nvshmem.library="
                + Natives.nvshmem(Compilers.versions().getFirst()).orElseThrow();
        assertThat(said("nvshmem", nvrtc, "-Dorg.comm4j.nvshmem.library=" + folder))
                .isEqualTo("loaded: []");
        assertThat(said("nccl", nvrtc, nvshmem)).isEqualTo("loaded: []");
        assertThat(folder.resolve("cache")).doesNotExist();
    }
}
