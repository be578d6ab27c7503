// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import org.comm4j.core.DataType;
import org.comm4j.core.spi.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of the benchmarks of distributed arrays. */
final class ArrayBenchOptions {
    @Option(names = "--engine", paramLabel = "NAME", description = "The engine of the arrays; host by default.")
    private @Nullable String engine;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            defaultValue = "FLOAT64",
            description = "FLOAT32, FLOAT64, COMPLEX64 or COMPLEX128; FLOAT64 by default.")
    private DataType type = DataType.FLOAT64;

    @Option(
            names = "--millis",
            paramLabel = "N",
            defaultValue = "30",
            description = "Milliseconds that the calls of a round take together, about; 30 by default.")
    private int millis;

    /** Returns the engine, or exits with the usage of {@code command}. */
    Engine engine(CommandSpec command) {
        return BenchOptions.understood(command, () -> engine == null ? Engine.selected() : Engine.named(engine));
    }

    /** Returns the type of the elements. */
    DataType type() {
        return type;
    }

    /** Returns the milliseconds of a round. */
    int millis() {
        return millis;
    }
}
