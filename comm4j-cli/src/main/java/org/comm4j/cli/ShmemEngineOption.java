// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import org.comm4j.shmem.OpenShmemOptions;
import org.comm4j.shmem.OpenShmemOptions.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code --engine} of commands that run over OpenSHMEM. */
final class ShmemEngineOption {
    static final String DESCRIPTION =
            "embedded; native: an OpenSHMEM library, whose PEs oshrun starts; mpi: machines that MPI joins; default: what "
                    + OpenShmemOptions.VARIABLE
                    + " says, else native under oshrun, mpi on several machines, embedded elsewhere.";

    @Option(names = "--engine", paramLabel = "E", description = DESCRIPTION)
    private @Nullable String engine;

    /** @throws ParameterException if there is no such engine, or the environment names none */
    OpenShmemOptions options(CommandSpec command) {
        return options(command, engine, "");
    }

    /**
     * For commands that have more engines and so a description of their own.
     *
     * @param more the names of those, each behind a comma
     * @throws ParameterException if there is no such engine, or the environment names none
     */
    static OpenShmemOptions options(CommandSpec command, @Nullable String engine, String more) {
        return BenchOptions.understood(command, () -> options(engine, more));
    }

    private static OpenShmemOptions options(@Nullable String engine, String more) {
        OpenShmemOptions usual = OpenShmemOptions.defaults();
        if (engine == null) {
            return usual;
        }
        Engine named = Engine.named(engine);
        if (named == null) {
            throw new IllegalArgumentException(
                    "there is no engine '" + engine + "'; there are auto, embedded, native, mpi" + more);
        }
        return usual.engine(named);
    }
}
