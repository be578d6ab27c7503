// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.nccl.NcclBody.contents;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.cuda.StreamOrdered;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The form of every operation that takes a stream, over simulated GPUs; the contract of all engines is about the other
 * ones.
 */
class StreamOrderedTest {
    private static final int RANKS = 3;

    @BeforeEach
    void needsTheSimulation() {
        Simulation.require();
    }

    private static DeviceArray floats(NcclCommunicator comm, float... values) {
        DeviceArray array = comm.allocate(DataType.FLOAT32, values.length);
        array.copyFrom(HostArray.of(values));
        return array;
    }

    /** All are put into one stream before anything is waited for; rank r has 10 r, 10 r + 1, 10 r + 2. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyOperation(boolean blocking) {
        Simulation.ranks(RANKS, CommConfig.DEFAULT.blocking(blocking), comm -> {
            int me = comm.rank();
            int next = (me + 1) % RANKS;
            int previous = (me + 2) % RANKS;
            Map<DeviceArray, float[]> expected = new LinkedHashMap<>();
            try (Stream stream = comm.device().newStream()) {
                DeviceArray three = floats(comm, 10 * me, 10 * me + 1, 10 * me + 2);
                DeviceArray one = three.slice(0, 1);

                DeviceArray sum = floats(comm, -1, -1, -1);
                comm.allReduce(three, sum, ReduceOp.SUM, stream);
                expected.put(sum, new float[] {30, 33, 36});

                DeviceArray largest = floats(comm, -1, -1, -1);
                comm.reduce(three, me == 1 ? largest : null, ReduceOp.MAX, 1, stream);
                expected.put(largest, me == 1 ? new float[] {20, 21, 22} : new float[] {-1, -1, -1});

                DeviceArray copied = floats(comm, -1, -1, -1);
                comm.broadcast(me == 2 ? three : null, copied, 2, stream);
                expected.put(copied, new float[] {20, 21, 22});

                DeviceArray inPlace = floats(comm, me, me);
                comm.broadcast(inPlace, 2, stream);
                expected.put(inPlace, new float[] {2, 2});

                DeviceArray gathered = floats(comm, -1, -1, -1);
                comm.allGather(one, gathered, stream);
                expected.put(gathered, new float[] {0, 10, 20});

                // From rank 0 nothing, a gap in front, the last ones swapped.
                DeviceArray uneven = floats(comm, -1, -1, -1, -1, -1);
                comm.allGatherV(three.slice(0, me), uneven, new long[] {0, 1, 2}, new long[] {5, 4, 1}, stream);
                expected.put(uneven, new float[] {-1, 20, 21, -1, 10});

                DeviceArray scattered = floats(comm, -1);
                comm.reduceScatter(three, scattered, ReduceOp.SUM, stream);
                expected.put(scattered, new float[] {30 + 3 * me});

                DeviceArray exchanged = floats(comm, -1, -1, -1);
                comm.allToAll(three, exchanged, stream);
                expected.put(exchanged, new float[] {me, 10 + me, 20 + me});

                // Nobody sends to rank 0, rank 1 gets one of each, rank 2 two of each but its own.
                long[] get = {0, 1, 2};
                long got = get[me];
                DeviceArray parts = floats(comm, -1, -1, -1, -1, -1, -1);
                comm.allToAllV(
                        three,
                        get,
                        new long[] {3, 0, 1},
                        parts,
                        new long[] {got, got, got},
                        new long[] {0, 2, 4},
                        stream);
                expected.put(
                        parts,
                        me == 0
                                ? new float[] {-1, -1, -1, -1, -1, -1}
                                : me == 1 ? new float[] {0, -1, 10, -1, 20, -1} : new float[] {1, 2, 11, 12, 21, 22});

                DeviceArray atRoot = floats(comm, -1, -1, -1);
                comm.gather(one, me == 2 ? atRoot : null, 2, stream);
                expected.put(atRoot, me == 2 ? new float[] {0, 10, 20} : new float[] {-1, -1, -1});

                DeviceArray mine = floats(comm, -1);
                comm.scatter(me == 1 ? three : null, mine, 1, stream);
                expected.put(mine, new float[] {10 + me});

                DeviceArray some = floats(comm, me == 1 ? 0 : -1);
                comm.reduceScatterV(
                        three,
                        me == 1 ? some : some.slice(0, 0),
                        new long[] {0, 1, 0},
                        new long[] {0, 2, 3},
                        ReduceOp.MIN,
                        stream);
                expected.put(some, new float[] {me == 1 ? 2 : -1});

                comm.barrier(stream);

                DeviceArray message = floats(comm, -1, -1, -1);
                comm.group(
                        g -> {
                            g.send(three, next);
                            g.recv(message, previous);
                        },
                        stream);
                expected.put(message, new float[] {10 * previous, 10 * previous + 1, 10 * previous + 2});

                DeviceArray relayed = floats(comm, me == 0 ? 7 : -1);
                if (me > 0) {
                    comm.recv(relayed, me - 1, stream);
                }
                if (me < RANKS - 1) {
                    comm.send(relayed, me + 1, stream);
                }
                expected.put(relayed, new float[] {7});

                comm.synchronize(stream);
            }
            expected.forEach((array, values) -> assertThat(contents(array)).containsExactly(values));
        });
    }

    /**
     * Each is in the stream at once, where nobody waits for it, and the wait for the stream has the communicator's
     * limit.
     */
    @Test
    void aRankThatStaysAway() {
        Map<String, Consumer<NcclCommunicator>> calls = new LinkedHashMap<>();
        long[] ones = {1, 1};
        long[] offsets = {0, 1};
        calls.put("allReduce", c -> c.allReduce(floats(c, 1), floats(c, 1), ReduceOp.SUM, c.own));
        calls.put("reduce", c -> c.reduce(floats(c, 1), floats(c, 1), ReduceOp.SUM, 0, c.own));
        calls.put("broadcast", c -> c.broadcast(floats(c, 1), 1, c.own));
        calls.put("allGather", c -> c.allGather(floats(c, 1), floats(c, 1, 1), c.own));
        calls.put("allGatherV", c -> c.allGatherV(floats(c, 1), floats(c, 1, 1), ones, offsets, c.own));
        calls.put("reduceScatter", c -> c.reduceScatter(floats(c, 1, 1), floats(c, 1), ReduceOp.SUM, c.own));
        calls.put("allToAll", c -> c.allToAll(floats(c, 1, 1), floats(c, 1, 1), c.own));
        calls.put("allToAllV", c -> c.allToAllV(floats(c, 1, 1), ones, offsets, floats(c, 1, 1), ones, offsets, c.own));
        calls.put("gather", c -> c.gather(floats(c, 1), floats(c, 1, 1), 0, c.own));
        calls.put("scatter", c -> c.scatter(null, floats(c, 1), 1, c.own));
        calls.put("recv", c -> c.recv(floats(c, 1), 1, c.own));
        calls.put("barrier", c -> c.barrier(c.own));
        calls.put(
                "reduceScatterV",
                c -> c.reduceScatterV(floats(c, 1, 1), floats(c, 1), ones, offsets, ReduceOp.SUM, c.own));
        List<String> done = new ArrayList<>();
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            for (Map.Entry<String, Consumer<NcclCommunicator>> each : calls.entrySet()) {
                NcclCommunicator part = comm.split(0, comm.rank());
                if (comm.rank() == 0) {
                    part.timeout(Duration.ofMillis(50));
                    each.getValue().accept(part);
                    assertThatThrownBy(() -> part.synchronize(part.own))
                            .as(each.getKey())
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageContaining("rank 0 of 2")
                            // Of one call for each part it is the last.
                            .hasMessageContaining(
                                    each.getKey().equals("reduceScatterV") ? "reduce(" : each.getKey() + "(")
                            .hasMessageContaining("50 ms");
                    done.add(each.getKey());
                }
                comm.barrier();
                part.close();
            }
        });
        assertThat(done).containsExactlyElementsOf(calls.keySet());
    }

    /** Parts of different sizes that are written where others are read, or are not there. */
    @Test
    void unevenPartsThatCannotBe() {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray send = floats(comm, 1, 2, 3, 4);
            DeviceArray recv = floats(comm, 0, 0);
            long[] twos = {2, 2};
            long[] at = {0, 2};
            long reduces = Simulation.count("ncclReduce");
            // In place is this rank's own part.
            DeviceArray others = send.slice(2 - 2L * comm.rank(), 2);
            for (DeviceArray wrong : new DeviceArray[] {others, send.slice(1, 2)}) {
                assertThatThrownBy(() -> comm.reduceScatterV(send, wrong, twos, at, ReduceOp.SUM, comm.own))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> comm.reduceScatterV(send, wrong, twos, at, ReduceOp.SUM))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> comm.reduceScatterV(send, recv, null, at, ReduceOp.SUM, comm.own))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("counts");
            assertThatThrownBy(() -> comm.reduceScatterV(send, recv, twos, null, ReduceOp.SUM, comm.own))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("offsets");
            assertThatThrownBy(() -> comm.reduceScatterV(send, recv, twos, at, null, comm.own))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("op");
            assertThatThrownBy(() ->
                            comm.reduceScatterV(send, recv, new long[] {Long.MAX_VALUE, 2}, at, ReduceOp.SUM, comm.own))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("part of rank 0");
            assertThatThrownBy(() -> comm.reduceScatterV(send, recv, new long[] {1, 1}, at, ReduceOp.SUM, comm.own))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("recv holds 2 elements instead of 1");
            assertThat(Simulation.count("ncclReduce")).isEqualTo(reduces);
            comm.barrier();
            DeviceArray mine = send.slice(2L * comm.rank(), 2);
            comm.reduceScatterV(send, mine, twos, at, ReduceOp.SUM, comm.own);
            comm.synchronize(comm.own);
            assertThat(contents(mine)).containsExactly(comm.rank() == 0 ? new float[] {2, 4} : new float[] {6, 8});
        });
    }

    /** A virtual thread may be carried by another one at each call. */
    @Test
    void virtualThreads() {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray x = floats(comm, 1);
            List<Throwable> thrown = new ArrayList<>();
            Thread caller = Thread.ofVirtual().unstarted(() -> {
                for (int i = 0; i < 10; i++) {
                    comm.allReduce(x, x, ReduceOp.SUM, comm.own);
                    comm.synchronize(comm.own);
                    comm.group(g -> g.allReduce(x, x, ReduceOp.MAX));
                    Thread.yield();
                }
            });
            caller.setUncaughtExceptionHandler((thread, e) -> thrown.add(e));
            caller.start();
            caller.join();
            assertThat(thrown).isEmpty();
            assertThat(contents(x)).containsExactly(1 << 10);
        });
    }

    /** More elements than an int counts, which reach NCCL as they are: moved, and as units of two. */
    @Test
    void moreThanAnIntCounts() {
        long count = (1L << 31) + 12;
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            // Nothing is really done, so the memory need not be there.
            DeviceArray little = comm.allocate(DataType.INT8, 64);
            try {
                Simulation.set("noop", 1);
                DeviceArray large = new Pretended(little, DataType.INT8, count);
                comm.allReduce(large, large, ReduceOp.SUM, comm.own);
                assertThat(Simulation.get("lastCount")).isEqualTo(count);
                DeviceArray pairs = new Pretended(little, DataType.COMPLEX64, count);
                comm.allReduce(pairs, pairs, ReduceOp.SUM, comm.own);
                assertThat(Simulation.get("lastCount")).isEqualTo(2 * count);
                comm.group(g -> g.broadcast(pairs, 0), comm.own);
                assertThat(Simulation.get("lastCount")).isEqualTo(2 * count);
                comm.allGatherV(
                        new Pretended(little, DataType.INT16, count),
                        new Pretended(little, DataType.INT16, count),
                        new long[] {count},
                        new long[1],
                        comm.own);
                assertThat(Simulation.get("lastCount")).isEqualTo(2 * count);
            } finally {
                Simulation.set("noop", 0);
            }
        });
    }

    /** Whoever knows no engine has the same operations by the interface of cuda. */
    @Test
    void operationsOfAStream() {
        Simulation.ranks(RANKS, CommConfig.DEFAULT, comm -> {
            int me = comm.rank();
            StreamOrdered ordered = comm;
            try (Stream stream = comm.device().newStream()) {
                GroupedOperations operations = ordered.on(stream);
                DeviceArray sum = floats(comm, me, 1);
                operations.allReduce(sum, sum, ReduceOp.SUM);
                DeviceArray mine = floats(comm, me);
                DeviceArray next = floats(comm, -1);
                operations.group(group -> {
                    group.send(mine, (me + 1) % RANKS);
                    group.recv(next, (me + 2) % RANKS);
                });
                DeviceArray all = floats(comm, -1, -1, -1);
                operations.allGather(mine, all);
                ordered.synchronize(stream);
                assertThat(contents(sum)).containsExactly(3, 3);
                assertThat(contents(next)).containsExactly((me + 2) % RANKS);
                assertThat(contents(all)).containsExactly(0, 1, 2);
                assertThatThrownBy(() -> operations.allReduce(sum, all, ReduceOp.SUM))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> operations.send(mine, me)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    /** Some memory that says that it is more. */
    private static final class Pretended extends DeviceArray {
        Pretended(DeviceArray memory, DataType type, long count) {
            super(memory, type, memory.address(), count);
        }
    }
}
