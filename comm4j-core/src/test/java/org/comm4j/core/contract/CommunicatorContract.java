// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;

/** Contract of a communicator: its ranks, memory, barrier, splits, asynchronous calls, timeouts, threads and end. */
public abstract class CommunicatorContract extends MemoryContract {
    protected CommunicatorContract(ContractEngine engine) {
        super(engine);
    }

    @RankCounts
    void ranksAreNumbered(int ranks) {
        probe(ranks, p -> {
            p.expect(p.size == ranks, "size is " + p.size);
            Buffer all = p.buffer("all", DataType.INT32, ranks, true);
            p.comm.allGather(p.of(p.rank), all);
            p.expect("ranks", all, HostArray.of(IntStream.range(0, ranks).toArray()));
            p.expect(!p.comm.engine().isBlank(), "the engine has no name");
        });
    }

    /** Nobody leaves a barrier before everybody has entered it; the clock is one for all processes of a machine. */
    @RankCounts
    void nobodyLeavesABarrierEarly(int ranks) {
        SplittableRandom random = random("barrier " + ranks);
        int[] late = random.ints(30, 0, ranks).toArray();
        probe(ranks, p -> {
            HostArray times = HostArray.allocate(DataType.INT64, 2);
            Buffer mine = p.memory(DataType.INT64, 2);
            Buffer all = p.memory(DataType.INT64, 2L * ranks);
            for (int i = 0; i < late.length; i++) {
                p.at("barrier " + i);
                if (p.rank == late[i]) {
                    Thread.sleep(2);
                }
                times.setLong(0, System.nanoTime());
                if (i % 3 == 2) {
                    p.comm.barrierAsync().await();
                } else {
                    p.comm.barrier();
                }
                times.setLong(1, System.nanoTime());
                mine.copyFrom(times);
                p.comm.allGather(mine, all);
                HostArray theirs = Probe.host(all);
                for (int r = 0; r < ranks; r++) {
                    p.expect(
                            times.getLong(1) - theirs.getLong(2L * r) >= 0,
                            "left the barrier before rank " + r + " entered");
                }
            }
            for (int i = 0; i < engine.times(Nightly.times(200, 2000)); i++) {
                p.comm.barrier();
            }
        });
    }

    // ---- split ----

    @RankCounts
    void splitByColourInKeyOrder(int ranks) {
        SplittableRandom random = random("split " + ranks);
        @SuppressWarnings("ArrayRecordComponent") // nobody compares them
        record Split(int[] colors, int[] keys) {}
        List<Split> splits = new ArrayList<>();
        for (int i = 0; i < engine.times(Nightly.times(6, 25)); i++) {
            splits.add(new Split(
                    random.ints(ranks, -1, 3).toArray(),
                    random.ints(ranks, -2, 3).toArray()));
        }
        probe(ranks, p -> {
            for (Split s : splits) {
                int color = s.colors[p.rank];
                p.at("split by " + Arrays.toString(s.colors) + " " + Arrays.toString(s.keys));
                List<Integer> members = new ArrayList<>();
                for (int r = 0; r < ranks; r++) {
                    if (s.colors[r] == color) {
                        members.add(r);
                    }
                }
                // The sort is stable: equal keys stay in rank order.
                members.sort((a, b) -> Integer.compare(s.keys[a], s.keys[b]));
                try (Communicator comm = p.comm.split(color, s.keys[p.rank])) {
                    if (color < 0) {
                        p.expect(comm == null, "color -1 got " + comm);
                        continue;
                    }
                    p.expect(comm.size() == members.size(), "size is " + comm.size() + " instead of " + members.size());
                    p.expect(comm.rank() == members.indexOf(p.rank), "rank is " + comm.rank() + " in " + members);
                    Buffer all = p.ints(members.size());
                    comm.allGather(p.of(p.rank), all);
                    p.expect(
                            "ranks",
                            all,
                            HostArray.of(
                                    members.stream().mapToInt(Integer::intValue).toArray()));
                }
            }
            MessageContract.expectInStep(p);
        });
    }

    @RankCounts
    void splitsOfSplits(int ranks) {
        probe(ranks, p -> {
            List<Communicator> nested = new ArrayList<>();
            Communicator comm = p.comm;
            while (comm.size() > 1) {
                comm = split(comm, comm.rank() % 2, -comm.rank());
                nested.add(comm);
            }
            // Innermost first, then outermost first, each with the outer ones alive.
            for (int pass = 0; pass < 2; pass++) {
                for (Communicator each : nested) {
                    Buffer one = p.of(1L);
                    each.allReduce(one, one, ReduceOp.SUM);
                    p.expect("sum of ones in " + each, one, HostArray.of((long) each.size()));
                }
                Collections.reverse(nested);
            }
            nested.forEach(Communicator::close);
            MessageContract.expectInStep(p);
        });
    }

    /** Creating and closing gives everything back, memory of the engine included. */
    @RankCounts({2, 4})
    void manySplitsOneAfterTheOther(int ranks) {
        probe(ranks, p -> {
            for (int i = 0; i < engine.times(Nightly.times(20, 150)); i++) {
                p.at("cycle " + i);
                try (Communicator comm = split(p.comm, (p.rank + i) % 2, i % 3 - p.rank)) {
                    Buffer data = comm.allocate(DataType.UINT8, 8 << 20);
                    Buffer one = p.buffer("one", DataType.INT64, 1, false);
                    one.fill(1);
                    comm.allReduce(one, one, ReduceOp.SUM);
                    p.expect("sum of ones", one, HostArray.of(ranks / 2L));
                    data.slice(0, 1).fill(1);
                }
            }
            MessageContract.expectInStep(p);
        });
    }

    @RankCounts
    void severalCommunicatorsInterleaved(int ranks) {
        SplittableRandom random = random("interleaved " + ranks);
        int[] choices = random.ints(Nightly.times(150, 500), 0, 4).toArray();
        probe(ranks, p -> {
            try (Communicator same = split(p.comm, 0, 0);
                    Communicator reversed = split(p.comm, 0, -p.rank);
                    Communicator half = split(p.comm, p.rank % 2, 0)) {
                List<Communicator> comms = List.of(p.comm, same, reversed, half);
                for (int i = 0; i < choices.length; i++) {
                    p.at("step " + i);
                    Communicator comm = comms.get(choices[i]);
                    Buffer value = p.buffer("value", DataType.INT64, 2, false);
                    value.copyFrom(HostArray.of((long) comm.rank(), i));
                    comm.broadcast(value, i % comm.size());
                    p.expect("broadcast", value, HostArray.of(i % comm.size(), (long) i));
                }
            }
        });
    }

    // ---- asynchronous calls ----

    @RankCounts
    void everyAsynchronousTwin(int ranks) {
        probe(ranks, p -> {
            int right = (p.rank + 1) % ranks;
            int left = (p.rank + ranks - 1) % ranks;
            Buffer mine = p.of(p.rank + 1L);
            Buffer sum = p.memory(DataType.INT64, 1);
            Buffer rooted = p.memory(DataType.INT64, 1);
            Buffer copied = p.memory(DataType.INT64, 1);
            Buffer inPlace = p.of(p.rank + 1L);
            Buffer gathered = p.memory(DataType.INT64, ranks);
            Buffer gatheredV = p.memory(DataType.INT64, ranks);
            Buffer atRoot = p.memory(DataType.INT64, ranks);
            Buffer scattered = p.memory(DataType.INT64, 1);
            Buffer sums = p.memory(DataType.INT64, 1);
            HostArray tens = HostArray.allocate(DataType.INT64, ranks);
            Buffer exchanged = p.memory(DataType.INT64, ranks);
            Buffer exchangedV = p.memory(DataType.INT64, ranks);
            Buffer message = p.memory(DataType.INT64, 1);
            long[] ones = new long[ranks];
            long[] packed = new long[ranks];
            for (int r = 0; r < ranks; r++) {
                tens.setLong(r, 10L * p.rank + r);
                ones[r] = 1;
                packed[r] = r;
            }
            Buffer numbers = p.of(tens);
            List<Request> requests = new ArrayList<>();
            requests.add(p.comm.allReduceAsync(mine, sum, ReduceOp.SUM));
            requests.add(p.comm.reduceAsync(mine, rooted, ReduceOp.MAX, 0));
            requests.add(p.comm.broadcastAsync(mine, copied, ranks - 1));
            requests.add(p.comm.broadcastAsync(inPlace, ranks - 1));
            requests.add(p.comm.allGatherAsync(mine, gathered));
            requests.add(p.comm.allGatherVAsync(mine, gatheredV, ones, packed));
            requests.add(p.comm.reduceScatterAsync(numbers, sums, ReduceOp.SUM));
            requests.add(p.comm.allToAllAsync(numbers, exchanged));
            requests.add(p.comm.allToAllVAsync(numbers, ones, packed, exchangedV, ones, packed));
            requests.add(p.comm.gatherAsync(mine, atRoot, 0));
            requests.add(p.comm.scatterAsync(numbers, scattered, 0));
            requests.add(p.comm.barrierAsync());
            if (ranks > 1) {
                // In this order everywhere, or two neighbours would both wait to send.
                if (p.rank % 2 == 0 && p.rank + 1 < ranks) {
                    requests.add(p.comm.sendAsync(mine, right));
                } else if (p.rank % 2 == 1) {
                    requests.add(p.comm.recvAsync(message, left));
                }
            }
            Collections.reverse(requests);
            for (Request request : requests) {
                request.await(Duration.ofSeconds(50));
                p.expect(request.isDone(), "not done after await: " + request);
                request.await();
            }
            long total = (long) ranks * (ranks + 1) / 2;
            p.expect("allReduce", sum, HostArray.of(total));
            p.expect("reduce", rooted, HostArray.of(p.rank == 0 ? ranks : 0L));
            p.expect("broadcast", copied, HostArray.of((long) ranks));
            p.expect("broadcast in place", inPlace, HostArray.of((long) ranks));
            p.expect("reduceScatter", sums, HostArray.of(10L * ranks * (ranks - 1) / 2 + (long) ranks * p.rank));
            p.expect("scatter", scattered, HostArray.of((long) p.rank));
            for (int r = 0; r < ranks; r++) {
                p.expect("allGather", gathered.slice(r, 1), HostArray.of(r + 1L));
                p.expect("allGatherV", gatheredV.slice(r, 1), HostArray.of(r + 1L));
                p.expect("gather", atRoot.slice(r, 1), HostArray.of(p.rank == 0 ? r + 1L : 0L));
                p.expect("allToAll", exchanged.slice(r, 1), HostArray.of(10L * r + p.rank));
                p.expect("allToAllV", exchangedV.slice(r, 1), HostArray.of(10L * r + p.rank));
            }
            if (p.rank % 2 == 1) {
                p.expect("message", message, HostArray.of(left + 1L));
            }
        });
    }

    /** Blocking and asynchronous calls of one communicator run in the order in which they were called. */
    @RankCounts
    void oneOrderForBlockingAndAsynchronousCalls(int ranks) {
        probe(ranks, p -> {
            Buffer x = p.comm.allocate(DataType.INT64, 100);
            for (int round = 0; round < engine.times(Nightly.times(10, 50)); round++) {
                p.at("round " + round);
                x.fill(1);
                Request sum = p.comm.allReduceAsync(x, x, ReduceOp.SUM);
                Request product = p.comm.allReduceAsync(x, x, ReduceOp.PROD);
                p.comm.allReduce(x, x, ReduceOp.MAX);
                long expected = 1;
                for (int r = 0; r < ranks; r++) {
                    expected *= ranks;
                }
                p.expect("last element", x.slice(99, 1), HostArray.of(expected));
                p.expect(sum.isDone() && product.isDone(), "a blocking call overtook " + sum + " or " + product);
                p.comm.allReduceAsync(x, x, ReduceOp.MIN);
                p.comm.barrier();
            }
        });
    }

    @RankCounts({2, 3})
    void awaitWithALimit(int ranks) {
        probe(ranks, p -> {
            Buffer one = p.of(1L);
            try (Communicator comm = split(p.comm, 0, 0)) {
                if (p.rank == 0) {
                    // The others' limits pass before this rank joins.
                    p.comm.barrier();
                    comm.allReduce(one, one, ReduceOp.SUM);
                } else {
                    Request request = comm.allReduceAsync(one, one, ReduceOp.SUM);
                    assertThatThrownBy(() -> request.await(Duration.ofMillis(30)))
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageContaining("allReduce")
                            .hasMessageContaining("rank " + p.rank)
                            .hasMessageContaining("30 ms");
                    p.expect(!request.isDone(), "done before rank 0 came: " + request);
                    p.comm.barrier();
                    request.await();
                }
                p.expect("sum", one, HostArray.of((long) ranks));
                // The limit was that of one await, not the end of the operation: all are still in step.
                comm.barrier();
            }
        });
    }

    // ---- timeouts ----

    /**
     * Rank 0 stays away from each operation; who needs it gets an exception in time, and only this communicator
     * suffers.
     */
    @RankCounts({2, 3})
    void timeout(int ranks) {
        long[] counts = new long[ranks];
        long[] offsets = new long[ranks];
        Arrays.setAll(counts, r -> 2);
        Arrays.setAll(offsets, r -> 2L * r);
        int all = 2 * ranks;
        List<BiConsumer<Probe, Communicator>> calls = List.of(
                (p, c) -> c.allReduce(p.ints(2), p.ints(2), ReduceOp.SUM),
                (p, c) -> c.broadcast(p.ints(2), 0),
                (p, c) -> c.allGather(p.ints(2), p.ints(all)),
                (p, c) -> c.allGatherV(p.ints(2), p.ints(all), counts, offsets),
                (p, c) -> c.reduceScatter(p.ints(all), p.ints(2), ReduceOp.SUM),
                (p, c) -> c.allToAll(p.ints(all), p.ints(all)),
                (p, c) -> c.allToAllV(p.ints(all), counts, offsets, p.ints(all), counts, offsets),
                (p, c) -> c.scatter(null, p.ints(2), 0),
                (p, c) -> c.recv(p.ints(2), 0),
                (p, c) -> c.barrier(),
                (p, c) -> c.group(g -> g.recv(p.ints(2), 0)),
                (p, c) -> c.allReduceAsync(p.ints(2), p.ints(2), ReduceOp.SUM).await(),
                (p, c) -> c.split(0, 0));
        probe(ranks, p -> {
            for (int i = 0; i < calls.size(); i++) {
                p.at("timeout of call " + i);
                BiConsumer<Probe, Communicator> call = calls.get(i);
                try (Communicator comm = split(p.comm, 0, 0)) {
                    if (p.rank > 0) {
                        comm.timeout(Duration.ofMillis(60));
                        assertThat(comm.timeout()).isEqualTo(Duration.ofMillis(60));
                        long start = System.nanoTime();
                        assertThatThrownBy(() -> call.accept(p, comm))
                                .isInstanceOf(CommTimeoutException.class)
                                .hasMessageContaining("rank " + comm.rank());
                        long millis = (System.nanoTime() - start) / 1_000_000;
                        p.expect(millis >= 59 && millis < 30_000, "the timeout of 60 ms came after " + millis + " ms");
                        assertThatThrownBy(comm::barrier)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("out of step");
                    }
                    MessageContract.expectInStep(p);
                }
            }
        });
    }

    @Test
    void timeoutIsNotNegative() {
        probe(1, p -> {
            assertThatThrownBy(() -> p.comm.timeout(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("negative");
            p.comm.timeout(Duration.ZERO);
            p.expect(p.comm.timeout().isZero(), "timeout is " + p.comm.timeout());
            // Longer than a long of nanoseconds: as good as no limit, not an overflow.
            p.comm.timeout(Duration.ofSeconds(Long.MAX_VALUE));
            p.comm.barrier();
        });
    }

    // ---- threads, end ----

    @RankCounts
    void usedFromAnotherThread(int ranks) {
        probe(ranks, p -> {
            try (Communicator other = split(p.comm, 0, 0);
                    ExecutorService threads = Executors.newCachedThreadPool()) {
                threads.submit(() -> sumMany(p.comm)).get();
                // Two communicators, two threads, at the same time.
                Future<?> second = threads.submit(() -> sumMany(other));
                sumMany(p.comm);
                second.get();
            }
        });
    }

    private static void sumMany(Communicator comm) {
        Buffer data = comm.allocate(DataType.INT64, 50);
        for (int i = 0; i < Nightly.times(60, 200); i++) {
            data.fill(i);
            comm.allReduce(data, data, ReduceOp.SUM);
            long last = Probe.host(data).getLong(49);
            if (last != (long) comm.size() * i) {
                throw new AssertionError("sum " + i + " is " + last);
            }
        }
    }

    @RankCounts
    void closed(int ranks) {
        probe(ranks, p -> {
            Communicator comm = split(p.comm, 0, 0);
            Buffer late = p.of(1L);
            Request request = comm.allReduceAsync(late, late, ReduceOp.SUM);
            comm.close();
            p.expect(request.isDone(), "closed before the end of " + request);
            p.expect("sum", late, HostArray.of((long) ranks));
            comm.close();
            Buffer x = p.of(1, 2);
            List<Runnable> calls = List.of(
                    comm::barrier,
                    () -> comm.allReduce(x, x, ReduceOp.SUM),
                    () -> comm.broadcast(x, 0),
                    () -> comm.split(0, 0),
                    () -> comm.group(g -> {}),
                    () -> comm.group(g -> g.broadcast(x, 0)),
                    () -> comm.groupAsync(g -> {}),
                    comm::barrierAsync,
                    () -> comm.allReduceAsync(x, x, ReduceOp.SUM),
                    () -> comm.allocate(DataType.INT32, 1));
            for (Runnable call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed");
            }
            p.expect(!comm.toString().isBlank() && comm.size() == ranks, "a closed communicator has lost its name");
            MessageContract.expectInStep(p);
        });
    }

    /** A split that takes everybody, with the parent's limit. */
    static Communicator split(Communicator comm, int color, int key) {
        Communicator part = comm.split(color, key);
        assertThat(part).isNotNull();
        part.timeout(comm.timeout());
        return part;
    }
}
