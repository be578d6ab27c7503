// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.apps.deconvolution.Deconvolution;
import org.comm4j.apps.deconvolution.DeconvolutionSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comm4j invert mdd}: reflections below receivers from waves that have reverberations above them. */
@Command(
        name = "mdd",
        description = "Deconvolve up-going waves by down-going ones: find the reflections below the receivers.",
        footer = {
            "",
            "The waves are made of reflections of layers, by multi-dimensional convolution with a wavelet that comes"
                    + " directly and after reflections at the surface. Each rank has some of the frequencies. The"
                    + " model error is that of the reflections."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:The waves were deconvolved.", "1:They were not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class InvertMddCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--sources",
            paramLabel = "N",
            defaultValue = "40",
            description = "Sources above the receivers; default: ${DEFAULT-VALUE}.")
    private int sources;

    @Option(
            names = "--receivers",
            paramLabel = "N",
            defaultValue = "31",
            description = "Receivers; default: ${DEFAULT-VALUE}.")
    private int receivers;

    @Option(
            names = "--virtual",
            paramLabel = "N",
            defaultValue = "11",
            description = "Virtual sources, at places of receivers; default: ${DEFAULT-VALUE}.")
    private int virtual;

    @Option(
            names = "--nt",
            paramLabel = "N",
            defaultValue = "301",
            description = "Samples in time, an odd number, of which the middle one is time 0;"
                    + " default: ${DEFAULT-VALUE}.")
    private int nt;

    @Option(
            names = "--dr",
            paramLabel = "M",
            defaultValue = "15",
            description = "Distance of receivers in metres; default: ${DEFAULT-VALUE}.")
    private double dr;

    @Option(
            names = "--velocity",
            paramLabel = "M/S",
            defaultValue = "1500",
            description = "Velocity in metres per second; default: ${DEFAULT-VALUE}.")
    private double velocity;

    @Mixin
    private InvertSampling sampling = new InvertSampling();

    @Mixin
    private InvertOptions options = new InvertOptions();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        if (options.model != null) {
            throw new ParameterException(
                    command.commandLine(), "--model: this inversion has a model of its own; --seed makes another one");
        }
        DeconvolutionSettings settings = BenchOptions.understood(
                command,
                () -> new DeconvolutionSettings(
                        sources,
                        receivers,
                        virtual,
                        nt,
                        sampling.dt,
                        dr,
                        velocity,
                        sampling.frequency(InvertSampling.USUAL),
                        options.settings()));
        String title = "Deconvolution of %d sources by %d receivers with %d virtual sources, %d samples"
                .formatted(sources, receivers, virtual, nt);
        return options.run(
                command,
                receivers,
                settings.bytes(),
                title,
                (backend, watch) -> new Deconvolution(backend, settings).run(watch));
    }
}
