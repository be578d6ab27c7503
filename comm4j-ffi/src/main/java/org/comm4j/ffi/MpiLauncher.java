// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The launcher of an MPI library that started this process, found among the process's ancestors.
 *
 * @param file the program, links followed
 * @param sonames what its library may be called
 */
record MpiLauncher(Path file, List<String> sonames) {

    /** The variable that names a library, its folder, or an installation. */
    static final String VARIABLE = "COMM4J_MPI";

    private static final Set<String> OPEN_MPI = Set.of("orterun", "orted", "mpirun", "prterun", "prted", "prte");
    private static final Set<String> HYDRA =
            Set.of("hydra_pmi_proxy", "hydra_bstrap_proxy", "mpiexec.hydra", "mpiexec.mpich");

    /** Variables of which a launcher sets one. */
    private static final List<String> SIGNS = List.of("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK");

    private static final List<String> FOLDERS =
            List.of("lib", "lib64", "lib/release", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu");

    /** Scripts and shells may stand between the launcher and this process. */
    private static final int GENERATIONS = 8;

    /** Returns the launcher, if the variables say that there is one and it is found. */
    static Optional<MpiLauncher> ofProcess(UnaryOperator<String> variables) {
        if (SIGNS.stream().allMatch(sign -> variables.apply(sign).isEmpty())) {
            return Optional.empty();
        }
        Optional<ProcessHandle> ancestor = ProcessHandle.current().parent();
        for (int n = 0; n < GENERATIONS && ancestor.isPresent(); n++) {
            Optional<MpiLauncher> launcher =
                    ancestor.get().info().command().flatMap(Surroundings::path).flatMap(MpiLauncher::of);
            if (launcher.isPresent()) {
                return launcher;
            }
            ancestor = ancestor.get().parent();
        }
        return Optional.empty();
    }

    /** Returns what this program launches for, if its name is that of a launcher. */
    static Optional<MpiLauncher> of(Path program) {
        String name = String.valueOf(program.getFileName());
        if (!OPEN_MPI.contains(name) && !HYDRA.contains(name)) {
            return Optional.empty();
        }
        Path file = program;
        try {
            file = program.toRealPath();
        } catch (IOException e) {
            // It has ended, or belongs to somebody else.
            return Optional.empty();
        }
        return Optional.of(new MpiLauncher(
                file,
                OPEN_MPI.contains(name)
                        ? List.of("libmpi.so.40", "libmpi.so.80")
                        : List.of("libmpi.so.12", "libmpich.so.12")));
    }

    /** The files of its installation that are its library. */
    List<Path> libraries() {
        List<Path> libraries = new ArrayList<>();
        Path prefix = file.resolve("../..").normalize();
        for (String folder : FOLDERS) {
            for (String soname : sonames) {
                Path library = prefix.resolve(folder).resolve(soname);
                if (Files.isRegularFile(library)) {
                    libraries.add(library);
                }
            }
        }
        return libraries;
    }
}
