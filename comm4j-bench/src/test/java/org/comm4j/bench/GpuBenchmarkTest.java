// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.bench.Settings.Details;
import org.comm4j.bench.Settings.Issue;
import org.comm4j.bench.Settings.Registration;
import org.comm4j.bench.Settings.Waiting;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.nccl.CtaPolicy;
import org.comm4j.nccl.Nccl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All operations in all ways of issuing them, on all GPUs of the machine and one process; every element is checked. */
@Tag("gpu")
class GpuBenchmarkTest {
    private static final List<Operation> OPERATIONS = Arrays.stream(Operation.values())
            .filter(operation -> !operation.isOneSided())
            .toList();

    /** A limit, times of each of 4 iterations without the first, misaligned buffers, NCCL's most frugal way. */
    private static final Details ALL_DETAILS = details(1, CtaPolicy.ZERO);

    private static Details details(int unaligned, @Nullable CtaPolicy policy) {
        return new Details(Duration.ofSeconds(20), true, 1, unaligned, false, policy, true, true);
    }

    private static void needsGpus() {
        String problem = Nccl.problem();
        assumeTrue(problem == null, problem);
    }

    private static Settings settings(List<DataType> types, List<ReduceOp> reductions, Issue issue) {
        return new Settings(
                OPERATIONS,
                List.of(0L, 8L, 1000L, 300_000L),
                types,
                reductions,
                0,
                4,
                1,
                Duration.ZERO,
                Duration.ofMillis(1),
                1,
                1,
                1,
                Settings.Average.MEAN,
                true,
                issue);
    }

    static Stream<Issue> issues() {
        int gpus = Math.max(Cuda.deviceCount(), 1);
        return Stream.of(
                new Issue(gpus, 1, Registration.NONE, Waiting.NONE, 0, 1, false, Details.NONE),
                new Issue(1, gpus, Registration.NONE, Waiting.NONE, 0, 1, false, Details.NONE),
                new Issue(gpus, 1, Registration.LOCAL, Waiting.NONE, 0, 3, false, Details.NONE),
                new Issue(gpus, 1, Registration.SYMMETRIC, Waiting.EACH, 0, 1, false, Details.NONE),
                new Issue(1, gpus, Registration.SYMMETRIC, Waiting.NONE, 0, 2, true, Details.NONE),
                new Issue(gpus, 1, Registration.NONE, Waiting.NONE, 2, 1, false, Details.NONE),
                new Issue(1, gpus, Registration.NONE, Waiting.NONE, 2, 2, false, Details.NONE),
                new Issue(gpus, 1, Registration.NONE, Waiting.EACH_AND_ALL, 0, 1, false, Details.NONE),
                new Issue(gpus, 1, Registration.NONE, Waiting.EACH_AND_ALL_UNTIMED, 0, 1, false, ALL_DETAILS),
                new Issue(1, gpus, Registration.SYMMETRIC, Waiting.NONE, 0, 2, false, details(1, null)),
                new Issue(1, gpus, Registration.SYMMETRIC, Waiting.NONE, 0, 2, false, details(0, CtaPolicy.ZERO)),
                new Issue(gpus, 1, Registration.SYMMETRIC, Waiting.NONE, 0, 1, false, ALL_DETAILS),
                new Issue(1, gpus, Registration.SYMMETRIC, Waiting.NONE, 0, 2, false, ALL_DETAILS));
    }

    @ParameterizedTest
    @MethodSource("issues")
    void everyOperationIsMeasuredAndRight(Issue issue) {
        needsGpus();
        List<Row> rows = run(settings(List.of(DataType.FLOAT32), List.of(ReduceOp.SUM), issue));
        assertThat(rows)
                .extracting(Row::operation)
                .containsAll(OPERATIONS.stream()
                        .filter(operation -> operation != Operation.BARRIER && operation != Operation.HYPERCUBE)
                        .toList());
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.outOfPlace().seconds()).isPositive();
            assertThat(row.wrong()).as(row.toString()).isZero();
            assertThat(row.copyBandwidth()).isNaN();
            assertThat(row.outOfPlace().iterations() != null)
                    .isEqualTo(issue.details().perIteration());
        });
    }

    @Test
    void everyTypeAndReductionThatThereIs() {
        needsGpus();
        Settings settings = settings(
                        List.of(DataType.values()),
                        List.of(ReduceOp.values()),
                        new Issue(Cuda.deviceCount(), 1, Registration.NONE, Waiting.NONE, 0, 1, false, Details.NONE))
                .with(List.of(Operation.ALL_REDUCE, Operation.REDUCE_SCATTER, Operation.ALL_GATHER));
        List<Row> rows = run(settings);
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.wrong()).as(row.toString()).isZero());
        assertThat(rows).extracting(Row::type).contains(DataType.values());
        assertThat(rows)
                .extracting(Row::reduction)
                .contains(ReduceOp.AVG, ReduceOp.MAX)
                .doesNotContain(ReduceOp.BXOR);
    }

    private static List<Row> run(Settings settings) {
        List<Row> rows = Collections.synchronizedList(new ArrayList<>());
        try (World world = World.join()) {
            int code = GpuStation.run(world, settings, platform -> {
                assertThat(platform.places()).hasSize(GpuStation.gpusOfProcess(settings));
                return station -> {
                    List<Operation> possible = settings.operations().stream()
                            .filter(operation -> station.obstacle(operation) == null)
                            .toList();
                    List<Row> mine = Benchmark.run(station, settings.with(possible), _ -> {});
                    if (station.speaks()) {
                        rows.addAll(mine);
                    }
                    return 0;
                };
            });
            assertThat(code).isZero();
        }
        return rows;
    }
}
