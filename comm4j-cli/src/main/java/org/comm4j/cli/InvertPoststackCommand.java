// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.apps.poststack.Poststack;
import org.comm4j.apps.poststack.PoststackSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comm4j invert poststack}: impedance from a seismic volume. */
@Command(
        name = "poststack",
        description = "Invert post-stack seismic data for acoustic impedance, from a smooth background.",
        footer = {
            "",
            "The data are made of the model by a Ricker wavelet. The volume is divided along its first axis. The model"
                    + " error is the root of the mean square of the impedance's relative error."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:The data were inverted.", "1:They were not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class InvertPoststackCommand implements Callable<Integer> {
    private static final long NY = 20;
    private static final long NX = 120;
    private static final long NT = 200;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--ny", paramLabel = "N", description = "Lines of traces; default: " + NY + ".")
    private @Nullable Long ny;

    @Option(names = "--nx", paramLabel = "N", description = "Traces of a line; default: " + NX + ".")
    private @Nullable Long nx;

    @Option(names = "--nt", paramLabel = "N", description = "Samples of a trace; default: " + NT + ".")
    private @Nullable Long nt;

    @Option(
            names = "--dt",
            paramLabel = "S",
            defaultValue = "0.004",
            description = "Sampling interval in seconds; default: ${DEFAULT-VALUE}.")
    private double dt;

    @Option(
            names = "--frequency",
            paramLabel = "HZ",
            defaultValue = "20",
            description = "Central frequency of the wavelet; default: ${DEFAULT-VALUE}.")
    private double frequency;

    @Option(
            names = "--laplacian",
            paramLabel = "X",
            defaultValue = "0.1",
            description =
                    "Weight of the model's Laplacian in what is minimised, 0 for none; default: ${DEFAULT-VALUE}.")
    private double laplacian;

    @Mixin
    private InvertOptions options = new InvertOptions();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PoststackSettings settings = BenchOptions.understood(
                command, () -> new PoststackSettings(shape(command), dt, frequency, laplacian, options.settings()));
        String title = "Post-stack inversion of " + settings.size() + " samples";
        return options.run(
                command,
                settings.shape()[0],
                settings.bytes(),
                title,
                (backend, watch) -> new Poststack(backend, settings).run(watch));
    }

    private long[] shape(CommandSpec command) {
        if (options.model == null) {
            return new long[] {ny == null ? NY : ny, nx == null ? NX : nx, nt == null ? NT : nt};
        }
        if (ny != null || nx != null || nt != null) {
            throw new ParameterException(
                    command.commandLine(), "--ny, --nx and --nt: the model's file has its own sizes; leave them out");
        }
        return options.modelShape(command, options.model);
    }
}
