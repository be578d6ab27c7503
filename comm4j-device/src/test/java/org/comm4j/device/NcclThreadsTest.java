// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Consumer;
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
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link NcclCases} on the CPU, with ranks that are threads; and what is refused there. */
class NcclThreadsTest {
    private static <T> Stream<Arguments> with(T[] cases) {
        return (Nightly.isOn() ? Sizes.of(1, 2, 3, 4, 8) : Sizes.of(3))
                .stream().flatMap(ranks -> Stream.of(cases).map(each -> Arguments.of(ranks, each)));
    }

    static Stream<Arguments> cases() {
        return with(NcclCases.values());
    }

    static Stream<Arguments> networkCases() {
        return with(GinCases.values());
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
        holds(ranks, each, each::run);
    }

    @ParameterizedTest(name = "{0} ranks: {1}")
    @MethodSource("networkCases")
    void holdsOfTheNetwork(int ranks, GinCases each) {
        holds(ranks, each, each::run);
    }

    private static void holds(int ranks, Enum<?> each, Consumer<NcclPlace> run) {
        try {
            ranks(ranks, shmem -> {
                try (NcclPlace place = NcclPlace.of(shmem)) {
                    run.accept(place);
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
            DeviceRequirements none = DeviceRequirements.NONE.lsaBarriers(1);
            try (NcclDevice nccl = NcclDevice.of(shmem, none)) {
                assertThatThrownBy(() -> nccl.gin(0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("DeviceRequirements.network");
                assertThat(nccl.ginContexts()).isZero();
            }
        });
    }
}
