// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.apps.migration.Migration;
import org.comm4j.apps.migration.MigrationSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comm4j invert lsm}: reflectors from shots. */
@Command(
        name = "lsm",
        description = "Migrate shots by least squares: find the reflectors that give them.",
        footer = {
            "",
            "The shots are made of the model's reflectivity by Kirchhoff demigration with straight rays. Each rank has"
                    + " some of the sources. The model error is that of the reflectivity, whose thin layers have"
                    + " frequencies that the wavelet has not."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:The shots were migrated.", "1:They were not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class InvertLsmCommand implements Callable<Integer> {
    private static final int NX = 120;
    private static final int NZ = 80;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--nx", paramLabel = "N", description = "Points along the surface; default: " + NX + ".")
    private @Nullable Integer nx;

    @Option(names = "--nz", paramLabel = "N", description = "Points downwards; default: " + NZ + ".")
    private @Nullable Integer nz;

    @Option(
            names = "--dx",
            paramLabel = "M",
            defaultValue = "10",
            description = "Distance of points in metres; default: ${DEFAULT-VALUE}.")
    private double dx;

    @Option(
            names = "--velocity",
            paramLabel = "M/S",
            defaultValue = "2000",
            description = "Velocity in metres per second; default: ${DEFAULT-VALUE}.")
    private double velocity;

    @Option(
            names = "--sources",
            paramLabel = "N",
            defaultValue = "8",
            description = "Sources at the surface; default: ${DEFAULT-VALUE}.")
    private int sources;

    @Option(
            names = "--receivers",
            paramLabel = "N",
            defaultValue = "24",
            description = "Receivers at the surface; default: ${DEFAULT-VALUE}.")
    private int receivers;

    @Option(
            names = "--nt",
            paramLabel = "N",
            defaultValue = "0",
            description = "Samples in time; default: those of the farthest reflection.")
    private int nt;

    @Option(
            names = "--aperture",
            paramLabel = "X",
            defaultValue = "0",
            description = "Leave out points whose depth is less than the offset by this; 0, the default, for none.")
    private double aperture;

    @Option(
            names = "--angle",
            paramLabel = "DEG",
            defaultValue = "90",
            description = "Leave out points beyond this angle from the vertical; 90, the default, for none.")
    private double angle;

    @Mixin
    private InvertSampling sampling = new InvertSampling();

    @Mixin
    private InvertOptions options = new InvertOptions();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        int[] shape = shape(command);
        MigrationSettings settings = BenchOptions.understood(
                command,
                () -> new MigrationSettings(
                        shape[0],
                        shape[1],
                        dx,
                        velocity,
                        sources,
                        receivers,
                        nt,
                        sampling.dt,
                        sampling.frequency(InvertSampling.MIGRATION),
                        aperture,
                        angle,
                        options.settings()));
        String title = "Least-squares migration of %d shots with %d receivers to %d x %d points"
                .formatted(sources, receivers, shape[0], shape[1]);
        return options.run(
                command,
                sources,
                settings.bytes(),
                title,
                (backend, watch) -> new Migration(backend, settings).run(watch));
    }

    private int[] shape(CommandSpec command) {
        if (options.model == null) {
            return new int[] {nx == null ? NX : nx, nz == null ? NZ : nz};
        }
        if (nx != null || nz != null) {
            throw new ParameterException(
                    command.commandLine(), "--nx and --nz: the model's file has its own sizes; leave them out");
        }
        long[] shape = options.modelShape(command, options.model);
        if (shape.length != 2 || shape[0] > Integer.MAX_VALUE || shape[1] > Integer.MAX_VALUE) {
            throw new ParameterException(
                    command.commandLine(),
                    "--model " + options.model + ": it has " + shape.length + " dimensions; x and depth are needed");
        }
        return new int[] {(int) shape[0], (int) shape[1]};
    }
}
