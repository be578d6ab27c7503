// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comm4j invert}: inversions of seismic data on distributed arrays. */
@Command(
        name = "invert",
        description = "Invert seismic data on several ranks: post-stack data for impedance or for sparse spikes,"
                + " shots for reflectors, waves with reverberations for reflections.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            InvertPoststackCommand.class,
            InvertReflectivityCommand.class,
            InvertLsmCommand.class,
            InvertMddCommand.class
        },
        mixinStandardHelpOptions = true)
final class InvertCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Missing COMMAND: one of "
                            + String.join(", ", spec.subcommands().keySet()));
        }
    }
}
