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
    @Option(
            names = "--engine",
            paramLabel = "E",
            description = "embedded, or native: an OpenSHMEM library, whose PEs oshrun starts; default: what "
                    + OpenShmemOptions.VARIABLE + " says, else native under oshrun, embedded elsewhere.")
    private @Nullable String engine;

    /** Whether kernels are to run on GPUs, by themselves, which some commands can. */
    boolean isOnGpus() {
        return Ranks.NVSHMEM.equals(engine);
    }

    /** @throws ParameterException if there is no such engine, or the environment names none */
    OpenShmemOptions options(CommandSpec command) {
        return BenchOptions.understood(command, this::options);
    }

    private OpenShmemOptions options() {
        OpenShmemOptions usual = OpenShmemOptions.defaults();
        if (engine == null) {
            return usual;
        }
        Engine named = Engine.named(engine);
        if (named == null) {
            throw new IllegalArgumentException("there is no engine '" + engine + "'; there are auto, embedded, native");
        }
        return usual.engine(named);
    }
}
