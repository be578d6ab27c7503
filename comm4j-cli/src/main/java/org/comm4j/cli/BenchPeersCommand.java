// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.bench.Operation;
import org.comm4j.bench.PeerBench;
import org.comm4j.bench.Sizes;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.comm4j.nccl.NcclEngine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bench peers}: collectives that are kernels of comm4j, beside NCCL. */
@Command(
        name = "peers",
        description = {
            "Measure collectives that are kernels in Java over peer pointers, beside NCCL with and without symmetric windows, in turn in one run.",
            "OPERATION: all_reduce, reduce_scatter, all_gather, alltoall; several with commas between them; or all, which is the default."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchPeersCommand implements Callable<Integer> {
    private static final List<Operation> ALL =
            List.of(Operation.ALL_REDUCE, Operation.REDUCE_SCATTER, Operation.ALL_GATHER, Operation.ALL_TO_ALL);

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "OPERATION", arity = "0..1", description = "What to measure.")
    private String operations = "all";

    @Option(
            names = {"-b", "--minbytes"},
            paramLabel = "SIZE",
            description = "Smallest size (suffixes K, M, G); 8 by default.")
    private String smallest = "8";

    @Option(
            names = {"-e", "--maxbytes"},
            paramLabel = "SIZE",
            description = "Largest size; 128M by default.")
    private String largest = "128M";

    @Option(
            names = {"-f", "--stepfactor"},
            paramLabel = "N",
            description = "Each size is so many times the one before; 4 by default.")
    private int factor = 4;

    @Option(names = "--sizes", paramLabel = "SIZE", split = ",", description = "Sizes instead of a series: 8,64K,2M.")
    private List<String> sizes = List.of();

    @Option(
            names = {"-d", "--datatype"},
            paramLabel = "TYPE",
            description = "float32, float16, bfloat16 or int32; float32 by default.")
    private String type = "float32";

    @Option(
            names = {"-G", "--graph"},
            description = "Measure calls in captured graphs.")
    private boolean graph;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often all columns are measured; the least time of each counts; 5 by default.")
    private int rounds = 5;

    @Option(
            names = "--ways",
            paramLabel = "WAY",
            split = ",",
            description =
                    "Columns: nccl, nccl-r2 (with symmetric windows), one-shot, two-shot, direct, auto. Each may be followed by"
                            + " settings and the sizes that it is for: two-shot/push-threads=512/from=64K/to=8M. Settings: word-bytes,"
                            + " one-shot-bytes, two-shot-bytes, direct-bytes, scatter-bytes, move-bytes, least-threads, word-threads,"
                            + " push-threads, direct-blocks, direct-threads, direct-unroll, overlap. Further words: graph, type=TYPE,"
                            + " on=OPERATION.")
    private List<String> ways = PeerBench.WAYS;

    @Option(
            names = {"--ranks"},
            paramLabel = "N",
            description = "Number of ranks; default: one for each GPU.")
    private @Nullable Integer ranks;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PeerBench.Job job = BenchOptions.understood(
                command,
                () -> new PeerBench.Job(
                        chosen(),
                        sizes.isEmpty()
                                ? Sizes.series(Sizes.parse(smallest), Sizes.parse(largest), factor, 0)
                                : sizes.stream().map(Sizes::parse).toList(),
                        PeerBench.type(type),
                        graph,
                        rounds,
                        ways));
        for (String engine : List.of(Ranks.NVSHMEM, NcclEngine.NAME)) {
            Engine ignored = Ranks.ready(Engine.named(engine));
        }
        return Ranks.run(
                command,
                "--ranks",
                ranks,
                Math.max(Cuda.deviceCount(), 1),
                false,
                (_, here) -> Ranks.checkGpus(command, here, false),
                world -> PeerBench.run(world, job, command.commandLine().getOut()));
    }

    private List<Operation> chosen() {
        if (operations.equals("all")) {
            return ALL;
        }
        List<Operation> chosen = new ArrayList<>();
        for (String name : operations.split(",", -1)) {
            chosen.add(ALL.stream()
                    .filter(each -> each.toString().equals(name)
                            || each.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("operation '" + name
                            + "' is not one of all_reduce, reduce_scatter, all_gather, alltoall")));
        }
        return chosen;
    }
}
