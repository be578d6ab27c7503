// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;

/** A program whose ranks die, and whose other ranks go on; as threads or as processes. */
public final class LostRanks {
    private static final int LAST_ROUNDS = 14;

    private LostRanks() {}

    /**
     * Runs one rank: rounds of collectives whose results are compared with what those that live must get.
     *
     * @param comm of all ranks; closed here
     * @param deaths for each turn, which ranks of the world die in it
     * @param die ends this rank with its communicator, and does not return
     * @return what was seen, for messages
     */
    public static String run(World world, Communicator comm, List<List<Integer>> deaths, Consumer<Communicator> die) {
        List<Integer> living =
                new ArrayList<>(IntStream.range(0, world.size()).boxed().toList());
        StringBuilder seen = new StringBuilder();
        Communicator current = comm;
        boolean dies = false;
        try {
            for (List<Integer> dying : deaths) {
                try {
                    for (int round = 0; ; round++) {
                        if (round == 3 && dying.contains(world.rank())) {
                            dies = true;
                            die.accept(current);
                            throw new AssertionError("rank " + world.rank() + " goes on after its death");
                        }
                        round(current, living, world.rank(), round);
                    }
                } catch (CommException e) {
                    seen.append(e.getClass().getSimpleName()).append(' ');
                }
                Communicator rest = current.shrink();
                List<Integer> failed = current.failedRanks();
                assertThat(failed)
                        .isEqualTo(dying.stream().map(living::indexOf).sorted().toList());
                current.close();
                current = rest;
                living.removeAll(dying);
                assertThat(current.size()).isEqualTo(living.size());
                assertThat(current.rank()).isEqualTo(living.indexOf(world.rank()));
                assertThat(current.failedRanks()).isEmpty();
            }
            for (int round = 0; round < LAST_ROUNDS; round++) {
                round(current, living, world.rank(), round);
            }
            split(current, living, world.rank());
        } finally {
            if (!dies) {
                current.close();
            }
        }
        return seen + "finished";
    }

    private static void round(Communicator comm, List<Integer> living, int me, int round) {
        long count = round % 2 == 0 ? 7 : 70_001;
        int size = living.size();
        long sum = living.stream().mapToLong(rank -> value(rank, round)).sum();
        try (Holder x = new Holder(comm.allocate(DataType.INT64, count));
                Holder y = new Holder(comm.allocate(DataType.INT64, count * size))) {
            Buffer part = y.buffer.slice(0, count);
            x.fill(value(me, round));
            switch (round % 7) {
                case 0, 1 -> {
                    comm.allReduce(x.buffer, part, ReduceOp.SUM);
                    expect(part, sum);
                }
                case 2 -> {
                    comm.allReduceAsync(x.buffer, x.buffer, ReduceOp.SUM).await();
                    expect(x.buffer, sum);
                }
                case 3 -> {
                    int root = round % size;
                    comm.broadcast(x.buffer, root);
                    expect(x.buffer, value(living.get(root), round));
                }
                case 4 -> {
                    comm.allGather(x.buffer, y.buffer);
                    for (int rank = 0; rank < size; rank++) {
                        expect(y.buffer.slice(rank * count, count), value(living.get(rank), round));
                    }
                }
                case 5 -> {
                    int me2 = comm.rank();
                    comm.group(g -> {
                        g.send(x.buffer, (me2 + 1) % size);
                        g.recv(part, (me2 + size - 1) % size);
                    });
                    expect(part, value(living.get((me2 + size - 1) % size), round));
                }
                default -> comm.barrier();
            }
        }
    }

    /** A communicator of those that live is one as any other. */
    private static void split(Communicator comm, List<Integer> living, int me) {
        try (Communicator half = comm.split(comm.rank() % 2, -comm.rank())) {
            List<Integer> there = new ArrayList<>();
            for (int rank = living.size() - 1; rank >= 0; rank--) {
                if (rank % 2 == comm.rank() % 2) {
                    there.add(living.get(rank));
                }
            }
            assertThat(half).isNotNull();
            round(half, there, me, 1);
        }
        comm.barrier();
    }

    private static long value(int rank, int round) {
        return (rank + 1L) * (round + 1) * 1_000_003;
    }

    private static void expect(Buffer x, long value) {
        HostArray host = HostArray.allocate(DataType.INT64, x.count());
        x.copyTo(host);
        for (long i : new long[] {0, x.count() / 2, x.count() - 1}) {
            assertThat(host.getLong(i)).as("element " + i).isEqualTo(value);
        }
    }

    /** A buffer that may have to be closed. */
    private record Holder(Buffer buffer) implements AutoCloseable {
        void fill(long value) {
            HostArray host = HostArray.allocate(DataType.INT64, buffer.count());
            for (long i = 0; i < host.count(); i++) {
                host.setLong(i, value);
            }
            buffer.copyFrom(host);
        }

        @Override
        public void close() {
            if (buffer instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Exception e) {
                    throw new AssertionError("a buffer cannot be closed", e);
                }
            }
        }
    }
}
