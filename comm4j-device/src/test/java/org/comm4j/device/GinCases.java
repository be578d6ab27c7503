// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.RankTeam;

/**
 * What holds of {@link Gin} for any number of ranks, wherever they are; of places {@linkplain NcclPlace#network with a
 * network}.
 */
enum GinCases {
    BLOCKS_RING {
        @Override
        void run(NcclPlace place) {
            ring(place, Coop.BLOCK, LaunchConfig.grid(NcclPlace.BLOCKS_OF_RING).block(place.onGpu() ? 128 : 3));
        }
    },

    WARPS_RING {
        @Override
        void run(NcclPlace place) {
            ring(place, Coop.WARP, LaunchConfig.grid(2).block(32));
        }
    },

    THREADS_RING {
        @Override
        void run(NcclPlace place) {
            ring(place, Coop.THREAD, LaunchConfig.grid(NcclPlace.BLOCKS_OF_RING).block(1));
        }
    },

    /**
     * Puts of any size to anybody, each in an order of its own on the rank that sends; the oracle does the same in
     * arrays.
     */
    PUTS {
        @Override
        void run(NcclPlace place) {
            int size = place.size();
            int bytes = 5000;
            Buffer to = place.array(DataType.INT8, (long) size * bytes);
            Buffer from = place.array(DataType.INT8, bytes);
            GinWindow there = place.ginWindow(to);
            GinWindow here = place.ginWindow(from);
            byte[] expected = new byte[size * bytes];
            int[] puts = new int[size];
            try (CompiledKernel put = place.compiler().compile(GinKernels::put);
                    CompiledKernel await = place.compiler().compile(GinKernels::await)) {
                LaunchConfig config = LaunchConfig.grid(1).block(32);
                for (int rank = 0; rank < size; rank++) {
                    SplittableRandom random = place.random(500 + rank);
                    byte[] source = new byte[bytes];
                    random.nextBytes(source);
                    if (rank == place.rank()) {
                        HostArray bytesOfSource = HostArray.allocate(DataType.INT8, bytes);
                        bytesOfSource.segment().copyFrom(MemorySegment.ofArray(source));
                        from.copyFrom(bytesOfSource);
                    }
                    for (int i = 0; i < 12; i++) {
                        int peer = random.nextInt(size);
                        int length = random.nextInt(400);
                        int sourceAt = random.nextInt(bytes - length + 1);
                        // A place for each put: they have no order.
                        int at = rank * bytes + 400 * i + random.nextInt(400 - length);
                        if (peer == place.rank()) {
                            System.arraycopy(source, sourceAt, expected, at, length);
                        }
                        puts[peer]++;
                        if (rank == place.rank()) {
                            // By one thread in the last way, where all 32 would do the same.
                            LaunchConfig threads = LaunchConfig.grid(1).block(i % 3 == 2 ? 1 : 32);
                            place.run(
                                    put,
                                    threads,
                                    place.nccl().gin(0),
                                    i % 3,
                                    peer,
                                    there,
                                    (long) at,
                                    here,
                                    (long) sourceAt,
                                    (long) length);
                        }
                    }
                }
                place.run(await, config, place.nccl().gin(0), 0, 10L * puts[place.rank()]);
                assertThat(to.toHost().segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            }
        }
    },

    VALUES {
        @Override
        void run(NcclPlace place) {
            int threads = place.onGpu() ? 64 : 4;
            int count = place.size() * threads;
            Buffer ints = place.array(DataType.INT32, count);
            Buffer longs = place.array(DataType.INT64, count);
            try (CompiledKernel values = place.compiler().compile(GinKernels::values)) {
                LaunchConfig config = LaunchConfig.grid(1).block(threads);
                place.run(values, config, place.nccl().gin(1), place.ginWindow(ints), place.ginWindow(longs), threads);
            }
            int[] expected = new int[count];
            long[] expectedLongs = new long[count];
            for (int i = 0; i < count; i++) {
                expected[i] = 1000 * (i / threads) + i % threads;
                expectedLongs[i] = ((long) (i / threads) << 40) + i % threads;
            }
            assertThat(ints.toHost().toIntArray()).isEqualTo(expected);
            assertThat(longs.toHost().toLongArray()).isEqualTo(expectedLongs);
        }
    },

    SIGNALS {
        @Override
        void run(NcclPlace place) {
            Buffer found = place.own(DataType.INT64, 9);
            try (CompiledKernel shadows = place.compiler().compile(GinKernels::shadows)) {
                place.run(shadows, LaunchConfig.grid(1).block(1), place.nccl().gin(1), found);
            }
            assertThat(found.toHost().toLongArray()).containsExactly(0, 5, 5, 1, 7, 0, 0, 1, 0);
        }
    },

    GET {
        @Override
        void run(NcclPlace place) {
            int count = 1000;
            Buffer mine = place.array(DataType.INT32, count);
            Buffer all = place.array(DataType.INT32, (long) place.size() * count);
            int[] values = new int[count];
            int[] expected = new int[place.size() * count];
            for (int rank = 0; rank < place.size(); rank++) {
                SplittableRandom random = place.random(900 + rank);
                for (int i = 0; i < count; i++) {
                    expected[rank * count + i] = random.nextInt();
                }
            }
            System.arraycopy(expected, place.rank() * count, values, 0, count);
            mine.copyFrom(HostArray.of(values));
            place.barrier();
            try (CompiledKernel gather = place.compiler().compile(GinKernels::gather)) {
                LaunchConfig config = LaunchConfig.grid(1).block(32);
                place.run(gather, config, place.nccl().gin(0), place.ginWindow(mine), place.ginWindow(all), 4L * count);
            }
            assertThat(all.toHost().toIntArray()).isEqualTo(expected);
            place.barrier();
        }
    },

    BLOCKS_MEET {
        @Override
        void run(NcclPlace place) {
            rounds(place, Coop.BLOCK, world(place), LaunchConfig.grid(2).block(place.onGpu() ? 64 : 3));
        }
    },

    WARPS_MEET {
        @Override
        void run(NcclPlace place) {
            rounds(place, Coop.WARP, world(place), LaunchConfig.grid(1).block(64));
        }
    },

    THREADS_MEET {
        @Override
        void run(NcclPlace place) {
            rounds(place, Coop.THREAD, world(place), LaunchConfig.grid(2).block(2));
        }
    },

    /** Of some ranks only, with a team's numbers. */
    HALVES_MEET {
        @Override
        void run(NcclPlace place) {
            GinBarriers barriers = place.nccl().ginBarriers(place.nccl().gin(0, place.half()), place.networkHalves);
            rounds(place, Coop.BLOCK, barriers, LaunchConfig.grid(2).block(2));
        }
    },

    /** Signals and counters of resources come behind those that are numbered from 0. */
    RESOURCES {
        @Override
        void run(NcclPlace place) {
            NcclDevice nccl = place.nccl();
            assertThat(nccl.ginContexts()).isPositive();
            int signal = nccl.firstSignal(place.numbers);
            assertThat(signal).isGreaterThanOrEqualTo(NcclPlace.SIGNALS);
            assertThat(nccl.firstCounter(place.numbers)).isGreaterThanOrEqualTo(NcclPlace.COUNTERS);
            assertThat(nccl.gin(0).signals()).isGreaterThanOrEqualTo(signal + 3);
            assertThat(nccl.gin(0).counters()).isGreaterThanOrEqualTo(nccl.firstCounter(place.numbers) + 2);
            Buffer bytes = place.array(DataType.INT8, 8);
            GinWindow window = place.ginWindow(bytes);
            int next = (place.rank() + 1) % place.size();
            try (CompiledKernel put = place.compiler().compile(GinKernels::put);
                    CompiledKernel await = place.compiler().compile(GinKernels::await);
                    CompiledKernel count = place.compiler().compile(GinKernels::awaitCounter)) {
                LaunchConfig one = LaunchConfig.grid(1).block(1);
                place.run(put, one, nccl.gin(0), 1, next, window, 0L, window, 4L, 4L);
                place.run(await, one, nccl.gin(0), signal + 2, 0L);
                place.run(count, one, nccl.gin(0), nccl.firstCounter(place.numbers) + 1, 0L);
            }
            place.barrier();
        }
    },

    WRONG_ARGUMENTS {
        @Override
        void run(NcclPlace place) {
            NcclDevice nccl = place.nccl();
            assertThatThrownBy(() -> nccl.gin(nccl.ginContexts()))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("is not one of 0 to");
            assertThatThrownBy(() -> nccl.gin(0, new RankTeam(place.size() + 1, 0, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("are not all among the " + place.size());
            assertThatThrownBy(() -> nccl.ginBarriers(nccl.gin(0), place.memory))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is something else");
            assertThatThrownBy(() -> nccl.ginBarriers(nccl.gin(0, new RankTeam(1, 0, 2)), place.networkBarriers))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> nccl.firstSignal(DeviceResource.of(0, 1, 1, 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("was not required");
            assertThatThrownBy(() -> nccl.ginWindow(place.own(DataType.INT32, 4)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    },

    /** What kernels use that there is not: of a device each, which is of no use afterwards. */
    WRONG_IN_KERNELS {
        @Override
        void run(NcclPlace place) {
            wrong(place, place.size(), 0, 0, 4, "rank " + place.size() + " of the team");
            wrong(place, -1, 0, 0, 4, "rank -1 of the team");
            wrong(place, 0, 5, 0, 4, "from byte 5 on");
            wrong(place, 0, 0, -1, 4, "from byte -1 on");
            wrong(place, 0, 0, 0, -4, "from byte 0 on");
            int none = place.nccl().gin(0).signals();
            try (NcclPlace fresh = place.another();
                    CompiledKernel await = place.compiler().compile(GinKernels::await)) {
                assertThatThrownBy(() -> fresh.run(
                                await,
                                LaunchConfig.grid(1).block(1),
                                fresh.nccl().gin(0),
                                none,
                                0L))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("signal " + none);
                place.barrier();
            }
            int noCounter = place.nccl().gin(0).counters();
            try (NcclPlace fresh = place.another();
                    CompiledKernel await = place.compiler().compile(GinKernels::awaitCounter)) {
                assertThatThrownBy(() -> fresh.run(
                                await,
                                LaunchConfig.grid(1).block(1),
                                fresh.nccl().gin(0),
                                noCounter,
                                0L))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("counter " + noCounter);
                place.barrier();
            }
        }

        private static void wrong(NcclPlace place, int peer, long to, long from, long bytes, String message) {
            Buffer memory = place.array(DataType.INT8, 8);
            try (NcclPlace fresh = place.another();
                    CompiledKernel put = place.compiler().compile(GinKernels::put)) {
                GinWindow window = fresh.ginWindow(memory);
                LaunchConfig one = LaunchConfig.grid(1).block(1);
                assertThatThrownBy(() ->
                                fresh.run(put, one, fresh.nccl().gin(0), 0, peer, window, to, window, from, bytes))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining(message);
                place.barrier();
            }
        }
    },

    /** The time is over for a signal, too. */
    A_SIGNAL_THAT_DOES_NOT_COME {
        @Override
        void run(NcclPlace place) {
            try (NcclPlace fresh = place.another();
                    CompiledKernel await = place.compiler().compile(GinKernels::await)) {
                fresh.nccl().timeout(Duration.ofMillis(300));
                assertThatThrownBy(() -> fresh.run(
                                await,
                                LaunchConfig.grid(1).block(32),
                                fresh.nccl().gin(0),
                                2,
                                1L))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("signal 2 on NcclDevice[rank " + place.rank());
                place.barrier();
            }
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
                GinBarriers barriers = world(place);
                try (CompiledKernel meet = place.compiler().compile(GinKernels::meet)) {
                    assertThatThrownBy(
                                    () -> place.run(meet, LaunchConfig.grid(1).block(32), barriers, 3))
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageContaining("network barrier 3 on NcclDevice[rank " + place.rank())
                            .hasMessageContaining("for rank " + missing + " in vain");
                }
                assertThatThrownBy(() -> place.nccl().gin(0)).isInstanceOf(CommTimeoutException.class);
            }
            place.barrier();
        }
    };

    abstract void run(NcclPlace place);

    private static GinBarriers world(NcclPlace place) {
        return place.nccl().ginBarriers(place.nccl().gin(0), place.networkBarriers);
    }

    private static void ring(NcclPlace place, Coop coop, LaunchConfig config) {
        int count = 100;
        long all = (long) NcclPlace.BLOCKS_OF_RING * count;
        Buffer received = place.array(DataType.INT32, all);
        Buffer sent = place.array(DataType.INT32, all);
        Buffer wrong = place.own(DataType.INT32, 1);
        // Of a device of its own, whose signals begin at 0.
        try (NcclPlace fresh = place.another();
                CompiledKernel ring = place.compiler().compile(GinKernels::ring, coop)) {
            place.barrier();
            fresh.run(
                    ring,
                    config,
                    fresh.nccl().gin(0),
                    fresh.ginWindow(received),
                    fresh.ginWindow(sent),
                    I32Ptr.of(received),
                    I32Ptr.of(sent),
                    count,
                    place.onGpu() ? 2000 : 40,
                    wrong);
            assertThat(wrong.toHost().getInt(0)).isZero();
            place.barrier();
        }
    }

    private static void rounds(NcclPlace place, Coop coop, GinBarriers barriers, LaunchConfig config) {
        Buffer words = place.array(DataType.INT32, 64L * place.size());
        Buffer wrong = place.own(DataType.INT32, 1);
        try (CompiledKernel rounds = place.compiler().compile(GinKernels::rounds, coop)) {
            place.run(
                    rounds,
                    config,
                    barriers,
                    place.ginWindow(words),
                    I32Ptr.of(words),
                    place.onGpu() ? 2000 : 40,
                    wrong);
            assertThat(wrong.toHost().getInt(0)).isZero();
        }
        place.barrier();
    }
}
