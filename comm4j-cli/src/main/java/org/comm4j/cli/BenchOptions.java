// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.comm4j.bench.Platform;
import org.comm4j.bench.Plot;
import org.comm4j.bench.Row;
import org.comm4j.bench.Sizes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The options that benchmarks of communication have in common, with the names of nccl-tests and of NVSHMEM's perftests;
 * what is not given is null, and the commands say what they take then.
 */
final class BenchOptions {
    @Option(
            names = {"-b", "--minbytes", "--min_size"},
            paramLabel = "SIZE",
            description = "Smallest size (suffixes K, M, G).")
    private @Nullable String minSize;

    @Option(
            names = {"-e", "--maxbytes", "--max_size"},
            paramLabel = "SIZE",
            description = "Largest size.")
    private @Nullable String maxSize;

    @Option(
            names = {"-f", "--stepfactor", "--step"},
            paramLabel = "N",
            description = "Each size is so many times the one before; 2 by default.")
    @Nullable
    Integer factor;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Timed calls of each size.")
    @Nullable
    Integer iterations;

    @Option(
            names = {"-w", "--warmup_iters"},
            paramLabel = "N",
            defaultValue = "5",
            description = "Calls for warming up, at least; 5 by default.")
    int warmup;

    @Option(
            names = "--warmup-time",
            paramLabel = "MS",
            description = "How long calls that are not timed go on before, so that they are compiled, in milliseconds.")
    private @Nullable Double warmupTime;

    @Option(
            names = {"-d", "--datatype"},
            paramLabel = "TYPE",
            description = "Element type.")
    private @Nullable String type;

    @Option(
            names = {"-o", "--op", "--reduce_op"},
            paramLabel = "OP",
            defaultValue = "sum",
            description = "Reduction; sum by default.")
    String reduction = "";

    @Option(names = "--ranks", paramLabel = "N", description = "Ranks, each a process of this machine.")
    @Nullable
    Integer ranks;

    @Option(
            names = {"-J", "--json", "--output_file"},
            paramLabel = "FILE",
            description = "Write the results to this file, too.")
    private @Nullable Path json;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the results.")
    private @Nullable Path png;

    @Nullable
    Long min() {
        return minSize == null ? null : Sizes.parse(minSize);
    }

    @Nullable
    Long max() {
        return maxSize == null ? null : Sizes.parse(maxSize);
    }

    String type(String usual) {
        return type == null ? usual : type;
    }

    /**
     * @throws IllegalArgumentException if it is no time
     */
    Duration warmupTime(Duration usual) {
        if (warmupTime == null) {
            return usual;
        }
        if (!(warmupTime >= 0 && warmupTime <= 60_000)) {
            throw new IllegalArgumentException("--warmup-time " + warmupTime + ": 0 to 60000 milliseconds");
        }
        return Duration.ofNanos((long) (warmupTime * 1e6));
    }

    /**
     * Looks at what can be looked at before anything runs.
     *
     * @param what is measured, for messages
     * @param sized whether it is measured at several sizes
     */
    void check(CommandSpec command, String what, boolean sized) {
        OutputFile.check(command, "--json", json);
        OutputFile.checkPicture(command, "--png", png);
        if (png != null && !sized) {
            throw new ParameterException(
                    command.commandLine(), "--png: there is nothing to draw, " + what + " has one size only");
        }
        if (ranks != null && ranks < 1) {
            throw new ParameterException(command.commandLine(), "--ranks " + ranks + ": at least 1 is needed");
        }
    }

    /** Writes the files that were asked for. */
    void write(Platform platform, List<Row> rows, Supplier<String> report) {
        try {
            if (json != null) {
                Files.writeString(json, report.get());
            }
            if (png != null) {
                Plot.write(png, platform, rows);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the results: " + e, e);
        }
    }

    /** What reading the command line gives; what is wrong with it is said with how to use it. */
    static <T> T understood(CommandSpec command, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), Objects.requireNonNullElse(e.getMessage(), "?"), e);
        }
    }
}
