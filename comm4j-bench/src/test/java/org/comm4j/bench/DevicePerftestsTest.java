// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Device perftests with kernels on the CPU, small, and with data whose result is known. */
class DevicePerftestsTest {
    static DeviceSettings settings(List<DeviceCase> cases, DataType type, ReduceOp reduction) {
        return new DeviceSettings(cases, 8, 512, 8, 2, 1, Duration.ZERO, 2, 32, type, reduction, true);
    }

    /** The rows that PE 0 saw. */
    private static List<Row> run(int pes, DeviceSettings settings) {
        List<Row> rows = Collections.synchronizedList(new ArrayList<>());
        World.threads(pes, world -> {
            List<Row> mine = DevicePerftests.run(world, settings, false, _ -> _ -> {});
            if (world.rank() == 0) {
                rows.addAll(mine);
            } else {
                assertThat(mine).isEmpty();
            }
        });
        return rows;
    }

    private static List<DevicePerftest> ofPairs(boolean pairs) {
        return Arrays.stream(DevicePerftest.values())
                .filter(test -> test.isOfPairs() == pairs && test.kind() != DevicePerftest.Kind.HOST)
                .toList();
    }

    private static void assertRight(List<Row> rows) {
        for (Row row : rows) {
            assertThat(row.outOfPlace().wrong()).as(row.toString()).isLessThanOrEqualTo(0);
            assertThat(row.outOfPlace().micros()).as(row.toString()).isPositive();
        }
    }

    @Test
    void pairsMoveWhatTheyShould() {
        List<DeviceCase> cases = DeviceCase.of(ofPairs(true), null, false, Atomic.INC);
        List<Row> rows = run(2, settings(cases, DataType.INT16, ReduceOp.SUM));
        assertRight(rows);
        assertThat(rows.stream().map(Row::operation).distinct()).hasSameSizeAs(cases);
        assertThat(rows.stream().filter(row -> row.outOfPlace().wrong() == 0)).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @EnumSource(value = Group.class)
    void groupsShareTheWork(Group group) {
        List<DeviceCase> cases = DeviceCase.of(List.of(DevicePerftest.PUT_BW), group, false, Atomic.INC);
        DeviceSettings some =
                new DeviceSettings(cases, 8, 4096, 2, 2, 1, Duration.ZERO, 2, 64, DataType.INT32, ReduceOp.SUM, true);
        assertRight(run(2, some));
    }

    @Test
    void bothSend() {
        List<DeviceCase> cases = DeviceCase.of(
                List.of(DevicePerftest.PUT_BW, DevicePerftest.GET_BW, DevicePerftest.ST_BW), null, true, Atomic.INC);
        assertThat(cases).extracting(DeviceCase::both).containsExactly(true, true, false);
        assertRight(run(2, settings(cases, DataType.INT32, ReduceOp.SUM)));
    }

    /** Each in kernels of its own; by day one that returns nothing and one that returns what was there. */
    static List<Atomic> atomics() {
        return Nightly.isOn() ? List.of(Atomic.values()) : List.of(Atomic.ADD, Atomic.COMPARE_SWAP);
    }

    @ParameterizedTest
    @MethodSource("atomics")
    void atomicOperationsChangeWhatTheyShould(Atomic atomic) {
        List<DevicePerftest> tests =
                ofPairs(true).stream().filter(DevicePerftest::isAtomic).toList();
        List<Row> rows = run(2, settings(DeviceCase.of(tests, null, false, atomic), DataType.INT32, ReduceOp.SUM));
        assertRight(rows);
        assertThat(rows).allMatch(row -> row.outOfPlace().wrong() == 0);
    }

    static List<Integer> numbers() {
        return Nightly.isOn() ? List.of(1, 2, 3) : List.of(3);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void collectivesGiveWhatTheyShould(int pes) {
        List<DeviceCase> cases = DeviceCase.of(ofPairs(false), null, false, Atomic.INC);
        List<Row> rows = run(pes, settings(cases, DataType.INT32, ReduceOp.MAX));
        assertRight(rows);
        assertThat(rows.stream().map(Row::operation).distinct()).hasSameSizeAs(cases);
        assertThat(rows.stream().map(Row::type)).contains(DataType.INT32, DataType.INT64);
    }

    @Test
    void pairsAreTwo() {
        DeviceSettings pair = settings(
                DeviceCase.of(List.of(DevicePerftest.P_LATENCY), null, false, Atomic.INC),
                DataType.INT32,
                ReduceOp.SUM);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DevicePerftests.check(pair, 3))
                .withMessage("shmem_p_latency is for 2 PEs, not for 3");
    }

    /** As the programs count: parts are rounded down, and have one element at least. */
    @Test
    void countsAreThoseOfThePrograms() {
        List<DeviceCase> cases = DeviceCase.of(
                List.of(DevicePerftest.PUT_BW, DevicePerftest.FCOLLECT, DevicePerftest.SYNC), null, false, Atomic.INC);
        DeviceSettings some = settings(cases, DataType.INT32, ReduceOp.SUM);
        assertThat(cases).hasSize(1 + 3 + 3);
        DeviceCase put = cases.getFirst();
        assertThat(put).hasToString("shmem_put_bw block");
        assertThat(some.sizes(put, DataType.FLOAT64, 2)).containsExactly(8L, 64L, 512L);
        assertThat(some.counts(put, DataType.FLOAT64, 2)).containsExactly(1L, 8L, 64L);
        DeviceCase fcollect = cases.get(1);
        assertThat(some.counts(fcollect, DataType.INT32, 3)).containsExactly(1L, 8L);
        assertThat(some.sizes(fcollect, DataType.INT32, 3)).containsExactly(12L, 96L);
        assertThat(some.counts(cases.getLast(), DataType.INT32, 3)).containsExactly(1L);
        assertThat(fcollect.limit()).isEqualTo(512);
        assertThat(cases.get(3).limit()).isEqualTo(Long.MAX_VALUE);
        assertThat(DeviceSettings.orUsualMax(8L << 20, null)).isEqualTo(8 << 20);
        assertThat(DeviceSettings.orUsualMin(null, 2L)).isEqualTo(2);
    }
}
