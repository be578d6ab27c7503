// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.bench.operators.AttentionBench;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comm4j bench attention}: softmax(Q K^T) V by a kernel on tensor cores. */
@Command(
        name = "attention",
        description = "Measure attention by a kernel on tensor cores, heads of 128 elements of bf16, on the first GPU.",
        footer = {"", "It needs a GPU of compute capability 9.0."},
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:Everything was measured.", "1:It was not.", "2:The command line is wrong."},
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchAttentionCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-n", "--lengths"},
            paramLabel = "N",
            split = ",",
            defaultValue = "4096,8192,16384",
            description = "Queries and keys of a head; 4096,8192,16384 by default.")
    private List<Integer> lengths = List.of();

    @Option(
            names = "--queries",
            paramLabel = "N",
            defaultValue = "262144",
            description = "Queries of all heads together, by which their number is chosen; 262144 by default.")
    private int queries;

    @Option(names = "--no-turns", description = "Let warpgroups start products whenever they can.")
    private boolean noTurns;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds of which the median counts; 5 by default.")
    private int rounds;

    @Option(
            names = "--millis",
            paramLabel = "N",
            defaultValue = "100",
            description = "Milliseconds that the calls of a round take together, about; 100 by default.")
    private int millis;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        String problem = Cuda.problem();
        if (problem != null) {
            throw new IllegalStateException("bench attention needs a GPU: " + problem);
        }
        PrintWriter out = command.commandLine().getOut();
        try (Device device = Device.of(0);
                AttentionBench bench =
                        BenchOptions.understood(command, () -> new AttentionBench(device, rounds, millis))) {
            out.println(bench.header());
            for (int length : lengths) {
                for (boolean causal : new boolean[] {false, true}) {
                    String line = BenchOptions.<String>understood(
                            command,
                            () -> bench.measure(Math.max(1, queries / Math.max(1, length)), length, causal, !noTurns));
                    out.println(line);
                    out.flush();
                }
            }
        }
        return 0;
    }
}
