// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import org.comm4j.apps.VolumeShape;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The volume of inversions of traces: its lengths, or those of a model's file. */
final class InvertVolume {
    private static final long NY = 20;
    private static final long NX = 120;
    private static final long NT = 200;

    @Option(names = "--ny", paramLabel = "N", description = "Lines of traces; default: " + NY + ".")
    private @Nullable Long ny;

    @Option(names = "--nx", paramLabel = "N", description = "Traces of a line; default: " + NX + ".")
    private @Nullable Long nx;

    @Option(names = "--nt", paramLabel = "N", description = "Samples of a trace; default: " + NT + ".")
    private @Nullable Long nt;

    /** Returns the shape. */
    VolumeShape shape(CommandSpec command, InvertOptions options) {
        if (options.model == null) {
            return VolumeShape.of(ny == null ? NY : ny, nx == null ? NX : nx, nt == null ? NT : nt);
        }
        if (ny != null || nx != null || nt != null) {
            throw new ParameterException(
                    command.commandLine(), "--ny, --nx and --nt: the model's file has its own sizes; leave them out");
        }
        return VolumeShape.of(options.modelShape(command, options.model));
    }
}
