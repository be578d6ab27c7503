// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.comm4j.array.Backend;
import org.comm4j.bench.operators.GemmBench;
import org.comm4j.bench.operators.MatmulBench;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.math.Compute;
import org.comm4j.math.Gemm;
import org.comm4j.math.Transpose;
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
        footer = {
            "",
            "On a GPU with --engine nccl, else on processors.",
            "Of BFLOAT16, FLOAT16, FLOAT8_E4M3 and FLOAT8_E5M2, products of tensor cores on the first GPU, beside"
                    + " cuBLASLt's, in all forms that tensor cores read."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:Everything was measured.", "1:It was not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchMatmulCommand implements Callable<Integer> {
    private static final Set<DataType> SMALL =
            EnumSet.of(DataType.BFLOAT16, DataType.FLOAT16, DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2);

    /** Columns and summed indices of the two products of a layer of experts. */
    private static final int[][] EXPERT = {{2048, 7168}, {7168, 2048}};

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

    @Option(
            names = "--cluster",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of tensor cores: blocks that share columns of B, 1 or 2; 1 by default.")
    private int cluster;

    @Option(
            names = "--group",
            paramLabel = "N",
            defaultValue = "8",
            description = "Of tensor cores: rows of tiles that are taken together; 8 by default.")
    private int group;

    @Option(
            names = "--experts",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Of tensor cores: products of a layer of N experts instead, 128 to 4096 rows each, 2048 x 7168"
                            + " and back.")
    private int experts;

    @Option(
            names = "--epilogue",
            description = "Of tensor cores: a product of bf16 with a bias and max(x, 0) instead, beside one without.")
    private boolean epilogue;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        if (SMALL.contains(options.type())) {
            return tensorCores(command);
        }
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

    /** Measures products of small types on one GPU. */
    private int tensorCores(CommandSpec command) {
        String problem = Cuda.problem();
        if (problem != null) {
            throw new IllegalStateException("--type " + options.type() + " needs a GPU: " + problem);
        }
        Gemm.Schedule schedule = BenchOptions.understood(command, () -> new Gemm.Schedule(cluster, group));
        PrintWriter out = command.commandLine().getOut();
        try (Device device = Device.of(0);
                GemmBench bench =
                        BenchOptions.understood(command, () -> new GemmBench(device, rounds, options.millis()))) {
            out.println(bench.header());
            if (experts > 0) {
                for (int[] shape : EXPERT) {
                    out.println(BenchOptions.<String>understood(
                            command,
                            () -> bench.measureExperts(experts, shape[0], shape[1], options.type(), schedule)));
                    out.flush();
                }
                return 0;
            }
            if (epilogue) {
                for (long n : sizes) {
                    String line = BenchOptions.understood(command, () -> bench.measureEpilogue(Math.toIntExact(n)));
                    out.println(line);
                    out.flush();
                }
                return 0;
            }
            for (long n : sizes) {
                for (Transpose a : Transpose.values()) {
                    for (Transpose b : Transpose.values()) {
                        boolean isSmall = options.type().bytes() == 1;
                        if (a == Transpose.CONJUGATE || b == Transpose.CONJUGATE) {
                            continue;
                        }
                        if (isSmall && (a != Transpose.NONE || b == Transpose.NONE)) {
                            continue;
                        }
                        DataType result = isSmall ? DataType.BFLOAT16 : options.type();
                        String line = BenchOptions.understood(
                                command,
                                () -> bench.measure(Math.toIntExact(n), options.type(), result, a, b, schedule));
                        out.println(line);
                        out.flush();
                    }
                }
            }
        }
        return 0;
    }
}
