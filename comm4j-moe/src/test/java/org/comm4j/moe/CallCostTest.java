// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.comm4j.kernel.KernelCode;
import org.comm4j.test.Natives;
import org.comm4j.test.SimulatedLibrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link CallCostProgram} on a simulated GPU: a call that is made again takes nothing from the heap, and another shape
 * compiles nothing.
 */
class CallCostTest {
    /** Folders of NVSHMEM's headers and of those that it includes. */
    private static String headers() {
        String version = Natives.NVSHMEM_VERSIONS.stream()
                .filter(each -> Natives.nvshmem(each).isPresent())
                .findFirst()
                .orElse("");
        assumeTrue(!version.isEmpty(), Natives.missing("nvidia-nvshmem-cu13"));
        return Natives.nvshmemHeaders(version);
    }

    private static String run(List<String> options, String... arguments) {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        Path library = SimulatedLibrary.compile(Path.of("src/test/c/simulated-kernels.c"));
        List<String> words = new ArrayList<>(options);
        for (String name : List.of("org.comm4j.nvshmem.library", "org.comm4j.cuda.library")) {
            words.add("-D" + name + "=" + library);
        }
        words.addAll(Natives.passedOn(
                "org.comm4j.nvrtc.library",
                "org.comm4j.nvvm.library",
                "org.comm4j.nvjitlink.library",
                "org.comm4j.libdevice"));
        words.add("-Dorg.comm4j.device.include=" + headers());
        // Without optimisation nothing that is allocated is left out.
        words.add("-XX:TieredStopAtLevel=1");
        words.add(CallCostProgram.class.getName());
        words.addAll(List.of(arguments));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .java(words.toArray(String[]::new))
                .timeout(Duration.ofMinutes(3))
                .output(output, output)
                .run();
        String said = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(said).isZero();
        System.out.print(said);
        return said;
    }

    @Test
    void callsAllocateNothing() {
        String said = run(List.of());
        assertThat(said).contains("dispatch and combine: 0 bytes");
        // The object that is given back, and nothing else.
        assertThat(said).containsPattern("dispatch with a new Routed: (\\d|[1-6]\\d) bytes");
    }

    /** Tokens, elements, choices and experts are arguments: the kernels of the first layer serve the others. */
    @Test
    @Tag("nightly")
    void anotherShapeCompilesNothing(@TempDir Path cache) {
        List<String> entries = run(List.of("-Dorg.comm4j.kernel.cache=" + cache), "shapes")
                .lines()
                .filter(line -> line.startsWith("entries: "))
                .toList();
        assertThat(entries).hasSize(6).doesNotContain("entries: 0").containsOnly(entries.getFirst());
    }
}
