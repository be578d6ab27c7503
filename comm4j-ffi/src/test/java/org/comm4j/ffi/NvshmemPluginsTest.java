// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.comm4j.ffi.NvshmemPlugins.Kind;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What is said of the plugins that lie beside NVSHMEM: in made-up folders, and in those of the wheels. */
class NvshmemPluginsTest {
    static final List<String> VERSIONS = Natives.NVSHMEM_VERSIONS;

    @TempDir
    Path folder;

    private NvshmemPlugins with(String... files) throws IOException {
        for (String file : files) {
            Files.writeString(folder.resolve(file), "");
        }
        return NvshmemPlugins.beside(folder.resolve("libnvshmem_host.so.3"));
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void ofTheWheels(String version) {
        Optional<Path> library = Natives.nvshmem(version);
        assumeTrue(library.isPresent(), Natives.missing("nvidia-nvshmem-cu13-" + version));
        NvshmemPlugins plugins = NvshmemPlugins.beside(library.orElseThrow());
        assertThat(plugins.problem(version)).isNull();
        assertThat(plugins.names(Kind.BOOTSTRAP)).isEqualTo("mpi, pmi, pmi2, pmix, shmem, uid");
        assertThat(plugins.names(Kind.TRANSPORT)).contains("ibrc", "libfabric", "ucx");
        String other = version.equals("3.4.5") ? "3.8.0" : "3.4.5";
        assertThat(plugins.problem(other)).contains("nvshmem_transport_", "host library " + other);
    }

    @Test
    void withoutTransportsItWorksOnOneMachine() throws IOException {
        NvshmemPlugins plugins = with("nvshmem_bootstrap_uid.so.3");
        assertThat(plugins.problem("3.8.0")).isNull();
        assertThat(plugins.names(Kind.TRANSPORT)).isEqualTo("none");
    }

    @Test
    void aMissingBootstrap() throws IOException {
        assertThat(with("nvshmem_bootstrap_mpi.so.3", "nvshmem_bootstrap_pmix.so.3", "libnvshmem_host.so.3")
                        .problem("3.8.0"))
                .isEqualTo("no bootstrap plugin nvshmem_bootstrap_uid.so.3 in " + folder
                        + " (bootstraps there: mpi, pmix). Reinstall NVSHMEM, or point org.comm4j.nvshmem.library to a"
                        + " complete folder of it.");
    }

    @Test
    void pluginsOfAnotherVersion() throws IOException {
        assertThat(with("nvshmem_bootstrap_uid.so.2").problem("3.8.0"))
                .isEqualTo(
                        "nvshmem_bootstrap_uid.so.2 in " + folder + " belongs to another version than the host library"
                                + " 3.8.0, which loads .so.3. Remove all files of NVSHMEM there and reinstall it.");
        NvshmemPlugins old = with("nvshmem_bootstrap_uid.so.3", "nvshmem_transport_ibrc.so.3");
        assertThat(old.problem("3.4.5")).isNull();
        assertThat(old.problem("3.8.0"))
                .startsWith("nvshmem_transport_ibrc.so.3 in ")
                .contains("loads .so.7");
        // What comes after the known versions is not judged.
        assertThat(old.problem("3.99.0")).isNull();
        assertThat(old.problem(null)).isNull();
    }

    /** NVSHMEM would load it, which ends the process. */
    @Test
    void aPluginWithoutItsEnd() throws IOException {
        NvshmemPlugins plugins = with("nvshmem_bootstrap_uid.so.3");
        byte[] library = Files.readAllBytes(
                Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("zip")));
        Files.write(folder.resolve("nvshmem_bootstrap_uid.so.3"), Arrays.copyOf(library, library.length / 2));
        assertThat(plugins.problem("3.8.0"))
                .isEqualTo("nvshmem_bootstrap_uid.so.3 in " + folder + " is incomplete. Remove all files of NVSHMEM there"
                        + " and reinstall it.");
    }

    @Test
    void aNumberThatIsNone() throws IOException {
        assertThat(with("nvshmem_bootstrap_uid.so.3", "nvshmem_transport_ucx.so.99999999999")
                        .problem("3.8.0"))
                .isNull();
    }
}
