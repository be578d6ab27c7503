// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.array.Backend;
import org.comm4j.bench.operators.OperatorBench;
import org.comm4j.bench.operators.OperatorRow;
import org.comm4j.bench.operators.OperatorSettings;
import org.comm4j.bench.operators.OperatorTable;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comm4j bench operators}: vector algebra and linear operators beside a copy. */
@Command(
        name = "operators",
        description =
                "Measure vector algebra and linear operators beside a copy of as many elements, on one rank or, under"
                        + " \"comm4j run\", on several.",
        footer = {"", "On a GPU with --engine nccl, else on processors."},
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:Everything was measured.", "1:It was not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchOperatorsCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ArrayBenchOptions options = new ArrayBenchOptions();

    @Option(
            names = {"-n", "--rows"},
            paramLabel = "N",
            defaultValue = "4096",
            description = "Rows and columns of arrays and matrices; 4096 by default.")
    private long rows;

    @Option(
            names = "--edge",
            paramLabel = "N",
            defaultValue = "256",
            description = "Rows, columns and planes of cubes; 256 by default.")
    private long edge;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds of which the median counts; 5 by default.")
    private int rounds;

    @Option(names = "--no-overlap", description = "Let elements travel before ranks compute instead of meanwhile.")
    private boolean inOrder;

    @Option(
            names = "--warmup-time",
            paramLabel = "MILLIS",
            defaultValue = "300",
            description = "Milliseconds of calls before those that are measured; 300 by default.")
    private int warmup;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description = "Measure operations whose names have this text, such as \"CG iteration\", and copies; may be"
                    + " given several times.")
    private List<String> only = List.of();

    @Option(names = "--all", description = "Measure the less common operators, too.")
    private boolean all;

    @Option(
            names = {"-J", "--json"},
            paramLabel = "FILE",
            description = "Write the results to this file, too.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        OperatorSettings settings = BenchOptions.understood(
                command,
                () -> new OperatorSettings(rows, edge, rounds, options.millis(), warmup, options.type(), all, only));
        Engine chosen = options.engine(command);
        OutputFile.check(command, "--json", json);
        PrintWriter out = command.commandLine().getOut();
        try (World world = World.join();
                Communicator comm = chosen.communicator(world);
                Backend backend = Backend.of(comm)) {
            backend.overlap(!inOrder);
            boolean writes = backend.rank() == 0;
            if (writes) {
                OperatorTable.header(backend, settings).forEach(out::println);
            }
            List<OperatorRow> measured = OperatorBench.run(backend, settings, row -> {
                if (writes) {
                    out.println(OperatorTable.row(row));
                    out.flush();
                }
            });
            if (writes && json != null) {
                Files.writeString(json, OperatorTable.json(backend, settings, measured));
            }
        }
        return 0;
    }
}
