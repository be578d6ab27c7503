// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.host.Host;
import org.comm4j.host.HostCommunicator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchmarkTest {
    private static Settings settings(
            List<Operation> operations,
            List<Long> sizes,
            List<DataType> types,
            List<ReduceOp> ops,
            boolean registered) {
        return new Settings(
                operations,
                sizes,
                types,
                ops,
                Settings.ALL_ROOTS,
                2,
                1,
                Duration.ZERO,
                Duration.ofNanos(20_000),
                1,
                1,
                1,
                Settings.Average.MEAN,
                registered,
                Settings.Issue.PLAIN);
    }

    /** The rows that rank 0 saw. */
    private static List<Row> run(int ranks, Settings settings) {
        List<Row> rows = Collections.synchronizedList(new ArrayList<>());
        World.threads(ranks, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                List<Row> mine = Benchmark.run(world, comm, settings, _ -> {});
                if (world.rank() == 0) {
                    rows.addAll(mine);
                }
                comm.barrier();
            }
        });
        return rows;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyOperationIsMeasuredAndRight(boolean registered) {
        List<Row> rows = run(
                2,
                settings(
                        List.of(Operation.values()),
                        List.of(0L, 8L, 1000L, 40_000L),
                        List.of(DataType.FLOAT32),
                        List.of(ReduceOp.SUM),
                        registered));
        assertThat(rows).extracting(Row::operation).contains(Operation.values());
        // Four sizes; twice with each of two roots where there is one.
        assertThat(rows).hasSize(1 + 1 + 9 * 4 + 4 * 4 * 2);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.outOfPlace().seconds()).isPositive();
            assertThat(row.outOfPlace().wrong()).isEqualTo(row.operation() == Operation.BARRIER ? Row.UNCHECKED : 0);
            assertThat(row.inPlace() != null).isEqualTo(row.operation().hasInPlaceForm());
            assertThat(row.copyBandwidth())
                    .matches(copy -> row.operation().hasSizes() ? copy >= 0 : Double.isNaN(copy));
        });
        assertThat(Table.outOfBounds(rows)).isZero();
    }

    @Test
    void everyTypeAndReductionIsRight() {
        List<Row> rows = run(
                3,
                settings(
                        List.of(Operation.ALL_REDUCE, Operation.ALL_GATHER),
                        List.of(3000L),
                        List.of(DataType.values()),
                        List.of(ReduceOp.values()),
                        true));
        assertThat(rows).hasSize((int) Arrays.stream(DataType.values())
                .mapToLong(type -> 1
                        + Arrays.stream(ReduceOp.values())
                                .filter(op -> op.supports(type))
                                .count())
                .sum());
        assertThat(rows).allSatisfy(row -> assertThat(row.wrong()).isZero());
    }

    /** An engine that gets two elements wrong on one rank, at a place of a certain size only. */
    private static Communicator wrong(HostCommunicator comm, long count) {
        return (Communicator) Proxy.newProxyInstance(
                Communicator.class.getClassLoader(), new Class<?>[] {Communicator.class}, (_, method, arguments) -> {
                    try {
                        Object result = method.invoke(comm, arguments);
                        if (method.getName().equals("allReduce")
                                && comm.rank() == 1
                                && arguments[1] instanceof HostArray array
                                && array.count() == count) {
                            array.setFloat(0, array.getFloat(0) + 1);
                            array.setFloat(count - 1, Float.NaN);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void wrongElementsAreCounted() {
        Settings settings = settings(
                List.of(Operation.ALL_REDUCE),
                List.of(64L, 4000L),
                List.of(DataType.FLOAT32),
                List.of(ReduceOp.SUM),
                true);
        World.threads(2, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                List<Row> rows = Benchmark.run(world, wrong(comm, 1000), settings, _ -> {});
                assertThat(rows).hasSize(2);
                assertThat(rows.getFirst().wrong()).isZero();
                // Out of place and in place, both elements.
                assertThat(rows.getLast().outOfPlace().wrong()).isEqualTo(2);
                assertThat(Table.outOfBounds(rows)).isEqualTo(4);
                comm.barrier();
            }
        });
    }

    @Test
    void everyElementOfThePatternIsLookedAt() {
        for (DataType type : DataType.values()) {
            HostArray array = HostArray.allocate(type, 50);
            Pattern pattern = new Pattern(type, null, 4);
            pattern.fill(array, 2, 7);
            assertThat(pattern.wrongMoved(array, 2, 7)).isZero();
            array.slice(49, 1).segment().fill((byte) -1);
            array.slice(0, 1).segment().fill((byte) -1);
            assertThat(pattern.wrongMoved(array, 2, 7)).as(type.name()).isEqualTo(2);
            // Somebody else's data, or data from elsewhere.
            pattern.fill(array, 2, 7);
            assertThat(pattern.wrongMoved(array, 3, 7)).as(type.name()).isGreaterThan(20);
            assertThat(pattern.wrongMoved(array, 2, 8)).as(type.name()).isGreaterThan(20);
        }
    }

    @Test
    void anImpossibleBenchmarkIsRefused() {
        World.threads(1, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Benchmark.run(world, comm, Settings.of(Operation.LATENCY), _ -> {}))
                        .withMessage("latency needs 2 ranks");
                Communicator other = wrong(comm, 1);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Benchmark.run(world, other, Settings.of(Operation.PUT), _ -> {}))
                        .withMessageContaining("needs the engine host");
                try (Station station = Station.of(world, comm, Settings.of(Operation.PUT))) {
                    assertThat(station.obstacle(Operation.PUT)).isNull();
                }
            }
        });
    }

    /** One rank whose calls are issued at once and done much later. */
    private static final class Late extends Station {
        /** Much longer than a busy machine keeps a thread waiting. */
        static final long NANOS = 400_000_000;

        @Override
        public int ranks() {
            return 1;
        }

        @Override
        public boolean speaks() {
            return true;
        }

        @Override
        public @Nullable String obstacle(Operation operation) {
            return null;
        }

        @Override
        boolean supports(Operation operation, DataType type, @Nullable ReduceOp reduction) {
            return true;
        }

        @Override
        Trial trial(
                Operation operation,
                Operation.Shape shape,
                DataType type,
                @Nullable ReduceOp reduction,
                int root,
                boolean inPlace) {
            return new Trial() {
                @Override
                Loop loop() {
                    return _ -> {};
                }

                @Override
                void complete() {
                    LockSupport.parkNanos(NANOS);
                }

                @Override
                boolean isCollective() {
                    return true;
                }

                @Override
                void prepare() {}

                @Override
                long wrong() {
                    return 0;
                }
            };
        }

        @Override
        void meet() {}

        @Override
        void rest() {}

        @Override
        double agree(double value, ReduceOp op) {
            return value;
        }

        @Override
        boolean copiesPlainly() {
            return false;
        }

        @Override
        void copyPlainly(long bytes, long times) {}

        @Override
        public void close() {}
    }

    @Test
    void bandwidthsAreThoseOfCallsThatAreDoneEvenIfTimesAreThoseOfIssuing() {
        Settings.Issue issue = new Settings.Issue(
                1, 1, Settings.Registration.NONE, Settings.Waiting.NONE, 0, 1, true, Settings.Details.NONE);
        Settings settings = new Settings(
                List.of(Operation.BROADCAST),
                List.of(1L << 20),
                List.of(DataType.FLOAT32),
                List.of(ReduceOp.SUM),
                0,
                1,
                0,
                Duration.ZERO,
                Duration.ofMillis(1),
                1,
                1,
                0,
                Settings.Average.MEAN,
                true,
                issue);
        Row.Timing timing =
                Benchmark.run(new Late(), settings, _ -> {}).getFirst().outOfPlace();
        assertThat(timing.seconds()).isLessThan(Late.NANOS / 1e9 / 2);
        assertThat(timing.busBandwidth()).isLessThan((1 << 20) * 1.0 / Late.NANOS);
    }

    @Test
    void aBlockedRankIsIdle() {
        World.threads(2, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                Idle.Share share = Idle.measure(comm, 0.5);
                // The other rank may be late to be blocked.
                assertThat(share.seconds()).isGreaterThanOrEqualTo(world.rank() == 0 ? 0.5 : 0.1);
                assertThat(share.thread()).isLessThan(0.05);
                comm.barrier();
            }
        });
    }
}
