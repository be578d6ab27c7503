// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Natives;
import org.opentest4j.TestAbortedException;

/** Launchers of MPI libraries, as they start PEs; {@code dev/mpi} brings them. */
enum MpiLauncher {
    OPEN_MPI_4("/usr/bin/mpirun.openmpi"),
    OPEN_MPI_5("openmpi/bin/mpiexec"),
    MPICH_4("/usr/bin/mpiexec.mpich"),
    MPICH_5("mpich/bin/mpiexec"),
    INTEL("impi-rt/bin/mpiexec");

    private final String place;

    MpiLauncher(String place) {
        this.place = place;
    }

    /** The launcher; skips the test where there is none. */
    Mpiexec mpiexec() {
        int end = place.indexOf('/');
        return (end == 0
                        ? Optional.of(Path.of(place))
                        : Natives.find(place.substring(0, end)).map(folder -> folder.resolve(place.substring(end + 1))))
                .filter(path -> path.toFile().exists())
                .map(Mpiexec::of)
                .orElseThrow(() -> new TestAbortedException(this + " is not here (" + place + "); dev/mpi fetches it"));
    }

    /**
     * Runs Java on so many PEs over the engine mpi.
     *
     * @return the exit code, and all output
     */
    Map.Entry<Integer, String> run(int pes, Map<String, String> environment, String... words) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher launcher = Launcher.ranks(pes)
                .java(words)
                .environment(OpenShmemOptions.VARIABLE, "mpi")
                .timeout(Duration.ofMinutes(5))
                .output(output, output)
                .by(mpiexec(), List.of());
        environment.forEach(launcher::environment);
        int code = launcher.run();
        return Map.entry(code, output.toString(StandardCharsets.UTF_8));
    }
}
