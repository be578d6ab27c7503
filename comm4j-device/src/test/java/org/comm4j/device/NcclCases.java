// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.RankTeam;
import org.comm4j.test.Nightly;

/** What holds of {@link NcclDevice} for any number of ranks, wherever they are. */
enum NcclCases {
    ARGUMENTS {
        @Override
        void run(NcclPlace place) {
            Buffer x = place.array(DataType.FLOAT32, 1000);
            Buffer found = place.own(DataType.INT64, 9);
            try (CompiledKernel kernel = place.compiler().compile(NcclKernels::who)) {
                place.run(
                        kernel,
                        LaunchConfig.grid(1).block(1),
                        place.nccl().comm(),
                        place.window(x),
                        place.nccl().barriers(),
                        found);
            }
            int rank = place.rank();
            int size = place.size();
            assertThat(found.toHost().toLongArray())
                    .containsExactly(rank, size, rank, size, rank, size, 4000, NcclPlace.BARRIERS, 0);
        }
    },

    ALL_REDUCE {
        @Override
        void run(NcclPlace place) {
            int max = place.onGpu() ? 100_000 : 3000;
            Buffer x = place.array(DataType.FLOAT32, max);
            Buffer y = place.array(DataType.FLOAT32, max);
            LsaWindow from = place.window(x);
            LsaWindow to = place.window(y);
            try (CompiledKernel oneShot = place.compiler().compile(NcclKernels::allReduce);
                    CompiledKernel twoShot = place.compiler().compile(NcclKernels::twoShot)) {
                int salt = 0;
                for (int count : new int[] {1, 33, 1000, max}) {
                    for (int blocks : new int[] {1, 3, NcclPlace.BARRIERS}) {
                        for (CompiledKernel kernel : new CompiledKernel[] {oneShot, twoShot}) {
                            SplittableRandom random = place.random(salt++);
                            float[] mine = new float[max];
                            float[] sums = new float[max];
                            for (int rank = 0; rank < place.size(); rank++) {
                                for (int i = 0; i < count; i++) {
                                    float value = random.nextInt(1000);
                                    sums[i] += value;
                                    mine[i] = rank == place.rank() ? value : mine[i];
                                }
                            }
                            x.copyFrom(HostArray.of(mine));
                            y.fill(-1);
                            // What the others write to y comes behind this.
                            place.barrier();
                            LaunchConfig config = LaunchConfig.grid(blocks).block(place.onGpu() ? 256 : 4);
                            place.run(kernel, config, place.nccl().barriers(), from, to, count);
                            for (int i = count; i < max; i++) {
                                sums[i] = -1;
                            }
                            assertThat(y.toHost().toFloatArray())
                                    .as(count + " elements, " + blocks + " blocks")
                                    .isEqualTo(sums);
                        }
                    }
                }
            }
        }
    },

    BLOCKS_MEET {
        @Override
        void run(NcclPlace place) {
            rounds(
                    place,
                    Coop.BLOCK,
                    place.nccl().barriers(),
                    LaunchConfig.grid(4).block(place.onGpu() ? 128 : 3));
        }
    },

    WARPS_MEET {
        @Override
        void run(NcclPlace place) {
            rounds(
                    place,
                    Coop.WARP,
                    place.nccl().barriers(),
                    LaunchConfig.grid(2).block(64));
        }
    },

    THREADS_MEET {
        @Override
        void run(NcclPlace place) {
            LsaBarriers barriers = place.nccl().barriers(place.groups);
            rounds(place, Coop.THREAD, barriers, LaunchConfig.grid(2).block(place.onGpu() ? 32 : 5));
        }
    },

    /** Of some ranks only, with a team's numbers. */
    HALVES_MEET {
        @Override
        void run(NcclPlace place) {
            Buffer words = place.array(DataType.INT32, 64);
            LsaWindow all = place.window(words);
            // The window of the half, which a kernel addresses by the half's ranks.
            RankTeam half = place.half();
            LsaWindow window = new LsaWindow(
                    all.flat().plus((place.rank() - (long) half.stride() * half.rank()) * all.stride()),
                    half.stride() * all.stride(),
                    half.rank(),
                    half.size(),
                    all.bytes());
            rounds(
                    place,
                    Coop.BLOCK,
                    place.nccl().barriers(place.halves),
                    window,
                    LaunchConfig.grid(2).block(32));
        }
    },

    EXCHANGE {
        @Override
        void run(NcclPlace place) {
            Buffer wrong = place.own(DataType.INT32, 1);
            LowLatencyAllToAll exchange = place.nccl().allToAll(place.exchange);
            try (CompiledKernel kernel = place.compiler().compile(NcclKernels::exchange)) {
                for (int rounds : new int[] {1, 2, place.onGpu() ? 100_001 : 301}) {
                    LaunchConfig config = LaunchConfig.grid(NcclPlace.BLOCKS).block(place.onGpu() ? 128 : 3);
                    place.run(kernel, config, exchange, rounds, wrong);
                    assertThat(wrong.toHost().getInt(0)).isZero();
                }
            }
        }
    },

    /** Numbers of epochs begin anew. */
    EXCHANGE_FOR_MONTHS {
        @Override
        void run(NcclPlace place) {
            LowLatencyAllToAll exchange = place.nccl().allToAll(place.exchange);
            Buffer wrong = place.own(DataType.INT32, 1);
            LsaWindow state = new LsaWindow(exchange.flat(), exchange.stride(), place.rank(), place.size(), 16);
            try (CompiledKernel set = place.compiler().compile(NcclKernels::epoch);
                    CompiledKernel kernel = place.compiler().compile(NcclKernels::exchange)) {
                // That of block 0, before the 18th epoch from the end.
                place.run(set, LaunchConfig.grid(1).block(1), exchange, state, -20);
                place.barrier();
                place.run(kernel, LaunchConfig.grid(1).block(3), exchange, 40, wrong);
                assertThat(wrong.toHost().getInt(0)).isZero();
            }
        }
    },

    BROADCAST {
        @Override
        void run(NcclPlace place) {
            int count = NcclPlace.BLOCKS * 8;
            long[] mine = new long[count];
            long[] sums = new long[count];
            SplittableRandom random = place.random(77);
            for (int rank = 0; rank < place.size(); rank++) {
                for (int i = 0; i < count; i++) {
                    long value = random.nextLong();
                    sums[i] += value;
                    mine[i] = rank == place.rank() ? value : mine[i];
                }
            }
            Buffer values = place.own(DataType.INT64, count);
            Buffer found = place.own(DataType.INT64, count);
            values.copyFrom(HostArray.of(mine));
            try (CompiledKernel kernel = place.compiler().compile(NcclKernels::sums)) {
                for (int i = 0; i < 5; i++) {
                    found.fill(0);
                    LaunchConfig config = LaunchConfig.grid(NcclPlace.BLOCKS).block(8);
                    place.run(kernel, config, place.nccl().allToAll(place.exchange), values, found);
                    assertThat(found.toHost().toLongArray()).isEqualTo(sums);
                }
            }
        }
    },

    /** Memory that came with the device communicator. */
    RESOURCE {
        @Override
        void run(NcclPlace place) {
            LsaWindow memory = place.nccl().memory(place.memory);
            assertThat(memory.bytes()).isEqualTo(4096);
            int next = (place.rank() + 1) % place.size();
            int previous = (place.rank() + place.size() - 1) % place.size();
            Buffer wrong = place.own(DataType.INT32, 1);
            try (CompiledKernel poke = place.compiler().compile(NcclKernels::poke);
                    CompiledKernel rounds = place.compiler().compile(NcclKernels::rounds, Coop.BLOCK)) {
                LaunchConfig one = LaunchConfig.grid(1).block(1);
                place.run(poke, one, memory, next, 4092L, place.rank() + 1);
                place.barrier();
                place.run(poke, one, place.nccl().part(memory, 2048, 2048), place.rank(), 0L, previous);
                place.run(rounds, one, place.nccl().barriers(), memory, 10, wrong);
                assertThat(wrong.toHost().getInt(0)).isZero();
            }
        }
    },

    WRONG_ARGUMENTS {
        @Override
        void run(NcclPlace place) {
            NcclDevice nccl = place.nccl();
            LsaWindow memory = nccl.memory(place.memory);
            assertThatThrownBy(() -> nccl.part(memory, 4000, 97))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("97 bytes from byte 4000");
            assertThatThrownBy(() -> nccl.barriers(place.memory))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is something else");
            assertThatThrownBy(() -> nccl.allToAll(DeviceResource.lowLatencyAllToAll(1, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("was not required");
            assertThatThrownBy(() -> nccl.window(place.own(DataType.INT32, 4)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> nccl.timeout(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
        }
    },

    /** The host of each rank that has waited says for whom; nothing works behind it. */
    A_RANK_THAT_DOES_NOT_COME {
        @Override
        void run(NcclPlace place) {
            int missing = place.size() - 1;
            place.nccl().timeout(Duration.ofMillis(400));
            place.barrier();
            if (place.rank() != missing) {
                LsaBarriers barriers = place.nccl().barriers();
                try (CompiledKernel kernel = place.compiler().compile(NcclKernels::meet)) {
                    LaunchConfig config = LaunchConfig.grid(1).block(32);
                    assertThatThrownBy(() -> place.run(kernel, config, barriers, 3))
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageContaining("LSA barrier 3 on NcclDevice[rank " + place.rank())
                            .hasMessageContaining("for rank " + missing + " in vain");
                    long start = System.nanoTime();
                    assertThatThrownBy(() -> place.run(kernel, config, barriers, 4))
                            .isInstanceOf(CommTimeoutException.class);
                    assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
                }
                assertThatThrownBy(() -> place.nccl().barriers()).isInstanceOf(CommTimeoutException.class);
            }
            place.barrier();
        }
    };

    abstract void run(NcclPlace place);

    private static void rounds(NcclPlace place, Coop coop, LsaBarriers barriers, LaunchConfig config) {
        rounds(place, coop, barriers, place.window(place.array(DataType.INT32, 64L * place.size())), config);
    }

    private static void rounds(
            NcclPlace place, Coop coop, LsaBarriers barriers, LsaWindow window, LaunchConfig config) {
        Buffer wrong = place.own(DataType.INT32, 1);
        try (CompiledKernel kernel = place.compiler().compile(NcclKernels::rounds, coop)) {
            for (int rounds : new int[] {1, place.onGpu() ? 20_000 : Nightly.times(20, 60)}) {
                place.run(kernel, config, barriers, window, rounds, wrong);
                assertThat(wrong.toHost().getInt(0)).isZero();
            }
        }
    }

    /** Of a device that none of the others are of: kernels say what there is not. */
    static void run(NcclPlace place, NcclDevice spare, DeviceResource exchange) {
        assertThatThrownBy(spare::barriers)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("DeviceRequirements.lsaBarriers");
        try (CompiledKernel kernel = place.compiler().compile(NcclKernels::element)) {
            LowLatencyAllToAll all = spare.allToAll(exchange);
            assertThatThrownBy(() -> {
                        place.run(kernel, LaunchConfig.grid(1).block(1), all, 0, 0, NcclPlace.SLOTS);
                        spare.check();
                    })
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("element " + NcclPlace.SLOTS);
        }
        place.barrier();
    }

    static DeviceRequirements spare(DeviceResource exchange) {
        return DeviceRequirements.NONE.resource(exchange);
    }
}
