// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums of which each rank multiplies its own part, over simulated GPUs. */
class PreMulSumTest {
    @BeforeEach
    void needsTheSimulation() {
        Simulation.require();
    }

    private static DeviceArray filled(NcclCommunicator comm, DataType type, int count, double value) {
        DeviceArray array = comm.allocate(type, count);
        array.fill(value);
        return array;
    }

    private static void expect(DeviceArray array, double value) {
        HostArray expected = HostArray.allocate(array.type(), array.count());
        expected.fill(value);
        assertThat(array.toHost().segment().mismatch(expected.segment()))
                .as("%s is not %s", array, value)
                .isEqualTo(-1);
    }

    private static DataType part(DataType type) {
        return switch (type) {
            case COMPLEX64 -> DataType.FLOAT32;
            case COMPLEX128 -> DataType.FLOAT64;
            default -> type;
        };
    }

    /** Rank r has r + 1 everywhere, and the factor r + 1: 1 x 1 + 2 x 2. */
    @ParameterizedTest
    @EnumSource(
            names = {"INT16", "UINT16"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyTypeWithFactorsOfHostAndDevice(DataType type) {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            int mine = comm.rank() + 1;
            DeviceArray resident = filled(comm, part(type), 1, mine);
            for (PreMulSum sum : new PreMulSum[] {comm.preMulSum(type, mine), comm.preMulSum(type, resident)}) {
                CustomReductions reductions = comm.with(sum);
                DeviceArray x = filled(comm, type, 6, mine);
                DeviceArray all = filled(comm, type, 6, 0);
                reductions.allReduce(x, all, comm.own);
                DeviceArray scattered = filled(comm, type, 3, 0);
                reductions.reduceScatter(x, scattered, comm.own);
                reductions.reduce(x, comm.rank() == 1 ? x : null, 1, comm.own);
                comm.synchronize(comm.own);
                expect(all, 5);
                expect(scattered, 5);
                expect(x, comm.rank() == 1 ? 5 : 1);
            }
        });
    }

    /** A factor in device memory counts as it is when the reduction runs, not when the sum was made. */
    @Test
    void theFactorIsReadWhenTheReductionRuns() {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray factor = filled(comm, DataType.FLOAT32, 1, 1);
            DeviceArray x = filled(comm, DataType.FLOAT32, 2, 1);
            DeviceArray y = filled(comm, DataType.FLOAT32, 2, 0);
            CustomReductions reductions = comm.with(comm.preMulSum(DataType.FLOAT32, factor));
            for (int round = 1; round < 4; round++) {
                factor.fill(round, comm.own);
                reductions.allReduce(x, y, comm.own);
                comm.synchronize(comm.own);
                expect(y, 2 * round);
            }
        });
    }

    /** NCCL has the factor's address until the sum is closed, so its memory is there until then. */
    @Test
    void theFactorsMemoryStaysUntilTheSumIsClosed() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            DeviceArray factor = filled(comm, DataType.FLOAT32, 1, 3);
            DeviceArray x = filled(comm, DataType.FLOAT32, 2, 2);
            PreMulSum sum = comm.preMulSum(DataType.FLOAT32, factor);
            CustomReductions reductions = comm.with(sum);
            long bytes = Simulation.get("bytes");
            factor.close();
            assertThat(Simulation.get("bytes")).isEqualTo(bytes);
            assertThatThrownBy(() -> reductions.allReduce(x, x, comm.own))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was closed");
            sum.close();
            sum.close();
            assertThat(Simulation.get("bytes")).isEqualTo(bytes - Float.BYTES);
            assertThatThrownBy(() -> reductions.allReduce(x, x, comm.own))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            comm.barrier();
        });
    }

    /** One object for the reductions is enough for all threads. */
    @Test
    void severalThreads() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            CustomReductions reductions = comm.with(comm.preMulSum(DataType.FLOAT32, 2));
            try (var threads = Executors.newFixedThreadPool(4)) {
                List<Future<?>> calling = new ArrayList<>();
                for (int t = 1; t <= 4; t++) {
                    int count = t;
                    calling.add(threads.submit(() -> {
                        DeviceArray x = filled(comm, DataType.FLOAT32, count, count);
                        DeviceArray y = filled(comm, DataType.FLOAT32, count, 0);
                        for (int i = 0; i < 2000; i++) {
                            reductions.allReduce(x, y, comm.own);
                        }
                        comm.synchronize(comm.own);
                        expect(y, 2 * count);
                    }));
                }
                for (Future<?> each : calling) {
                    each.get();
                }
            }
        });
    }

    @Test
    void factorsThatThereAreNot() {
        Map<Double, DataType> wrong = Map.of(
                0.5,
                DataType.INT32,
                128.0,
                DataType.INT8,
                -129.0,
                DataType.INT8,
                256.0,
                DataType.UINT8,
                -1.0,
                DataType.UINT64,
                0x1p32,
                DataType.UINT32,
                0x1p63,
                DataType.INT64,
                Double.NaN,
                DataType.INT64);
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            wrong.forEach((factor, type) -> assertThatThrownBy(() -> comm.preMulSum(type, factor))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(factor + " is no " + type));
            comm.preMulSum(DataType.INT8, -128);
            comm.preMulSum(DataType.UINT32, 0x1p32 - 1);
            comm.preMulSum(DataType.FLOAT16, 0.1);
            DeviceArray two = filled(comm, DataType.FLOAT32, 2, 1);
            assertThatThrownBy(() -> comm.preMulSum(DataType.FLOAT32, two))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one element of FLOAT32");
            assertThatThrownBy(() -> comm.preMulSum(DataType.COMPLEX128, two.slice(0, 1)))
                    .hasMessageContaining("one element of FLOAT64");
            assertThatThrownBy(() -> comm.preMulSum(DataType.FLOAT32, null)).isInstanceOf(NullPointerException.class);
            DeviceArray freed = filled(comm, DataType.FLOAT32, 1, 1);
            freed.close();
            assertThatThrownBy(() -> comm.preMulSum(DataType.FLOAT32, freed))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("freed");
            try (NcclCommunicator other = comm.split(0, 0)) {
                assertThatThrownBy(() -> other.with(comm.preMulSum(DataType.FLOAT32, 1)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("another communicator");
            }
            try (Device elsewhere = Device.of(5);
                    DeviceArray there = elsewhere.allocate(DataType.FLOAT32, 1)) {
                assertThatThrownBy(() -> comm.preMulSum(DataType.FLOAT32, there))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("GPU 5");
            }
        });
    }

    /** GPUs before Hopper move float8 and cannot add it. */
    @Test
    void smallFloatsOnOldGpus() {
        Simulation.set("capability", 8);
        try {
            Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
                for (DataType type : new DataType[] {DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2}) {
                    DeviceArray x = filled(comm, type, 4, 1 + comm.rank());
                    assertThat(comm.supports(ReduceOp.SUM, type)).isFalse();
                    assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.MAX))
                            .isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining("9.0 or newer; this one has 8.");
                    assertThatThrownBy(() -> comm.group(g -> g.allReduce(x, x, ReduceOp.SUM), comm.own))
                            .isInstanceOf(UnsupportedOperationException.class);
                    assertThatThrownBy(() -> comm.preMulSum(type, 1))
                            .isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining("cannot add " + type);
                    comm.broadcast(x, 1);
                    expect(x, 2);
                }
                assertThat(comm.supports(ReduceOp.SUM, DataType.BFLOAT16)).isTrue();
            });
        } finally {
            Simulation.set("capability", 9);
        }
    }
}
