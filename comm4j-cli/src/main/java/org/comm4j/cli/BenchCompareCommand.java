// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.bench.Comparison;
import org.comm4j.bench.Statistic;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bench compare}: two files of results side by side. */
@Command(
        name = "compare",
        description = {
            "Print two files of results side by side; a ratio above 1 means that B is faster.",
            "A file is what --json wrote, what a program of nccl-tests printed, or what it wrote with -J, or what perftests of NVSHMEM"
                    + " printed, one or several."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:B reaches the threshold, or there is none.",
            "1:B does not, at one size at least, or a file cannot be read.",
            "2:The command line is wrong."
        },
        mixinStandardHelpOptions = true)
final class BenchCompareCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A.json", description = "What B is compared with.")
    private @Nullable Path first;

    @Parameters(index = "1", paramLabel = "B.json", description = "What is compared.")
    private @Nullable Path second;

    @Option(
            names = "--threshold",
            paramLabel = "RATIO",
            description = "The least A/B that is good enough, such as 0.97; none by default.")
    private double threshold;

    @Option(
            names = "--large-threshold",
            paramLabel = "RATIO",
            description = "The same from 1 MiB on; that of --threshold by default.")
    private @Nullable Double largeThreshold;

    @Option(
            names = "--of",
            paramLabel = "STATISTIC",
            defaultValue = "median",
            description =
                    "What counts of several rows about the same: median or least; median by default. Least is for machines whose"
                            + " processors are shared with others.")
    private String statistic = "";

    @Option(names = "--markdown", description = "Print a table with a column for each size, in Markdown.")
    private boolean markdown;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw how many times faster B is, over the size.")
    private @Nullable Path png;

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        OutputFile.checkPicture(command, "--png", png);
        PrintWriter out = command.commandLine().getOut();
        Comparison.Bar bar;
        Statistic of;
        try {
            bar = new Comparison.Bar(threshold, largeThreshold == null ? threshold : largeThreshold);
            of = Statistic.named(statistic);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
        Comparison comparison = Comparison.of(file(first), file(second), bar, of);
        (markdown ? comparison.markdown() : comparison.lines()).forEach(out::println);
        if (png != null) {
            comparison.draw(png);
        }
        return comparison.missed() == 0 ? 0 : 1;
    }

    private static Path file(@Nullable Path given) {
        Path file = Objects.requireNonNull(given);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("there is no file " + file);
        }
        return file;
    }
}
