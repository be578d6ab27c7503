// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;
import org.comm4j.bench.PerftestTable;
import org.comm4j.bench.Platform;
import org.comm4j.bench.Row;
import org.comm4j.bench.Table;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What the commands for NVSHMEM's perftests have in common: the tests that are asked for, the PEs that run them, rows
 * that are printed as they come.
 */
abstract class PerftestCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "TEST", description = "What to measure.")
    private String test = "";

    @Mixin
    BenchOptions options = new BenchOptions();

    /** What a table is made of. */
    record Lines(
            Function<Platform, List<String>> header, Function<Row, List<String>> columns, Function<Row, String> row) {}

    final CommandSpec command() {
        return Objects.requireNonNull(spec);
    }

    /** All tests that are asked for, in this order. */
    final <T> List<T> tests(Function<String, List<T>> named) {
        return Arrays.stream(test.split(","))
                .flatMap(name -> named.apply(name).stream())
                .toList();
    }

    /**
     * Looks at what can be looked at before anything runs, and runs {@code body} on every PE.
     *
     * @param sized whether there is a test of several sizes
     * @param onGpus whether PEs are GPUs, with NVSHMEM
     * @param pairs whether the usual number of PEs is two, rather than that of the GPUs
     * @param check throws if the tests are not for that many PEs
     */
    final int run(boolean sized, boolean onGpus, boolean pairs, IntConsumer check, ToIntFunction<World> body) {
        options.check(command(), test, sized);
        if (onGpus) {
            Engine ignored = Ranks.ready(Engine.named(Ranks.NVSHMEM));
        }
        return Ranks.run(
                command(),
                "--ranks",
                options.ranks,
                pairs || !onGpus ? 2 : Math.max(Cuda.deviceCount(), 1),
                false,
                (size, here) -> {
                    BenchOptions.understood(command(), () -> {
                        check.accept(size);
                        return size;
                    });
                    if (onGpus) {
                        Ranks.checkGpus(command(), here, true);
                    }
                },
                body);
    }

    /**
     * Runs the tests on this PE, and on PE 0 prints what comes out and writes the files.
     *
     * @param tests gets what gets, from what all run on, what gets each row as soon as there is one; its result is all
     *     rows
     * @param json the file from all rows
     * @return the exit code
     */
    final int measure(
            World world,
            Lines lines,
            Function<Function<Platform, Consumer<Row>>, List<Row>> tests,
            BiFunction<Platform, List<Row>, String> json) {
        PrintWriter out = command().commandLine().getOut();
        AtomicReference<@Nullable Platform> where = new AtomicReference<>();
        AtomicReference<@Nullable Row> last = new AtomicReference<>();
        List<Row> rows = tests.apply(platform -> {
            where.set(platform);
            if (world.rank() == 0) {
                lines.header.apply(platform).forEach(out::println);
            }
            return row -> {
                Row before = last.getAndSet(row);
                if (before == null || !before.operation().equals(row.operation()) || before.type() != row.type()) {
                    lines.columns.apply(row).forEach(out::println);
                }
                out.println(lines.row.apply(row));
                out.flush();
            };
        });
        if (world.rank() == 0) {
            PerftestTable.footer(rows).forEach(out::println);
            out.flush();
            Platform platform = Objects.requireNonNull(where.get());
            options.write(platform, rows, () -> json.apply(platform, rows));
        }
        return Table.outOfBounds(rows) == 0 ? 0 : 1;
    }
}
