// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.cuda.Cuda;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code comm4j doctor} says of set-ups of NVSHMEM, each in a process of its own: a library is loaded once in
 * each.
 */
class DoctorNvshmemTest {
    @TempDir
    Path folder;

    private Path wheel;

    @BeforeEach
    void needsTheWheel() {
        Optional<Path> library = Natives.nvshmem("3.8.0");
        assumeTrue(library.isPresent(), Natives.missing("nvidia-nvshmem-cu13-3.8.0"));
        wheel = library.orElseThrow().getParent();
    }

    private String doctor(Path home) throws IOException, InterruptedException {
        ProcessBuilder builder = Running.comm4j(List.of(), List.of("doctor", "-v"));
        builder.environment().put("NVSHMEM_HOME", home.toString());
        Running.withoutMpi(builder, folder);
        Outcome outcome = Running.start(builder, folder).end(Duration.ofMinutes(1));
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        return outcome.out() + outcome.err();
    }

    /** The library and some of its plugins, by themselves. */
    private Path some(String... plugins) throws IOException {
        Path home = Files.createDirectories(folder.resolve("nvshmem"));
        for (String file : Stream.concat(Stream.of("libnvshmem_host.so.3"), Stream.of(plugins))
                .toList()) {
            Files.copy(wheel.resolve(file), home.resolve(file));
        }
        return home;
    }

    @Test
    void aWholeWheel() throws IOException, InterruptedException {
        String out = doctor(wheel.getParent());
        assertThat(out)
                .containsPattern("(?m)^NVSHMEM +3\\.8\\.0 +\\Q" + wheel.resolve("libnvshmem_host.so.3") + "\\E$")
                .containsPattern("(?m)^3\\.8\\.0 +mpi, pmi, pmi2, pmix, shmem, uid +gpunetio, .*, ucx +"
                        + (Cuda.problem() == null ? "ready" : "no CUDA driver: \\S.*") + "$");
    }

    @Test
    void aMissingBootstrap() throws IOException, InterruptedException {
        Path home = some("nvshmem_bootstrap_mpi.so.3");
        assertThat(doctor(home))
                .containsPattern("(?m)^3\\.8\\.0 +mpi +none +no bootstrap plugin nvshmem_bootstrap_uid\\.so\\.3 in \\Q"
                        + home + "\\E .*$");
    }

    @Test
    @Tag("nightly")
    void pluginsOfAnotherVersion() throws IOException, InterruptedException {
        Path home = some("nvshmem_bootstrap_uid.so.3");
        Files.writeString(home.resolve("nvshmem_transport_ibrc.so.3"), "");
        List<String> verdict = doctor(home)
                .lines()
                .filter(line -> line.matches("3\\.8\\.0 +uid +ibrc .*"))
                .toList();
        assertThat(verdict)
                .singleElement()
                .asString()
                .contains("nvshmem_transport_ibrc.so.3")
                .contains("belongs to another version than the host library 3.8.0, which loads .so.7");
    }
}
