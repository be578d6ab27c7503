// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.bench.moe.MoeBench;
import org.comm4j.bench.moe.MoeRow;
import org.comm4j.bench.moe.MoeSettings;
import org.comm4j.bench.moe.MoeTable;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.moe.ExpertLayout;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comm4j bench moe}: dispatch and combine of a mixture-of-experts layer. */
@Command(
        name = "moe",
        description = "Measure dispatch and combine of a mixture-of-experts layer, with the tables of pplx-kernels'"
                + " benchmarks: on GPUs, else between processes on this machine's processors.",
        footer = {
            "",
            "Several PEs share a GPU by CUDA's Multi-Process Service, where its daemon runs. Sums are looked at in the"
                    + " same run."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:Everything was measured, and all sums are right.",
            "1:Sums are wrong, or it was not measured.",
            "2:The command line is wrong."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchMoeCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--experts", paramLabel = "N", defaultValue = "256", description = "Experts; 256 by default.")
    private int experts;

    @Option(
            names = "--per-token",
            paramLabel = "N",
            defaultValue = "8",
            description = "Choices of a token; 8 by default.")
    private int perToken;

    @Option(names = "--hidden", paramLabel = "N", defaultValue = "7168", description = "Elements; 7168 by default.")
    private int hidden;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            split = ",",
            description = "Tokens of a PE in a call; 1,4,16,64,128 by default.")
    private List<Integer> tokens = List.of(1, 4, 16, 64, 128);

    @Option(
            names = "--input",
            paramLabel = "TYPE",
            defaultValue = "FP8",
            description =
                    "fp8 (with a scale for 128 elements), bf16, or quantized (bf16 that becomes fp8); fp8 by default.")
    private MoeSettings.Input input = MoeSettings.Input.FP8;

    @Option(
            names = "--dp",
            paramLabel = "N",
            defaultValue = "1",
            description = "PEs with the same tokens; 1 by default.")
    private int group;

    @Option(
            names = "--layout",
            paramLabel = "NAME",
            defaultValue = "PADDED",
            description = "padded, ragged or by_rank; padded by default.")
    private ExpertLayout layout = ExpertLayout.PADDED;

    @Option(
            names = "--ways",
            paramLabel = "WAY",
            split = ",",
            description =
                    "What is measured beside each other: kernels, and on GPUs nccl-counted, nccl-padded (of by_rank),"
                            + " nccl-gather (of the others), floor (bare kernels that move the same bytes); kernels by"
                            + " default.")
    private List<MoeSettings.Way> ways = List.of(MoeSettings.Way.KERNELS);

    @Option(
            names = {"-G", "--graph"},
            description = "Measure pairs of dispatch and combine in a captured graph, too.")
    private boolean graph;

    @Option(names = "--split", description = "Measure the halves of dispatch and combine, too.")
    private boolean split;

    @Option(
            names = "--fused",
            description = "Measure a layer with products of bf16 rows and an expert's matrix, too: in steps, and by"
                    + " kernels that send and wait themselves.")
    private boolean fused;

    @Option(
            names = "--skew",
            paramLabel = "F",
            defaultValue = "0",
            description = "Popularity of experts falls with their number to this power; 0 by default.")
    private double skew;

    @Option(names = "--same-routes", description = "All calls have the same routes, not eight sets in turn.")
    private boolean sameRoutes;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "0",
            description = "Blocks of a kernel at most; by default those that the exchange takes.")
    private int blocks;

    @Option(
            names = {"-n", "--samples"},
            paramLabel = "N",
            description = "Timed calls at most, of two seconds; 200 by default, on processors 20.")
    private @Nullable Integer samples;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of routes; 1 by default.")
    private long seed;

    @Option(names = "--cpu", description = "Measure on processors, also where there are GPUs.")
    private boolean cpu;

    @Option(names = "--ranks", paramLabel = "N", description = "PEs; one for each GPU by default, else 2.")
    private @Nullable Integer ranks;

    @Option(
            names = "--tsv",
            description = "Print tab-separated values, with the columns of pplx-kernels' benchmark in Python.")
    private boolean tsv;

    @Option(
            names = {"-J", "--json"},
            paramLabel = "FILE",
            description = "Write the results to this file, too.")
    private @Nullable Path json;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw time over tokens.")
    private @Nullable Path png;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        boolean gpus = !cpu && Nvshmem.problem() == null && Cuda.deviceCount() > 0;
        MoeSettings settings = BenchOptions.understood(
                command,
                () -> new MoeSettings(
                        experts,
                        perToken,
                        hidden,
                        tokens,
                        input,
                        group,
                        layout,
                        ways,
                        graph,
                        split,
                        fused,
                        skew,
                        sameRoutes,
                        blocks,
                        samples != null ? samples : gpus ? 200 : 20,
                        seed));
        OutputFile.check(command, "--json", json);
        OutputFile.checkPicture(command, "--png", png);
        return Ranks.run(
                command,
                "--ranks",
                ranks,
                gpus ? Math.max(Cuda.deviceCount(), 1) : 2,
                false,
                (_, here) -> {
                    if (gpus) {
                        Ranks.checkGpus(command, here, true);
                    }
                },
                world -> gpus ? onGpu(world, settings) : onCpu(world, settings));
    }

    private int onGpu(World world, MoeSettings settings) {
        try (Device device = Device.inTurn(world.localRank());
                ShmemPe pe = ShmemPe.onGpu(world, device)) {
            return measure(world, pe, settings, device.name());
        }
    }

    private int onCpu(World world, MoeSettings settings) {
        try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
            return measure(world, pe, settings, "processors");
        }
    }

    private int measure(World world, ShmemPe pe, MoeSettings settings, String where) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        boolean writes = world.rank() == 0;
        int pes = world.size();
        if (writes) {
            (tsv ? List.of(MoeTable.tsvHeader()) : MoeTable.header(settings, pes, where)).forEach(out::println);
            out.flush();
        }
        if (settings.ways().contains(MoeSettings.Way.FLOOR) && pe.onGpu()) {
            double meeting = MoeBench.meeting(world, pe, settings);
            if (writes && !tsv) {
                out.printf(Locale.ROOT, "# all PEs tell each other something once: %.2f us%n", meeting);
            }
        }
        List<MoeRow> rows = new ArrayList<>(MoeBench.run(world, pe, settings, row -> {
            if (writes) {
                out.println(tsv ? MoeTable.tsv(settings, row, pes) : MoeTable.row(settings, row, pes));
                out.flush();
            }
        }));
        try {
            if (writes && json != null) {
                Files.writeString(json, MoeTable.json(settings, rows, pes, where));
            }
            if (writes && png != null) {
                MoeTable.draw(png, settings, rows, pes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows.stream().allMatch(row -> row.wrong() == 0) ? 0 : 1;
    }
}
