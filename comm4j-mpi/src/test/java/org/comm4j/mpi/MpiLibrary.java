// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Natives;
import org.opentest4j.TestAbortedException;

/** The MPI libraries that tests use; {@code dev/mpi} brings them. */
enum MpiLibrary {
    OPEN_MPI_4("/usr/bin/mpirun.openmpi", "/usr/lib/x86_64-linux-gnu/openmpi/include"),
    OPEN_MPI_5("openmpi/bin/mpiexec", "openmpi/include"),
    MPICH_4("/usr/bin/mpiexec.mpich", "/usr/include/x86_64-linux-gnu/mpich"),
    MPICH_5("mpich/bin/mpiexec", "mpich/include"),
    INTEL("impi-rt/bin/mpiexec", "impi-devel/include"),
    /** MPICH 5 through the standard interface of MPI 5, which is another library of the same installation. */
    STANDARD("mpich/bin/mpiexec", "mpich/include");

    /** The property that leaves out all others than those it names, separated by commas. */
    private static final String ONLY = "comm4j.test.mpi";

    private static final String STANDARD_NAME = "libmpi_abi.so.1";

    private final String launcher;
    private final String headers;

    MpiLibrary(String launcher, String headers) {
        this.launcher = launcher;
        this.headers = headers;
    }

    /** A file of the system, or below the folder of a wheel. */
    private static Optional<Path> file(String place) {
        if (place.startsWith("/")) {
            return Optional.of(Path.of(place)).filter(path -> path.toFile().exists());
        }
        int end = place.indexOf('/');
        return Natives.find(place.substring(0, end))
                .map(folder -> folder.resolve(place.substring(end + 1)))
                .filter(path -> path.toFile().exists());
    }

    /** Its launcher; skips the test where there is none. */
    Mpiexec launcher() {
        String only = System.getProperty(ONLY, "");
        if (!only.isEmpty() && !List.of(only.split(",", -1)).contains(name())) {
            throw new TestAbortedException(this + " is none of " + only + " (" + ONLY + ")");
        }
        Path file = file(launcher).orElseThrow(this::missing);
        Mpiexec found = Optional.ofNullable(Mpiexec.of(file)).orElseThrow(this::missing);
        Path library = found.library();
        return this == STANDARD && library != null
                ? new Mpiexec(found.file(), found.kind(), found.version(), library.resolveSibling(STANDARD_NAME))
                : found;
    }

    /** The folder of its headers; skips the test where there is none. */
    Path headers() {
        return file(headers).orElseThrow(this::missing);
    }

    private TestAbortedException missing() {
        return new TestAbortedException(this + " is not here (" + launcher + ", " + headers + "); dev/mpi fetches it");
    }
}
