// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.RankTeam;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link NcclCases} on the CPU, with ranks that are threads; and what is refused there. */
class NcclThreadsTest {
    static Stream<Arguments> cases() {
        return Stream.of(1, 2, 3, 4, 8)
                .flatMap(ranks -> Stream.of(NcclCases.values()).map(each -> Arguments.of(ranks, each)));
    }

    private interface Body {
        void run(HostShmem shmem);
    }

    private static void ranks(int ranks, Body body) {
        World.threads(ranks, world -> {
            try (HostShmem shmem = HostShmem.init(world)) {
                shmem.timeout(Duration.ofSeconds(60));
                body.run(shmem);
            }
        });
    }

    @ParameterizedTest(name = "{0} ranks: {1}")
    @MethodSource("cases")
    void holds(int ranks, NcclCases each) {
        try {
            ranks(ranks, shmem -> {
                try (NcclPlace place = NcclPlace.of(shmem)) {
                    each.run(place);
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(
                    each + " on " + ranks + " ranks: " + e + "\n(the same data again: " + DeviceContract.SEED_OPTION
                            + ")",
                    e);
        }
    }

    @Test
    void whatThereIsNot() {
        ranks(2, shmem -> {
            DeviceResource exchange = DeviceResource.lowLatencyAllToAll(1, NcclPlace.SLOTS);
            try (NcclPlace place = NcclPlace.of(shmem);
                    NcclDevice spare = NcclDevice.of(shmem, NcclCases.spare(exchange))) {
                NcclCases.run(place, spare, exchange);
                try (CompiledKernel meet = place.compiler().compile(NcclKernels::meet)) {
                    LaunchConfig one = LaunchConfig.grid(1).block(1);
                    assertThatThrownBy(() -> place.run(meet, one, place.nccl().barriers(), NcclPlace.BARRIERS))
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("LSA barrier " + NcclPlace.BARRIERS)
                            .hasMessageContaining("were required");
                }
                shmem.barrierAll();
            }
        });
    }

    @Test
    @SuppressWarnings("try") // closes twice
    void accessesStayInTheWindow() {
        ranks(2, shmem -> {
            try (NcclPlace place = NcclPlace.of(shmem);
                    SymmetricArray x = shmem.allocate(DataType.INT32, 10);
                    CompiledKernel poke = place.compiler().compile(NcclKernels::poke)) {
                LsaWindow window = place.nccl().window(x);
                LaunchConfig one = LaunchConfig.grid(1).block(1);
                assertThatThrownBy(() -> poke.launch(one, window, 2, 0L, 1))
                        .hasMessageContaining("rank 2 of the LSA team is not one of 0 to 1");
                assertThatThrownBy(() -> poke.launch(one, window, 1, 44L, 1))
                        .hasMessageContaining("byte 44 is not in the window of 40 bytes");
                // An int, of which two bytes are outside.
                assertThatThrownBy(() -> poke.launch(one, window, 0, 38L, 1)).isInstanceOf(RuntimeException.class);
                x.close();
                assertThatThrownBy(() -> poke.launch(one, window, 0, 0L, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("which is closed");
                LsaBarriers barriers = place.nccl().barriers();
                place.nccl().close();
                try (CompiledKernel meet = place.compiler().compile(NcclKernels::meet)) {
                    assertThatThrownBy(() -> meet.launch(one, barriers, 0))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("parameter 1 'barriers'")
                            .hasMessageContaining("closed");
                }
                assertThatThrownBy(() -> place.nccl().barriers()).isInstanceOf(IllegalStateException.class);
                shmem.barrierAll();
            }
        });
    }

    @Test
    void whatTheCpuDoesNotHave() {
        ranks(1, shmem -> {
            RankTeam one = new RankTeam(1, 0, 1);
            for (DeviceRequirements each : new DeviceRequirements[] {
                DeviceRequirements.NONE.multimem(true), DeviceRequirements.NONE.team(one, true)
            }) {
                assertThatThrownBy(() -> NcclDevice.of(shmem, each))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("NVLink multicast is not available here");
            }
            for (DeviceRequirements each : new DeviceRequirements[] {
                DeviceRequirements.NONE.forceNetwork(true),
                DeviceRequirements.NONE.network(1, 1, 0),
                DeviceRequirements.NONE.railBarriers(1),
                DeviceRequirements.NONE.resource(DeviceResource.of(1, 1, 1, 0)),
                DeviceRequirements.NONE.resource(DeviceResource.networkBarriers(one, 1))
            }) {
                assertThatThrownBy(() -> NcclDevice.of(shmem, each))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("GIN");
            }
        });
    }
}
