// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.array.Backend;
import org.comm4j.bench.operators.FftBench;
import org.comm4j.bench.operators.FftShape;
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

/** {@code comm4j bench fft}: Fourier transforms of distributed arrays beside those of a library alone. */
@Command(
        name = "fft",
        description =
                "Measure Fourier transforms of distributed arrays (FFTND) beside the bare transforms of the same lines,"
                        + " on one rank or, under \"comm4j run\", on several.",
        footer = {"", "On a GPU with --engine nccl, where cuFFT transforms, else on processors."},
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:Everything was measured.", "1:It was not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchFftCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ArrayBenchOptions options = new ArrayBenchOptions();

    @Option(
            names = {"-n", "--shapes"},
            paramLabel = "SHAPE",
            split = ",",
            defaultValue = "64*360,64*1000,64*1021,64*1024,512x512,128x128x128,1048576",
            description = "Arrays, as N, NxN or NxNxN; K*N for K lines of N.")
    private List<String> shapes = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds of which the fastest counts; 5 by default.")
    private int rounds;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        List<FftShape> wanted = BenchOptions.understood(command, () -> {
            Compute.check("--type", options.type());
            List<FftShape> all = new ArrayList<>();
            shapes.forEach(text -> all.add(FftShape.of(text)));
            return all;
        });
        Engine chosen = options.engine(command);
        PrintWriter out = command.commandLine().getOut();
        try (World world = World.join();
                Communicator comm = chosen.communicator(world);
                Backend backend = Backend.of(comm)) {
            FftBench bench = BenchOptions.understood(command, () -> new FftBench(backend, rounds, options.millis()));
            boolean writes = backend.rank() == 0;
            if (writes) {
                out.println(bench.header());
            }
            for (FftShape shape : wanted) {
                String line = bench.measure(shape, options.type());
                if (writes) {
                    out.println(line);
                    out.flush();
                }
            }
        }
        return 0;
    }
}
