// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.apps.poststack.Poststack;
import org.comm4j.apps.poststack.PoststackSettings;
import org.comm4j.apps.poststack.Regularization;
import org.comm4j.apps.poststack.Regularization.Method;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
    private static final double LAPLACIAN = 0.1;
    private static final double VARIATION = 0.001;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private InvertVolume volume = new InvertVolume();

    @Mixin
    private InvertSampling sampling = new InvertSampling();

    @Option(
            names = "--laplacian",
            paramLabel = "X",
            description = "Weight of the model's Laplacian in what is minimised, 0 for none; default: " + LAPLACIAN
                    + ", without --tv.")
    private @Nullable Double laplacian;

    @Option(
            names = "--tv",
            paramLabel = "X",
            defaultValue = "0",
            arity = "0..1",
            fallbackValue = "" + VARIATION,
            description = "Weight of the model's total variation, for a model of blocks; without X " + VARIATION + ".")
    private double variation;

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            description = "Solver with total variation, admm or primal-dual; default: primal-dual.")
    private @Nullable String solver;

    @Mixin
    private InvertOptions options = new InvertOptions();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PoststackSettings settings = BenchOptions.understood(
                command,
                () -> new PoststackSettings(
                        volume.shape(command, options),
                        sampling.dt,
                        sampling.frequency(InvertSampling.USUAL),
                        regularization(),
                        options.settings()));
        return options.run(
                command,
                settings.shape().lengths()[0],
                settings.bytes(),
                "Post-stack inversion of " + settings.shape() + " samples",
                (backend, watch) -> new Poststack(backend, settings).run(watch));
    }

    private Regularization regularization() {
        if (solver != null && variation == 0) {
            throw new IllegalArgumentException("--solver " + solver + ": it is of --tv; least squares are CGLS");
        }
        Method method = switch (solver == null ? "primal-dual" : solver) {
            case "primal-dual" -> Method.PRIMAL_DUAL;
            case "admm" -> Method.ADMM;
            default -> throw new IllegalArgumentException("--solver " + solver + ": admm or primal-dual");
        };
        double weight = laplacian != null ? laplacian : variation == 0 ? LAPLACIAN : 0;
        return new Regularization(weight, variation, method);
    }
}
