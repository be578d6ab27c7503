// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Gcc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory of devices, over a simulated driver, by an MPI library that says that it takes it, and one that does not. */
@Timeout(60)
class CudaAwareTest {
    @TempDir
    private Path folder;

    /** What MPI does itself it does there, the rest goes through copies. */
    @Test
    void byItsAddress() {
        program(true);
    }

    @Test
    void throughCopies() {
        program(false, "-Dorg.comm4j.mpi.cuda=false");
    }

    private void program(boolean direct, String... options) {
        Mpiexec launcher = MpiLibrary.OPEN_MPI_4.launcher();
        Path driver = folder.resolve("libcuda-stub.so");
        Gcc.sharedLibrary(Path.of("../comm4j-cuda/src/test/c/libcuda-stub.c"), driver);
        Path aware = folder.resolve("libaware.so");
        Path real = Objects.requireNonNull(launcher.library());
        Gcc.sharedLibrary(Path.of("src/test/c/cuda-aware.c"), aware, "-Wl,--no-as-needed", real.toString());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(launcher, List.of())
                .environment(Mpiexec.VARIABLE, aware.toString())
                .jvmOptions("-Dorg.comm4j.cuda.library=" + driver)
                .jvmOptions(options)
                // In short lives the first compiler is enough.
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .java(CudaAwareProgram.class.getName(), aware.toString(), "" + direct)
                .output(said, said)
                .timeout(Duration.ofSeconds(50))
                .run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        assertThat(text).contains("[0] device memory ok, direct " + direct, "[1] device memory ok, direct " + direct);
    }
}
