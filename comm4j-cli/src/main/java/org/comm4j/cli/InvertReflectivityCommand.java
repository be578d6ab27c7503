// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.apps.reflectivity.Reflectivity;
import org.comm4j.apps.reflectivity.ReflectivitySettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comm4j invert reflectivity}: sparse spikes from a seismic volume. */
@Command(
        name = "reflectivity",
        description = "Find the few reflectors whose spikes give the traces of a seismic volume, by FISTA.",
        footer = {
            "",
            "The data are made of the model's reflectivity by a Ricker wavelet. The volume is divided along its first"
                    + " axis. The model error is that of the reflectivity, of which zeros have 1."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:The data were inverted.", "1:They were not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class InvertReflectivityCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private InvertVolume volume = new InvertVolume();

    @Mixin
    private InvertSampling sampling = new InvertSampling();

    @Option(
            names = "--sparsity",
            paramLabel = "X",
            defaultValue = "0.01",
            description = "Weight of the 1-norm, by the smallest one of which zeros are the solution;"
                    + " default: ${DEFAULT-VALUE}.")
    private double sparsity;

    @Mixin
    private InvertOptions options = new InvertOptions();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        ReflectivitySettings settings = BenchOptions.understood(
                command,
                () -> new ReflectivitySettings(
                        volume.shape(command, options),
                        sampling.dt,
                        sampling.frequency(InvertSampling.USUAL),
                        sparsity,
                        options.settings()));
        return options.run(
                command,
                settings.shape().lengths()[0],
                settings.bytes(),
                "Sparse spikes of " + settings.shape() + " samples",
                (backend, watch) -> new Reflectivity(backend, settings).run(watch));
    }
}
