// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.array.Backend;
import org.comm4j.bench.operators.MatmulBench;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.comm4j.math.Compute;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comm4j bench matmul}: products of distributed matrices beside those of the BLAS. */
@Command(
        name = "matmul",
        description =
                "Measure products of distributed matrices (SUMMA) beside those of the BLAS alone, on one rank or, under"
                        + " \"comm4j run\", on several.",
        footer = {"", "On a GPU with --engine nccl, else on processors."},
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:Everything was measured.", "1:It was not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchMatmulCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ArrayBenchOptions options = new ArrayBenchOptions();

    @Option(
            names = {"-n", "--sizes"},
            paramLabel = "N",
            split = ",",
            defaultValue = "512,1024,2048",
            description = "Rows and columns of the matrices; 512,1024,2048 by default.")
    private List<Long> sizes = List.of();

    @Option(
            names = "--grid-rows",
            paramLabel = "N",
            defaultValue = "0",
            description = "Rows of the grid of ranks; by default those of the grid nearest to a square.")
    private int gridRows;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds of which the fastest counts; 5 by default.")
    private int rounds;

    @Option(names = "--no-overlap", description = "Let elements travel before ranks compute instead of meanwhile.")
    private boolean inOrder;

    @Option(names = "--stationary", description = "Let the blocks of the matrix stay instead of those of the product.")
    private boolean stationary;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        BenchOptions.understood(command, () -> {
            Compute.check("--type", options.type());
            return options.type();
        });
        Engine chosen = options.engine(command);
        PrintWriter out = command.commandLine().getOut();
        try (World world = World.join();
                Communicator comm = chosen.communicator(world);
                Backend backend = Backend.of(comm)) {
            backend.overlap(!inOrder);
            MatmulBench bench = BenchOptions.understood(
                    command, () -> new MatmulBench(backend, gridRows, stationary, rounds, options.millis()));
            boolean writes = backend.rank() == 0;
            if (writes) {
                out.println(bench.header());
            }
            for (long n : sizes) {
                String line = BenchOptions.understood(command, () -> bench.measure(n, options.type()));
                if (writes) {
                    out.println(line);
                    out.flush();
                }
            }
        }
        return 0;
    }
}
