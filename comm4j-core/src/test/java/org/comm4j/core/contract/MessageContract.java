// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.Case.Memory;
import org.comm4j.core.contract.Case.Values;
import org.comm4j.core.contract.Case.Via;
import org.comm4j.test.Nightly;

/** Sends, receives and groups. */
public abstract class MessageContract extends Contract {
    protected MessageContract(ContractEngine engine) {
        super(engine);
    }

    private record Message(Case c, int from, int to) {}

    /** Every ordered pair of ranks with every type. */
    @RankCounts
    void everyPairAndType(int ranks) {
        SplittableRandom random = random("pairs " + ranks);
        List<Message> messages = new ArrayList<>();
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                for (DataType type : from == to ? new DataType[0] : DataType.values()) {
                    messages.add(new Message(message(random, type, random.nextInt(3)), from, to));
                    messages.add(new Message(message(random, type, random.nextInt(2000)), from, to));
                }
            }
        }
        deliver(ranks, 2000 * 16, messages);
    }

    /** Sizes around everything that an engine may have a limit at. */
    @RankCounts({2, 3, 8})
    void aroundPowersOfTwo(int ranks) {
        SplittableRandom random = random("message sizes " + ranks);
        List<Message> messages = new ArrayList<>();
        for (int power = 3; power <= 20; power++) {
            long bytes = 1L << power;
            List<Long> around = List.of(bytes - 1, bytes, bytes + 1);
            for (long count : power < 15 ? around : Nightly.variants(power, around)) {
                int from = random.nextInt(ranks);
                int to = (from + 1 + random.nextInt(ranks - 1)) % ranks;
                messages.add(new Message(message(random, DataType.UINT8, count), from, to));
            }
        }
        deliver(ranks, (1 << 20) + 1, messages);
    }

    private void deliver(int ranks, long bytes, List<Message> messages) {
        probe(ranks, bytes, p -> {
            for (Message m : messages) {
                if (p.rank == m.from) {
                    p.at("send to " + m.to + " of " + m.c);
                    send(p, m.c, m.to);
                } else if (p.rank == m.to) {
                    p.at("receive from " + m.from + " of " + m.c);
                    receive(p, m.c, m.from);
                }
            }
        });
    }

    /** Small messages in one direction, as fast as they can be sent; the receiver gets all of them, in order. */
    @RankCounts({2, 8})
    void floodInOneDirection(int ranks) {
        probe(ranks, p -> {
            Buffer one = p.buffer("message", DataType.INT64, 17, true);
            for (int i = 0; i < engine.times(Nightly.times(2000, 20_000)); i++) {
                Buffer message = one.slice(0, 1 + i % 17);
                if (p.rank == 0) {
                    message.fill(i);
                    p.comm.send(message, ranks - 1);
                } else if (p.rank == ranks - 1) {
                    p.at("message " + i);
                    p.comm.recv(message, 0);
                    HostArray came = Probe.host(message);
                    p.expect(came.getLong(0) == i && came.getLong(i % 17) == i, "is message " + came.getLong(0));
                }
            }
        });
    }

    @RankCounts({2})
    void largeMessagesOutsideEngineMemory(int ranks) {
        SplittableRandom random = random("large messages");
        Case c = new Case(
                DataType.FLOAT32,
                null,
                Nightly.times(3, 10) << 20 | 1,
                0,
                false,
                Memory.ORDINARY,
                Via.BLOCKING,
                Values.RANDOM,
                random.nextLong());
        probe(ranks, c.count() * 4, p -> {
            for (int i = 0; i < 2; i++) {
                p.at("message " + i);
                if (p.rank == i) {
                    send(p, c, 1 - p.rank);
                } else {
                    receive(p, c, 1 - p.rank);
                }
            }
        });
    }

    @RankCounts
    void manyToOneAndBack(int ranks) {
        probe(ranks, p -> {
            Buffer value = p.buffer("value", DataType.INT32, 1, false);
            for (int i = 0; i < engine.times(Nightly.times(50, 200)); i++) {
                int centre = i % ranks;
                for (int r = 0; r < ranks && p.rank == centre; r++) {
                    if (r != centre) {
                        p.at("round " + i + ", from " + r);
                        p.comm.recv(value, r);
                        p.expect("value", value, HostArray.of(1000 * i + r));
                        p.comm.send(value, r);
                    }
                }
                if (p.rank != centre) {
                    p.at("round " + i + ", echo");
                    value.fill(1000 * i + p.rank);
                    p.comm.send(value, centre);
                    value.fill(-1);
                    p.comm.recv(value, centre);
                    p.expect("value", value, HostArray.of(1000 * i + p.rank));
                }
            }
        });
    }

    // ---- groups ----

    /** Each rank sends to its right and receives from its left, for one rank that is itself; small and large. */
    @RankCounts
    void ring(int ranks) {
        SplittableRandom random = random("ring " + ranks);
        List<Case> cases = new ArrayList<>();
        for (long count : new long[] {0, 1, 13, 4096, 300_001}) {
            cases.add(message(random, DataType.FLOAT64, count));
        }
        probe(ranks, 300_001 * 8, p -> {
            int right = (p.rank + 1) % ranks;
            int left = (p.rank + ranks - 1) % ranks;
            for (Case c : cases) {
                p.at("ring " + c);
                Buffer send = filled(p, c);
                Buffer recv = p.buffer(c, "recv", c.count());
                p.comm.group(g -> {
                    // Receives first: the order of calls in a group must not matter between different peers.
                    g.recv(recv, left);
                    g.send(send, right);
                });
                p.expect("recv", recv, Reference.input(c, left, c.count()));
                p.expectGuardsIntact();
            }
        });
    }

    /** What allToAll does, by sends and receives, self included, with a different count for each pair. */
    @RankCounts
    void allToAllBySends(int ranks) {
        probe(ranks, ranks * 5000L * 4, p -> {
            for (int scale : new int[] {0, 1, 60}) {
                p.at("scale " + scale);
                Buffer send = p.buffer("send", DataType.INT32, ranks * 5000L, p.rank % 2 == 0);
                Buffer recv = p.buffer("recv", DataType.INT32, ranks * 5000L, p.rank % 2 == 1);
                p.comm.group(g -> {
                    for (int r = 0; r < ranks; r++) {
                        HostArray data = HostArray.allocate(DataType.INT32, (long) scale * (1 + p.rank + 8 * r));
                        fillFrom(data, 100_000L * (10 * p.rank + r));
                        Buffer out = send.slice(5000L * r, data.count());
                        out.copyFrom(data);
                        g.send(out, r);
                        g.recv(recv.slice(5000L * r, (long) scale * (1 + r + 8 * p.rank)), r);
                    }
                });
                for (int r = 0; r < ranks; r++) {
                    HostArray expected = Probe.blank(DataType.INT32, 5000);
                    for (int i = 0; i < (long) scale * (1 + r + 8 * p.rank); i++) {
                        expected.setInt(i, 100_000 * (10 * r + p.rank) + i);
                    }
                    p.expect("from " + r, recv.slice(5000L * r, 5000), expected);
                }
                p.expectGuardsIntact();
            }
        });
    }

    /**
     * Several messages from one rank to another in one group arrive in the order of the calls, each in its own buffer.
     */
    @RankCounts
    void severalMessagesInOneDirection(int ranks) {
        long[] counts = {3, 0, 1, 2000, 7, 7, 70_000, 1};
        probe(ranks, 80_000 * 8, p -> {
            int right = (p.rank + 1) % ranks;
            int left = (p.rank + ranks - 1) % ranks;
            for (int round = 0; round < Nightly.times(6, 20); round++) {
                p.at("round " + round);
                Buffer send = p.buffer("send", DataType.INT64, 80_000, round % 2 == 0);
                Buffer recv = p.buffer("recv", DataType.INT64, 80_000, round % 3 == 0);
                HostArray data = HostArray.allocate(DataType.INT64, 80_000);
                fillFrom(data, 1_000_000L * p.rank + round);
                send.copyFrom(data);
                p.comm.group(g -> {
                    long at = 0;
                    for (long count : counts) {
                        g.send(send.slice(at, count), right);
                        g.recv(recv.slice(at, count), left);
                        at += count;
                    }
                });
                HostArray expected = Probe.blank(DataType.INT64, 80_000);
                long total = Arrays.stream(counts).sum();
                fillFrom(expected.slice(0, total), 1_000_000L * left + round);
                p.expect("recv", recv, expected);
            }
        });
    }

    /** Collectives and messages in one group. */
    @RankCounts
    void collectivesInsideAGroup(int ranks) {
        probe(ranks, p -> {
            for (int round = 0; round < Nightly.times(20, 50); round++) {
                p.at("round " + round);
                int root = round % ranks;
                int right = (p.rank + 1) % ranks;
                int left = (p.rank + ranks - 1) % ranks;
                Buffer sum = p.buffer("sum", DataType.INT64, 3, true);
                Buffer most = p.buffer("most", DataType.INT64, 3, true);
                Buffer news = p.buffer("news", DataType.INT64, 3, true);
                Buffer token = p.buffer("token", DataType.INT64, 1, false);
                Buffer got = p.buffer("got", DataType.INT64, 1, false);
                Buffer all = p.buffer("all", DataType.INT64, ranks, false);
                Buffer from = p.buffer("from", DataType.INT64, 1, false);
                sum.fill(p.rank + round);
                news.fill(p.rank + round);
                token.fill(p.rank);
                p.comm.group(g -> {
                    g.send(token, right);
                    g.allReduce(sum, sum, ReduceOp.SUM);
                    g.allReduce(news, most, ReduceOp.MAX);
                    g.recv(got, left);
                    g.allGather(token, all);
                    g.broadcast(p.rank == root ? token : null, from, root);
                });
                long expected = ranks * (ranks - 1) / 2 + (long) ranks * round;
                p.expect("sum", sum, HostArray.of(expected, expected, expected));
                long greatest = ranks - 1L + round;
                p.expect("most", most, HostArray.of(greatest, greatest, greatest));
                p.expect("token", got, HostArray.of((long) left));
                p.expect("from", from, HostArray.of((long) root));
                p.expect("part " + root + " of all", all.slice(root, 1), HostArray.of((long) root));
                p.expectGuardsIntact();
            }
        });
    }

    /** What depends on the order of a group's operations is refused, be they few or many; the communicator works on. */
    @RankCounts
    void dependentOperationsInsideAGroup(int ranks) {
        probe(ranks, p -> {
            Buffer x = p.buffer("x", DataType.INT64, 100, true);
            Buffer y = p.buffer("y", DataType.INT64, 100, true);
            int right = (p.rank + 1) % ranks;
            int left = (p.rank + ranks - 1) % ranks;
            List<Consumer<Operations>> bodies = List.of(
                    g -> {
                        g.allReduce(x, y, ReduceOp.SUM);
                        g.broadcast(y, 0);
                    },
                    g -> {
                        g.allReduce(x, x, ReduceOp.SUM);
                        g.allReduce(x.slice(99, 1), y.slice(0, 1), ReduceOp.SUM);
                    },
                    g -> {
                        g.send(x, right);
                        g.recv(x, left);
                    },
                    g -> {
                        for (int i = 0; i < 99; i++) {
                            g.allReduce(x.slice(i, 1), y.slice(i, 1), ReduceOp.SUM);
                        }
                        g.broadcast(x.slice(17, 1), 0);
                    });
            for (Consumer<Operations> body : bodies) {
                assertThatThrownBy(() -> p.comm.group(body))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("use the same memory")
                        .hasMessageContaining("a group that follows");
            }
            x.fill(1);
            y.fill(0);
            p.comm.group(g -> {
                for (int i = 0; i < 100; i++) {
                    g.allReduce(x.slice(i, 1), y.slice(99 - i, 1), ReduceOp.SUM);
                }
            });
            p.expect("y", y.slice(0, 1), HostArray.of((long) ranks));
            expectInStep(p);
        });
    }

    @RankCounts
    void emptyGroup(int ranks) {
        probe(ranks, p -> {
            p.comm.group(g -> {});
            p.comm.groupAsync(g -> {}).await();
            expectInStep(p);
        });
    }

    /** A group whose body throws on every rank submits nothing, neither messages nor collectives. */
    @RankCounts
    void bodyThatThrowsSubmitsNothing(int ranks) {
        probe(ranks, p -> {
            int right = (p.rank + 1) % ranks;
            int left = (p.rank + ranks - 1) % ranks;
            Buffer send = p.of(p.rank, p.rank);
            Buffer recv = p.buffer("recv", DataType.INT32, 2, true);
            Operations[] escaped = new Operations[1];
            assertThatThrownBy(() -> p.comm.group(g -> {
                        escaped[0] = g;
                        g.send(send, right);
                        g.recv(recv, left);
                        g.allReduce(send, recv, ReduceOp.SUM);
                        throw new IllegalCallerException("changed my mind");
                    }))
                    .isInstanceOf(IllegalCallerException.class)
                    .hasMessage("changed my mind");
            p.expectBlank("recv after the group that threw", recv);
            assertThatThrownBy(() -> escaped[0].send(send, right))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("group");
            // If the message had been sent, this receive would get it instead of the next.
            send.fill(100 + p.rank);
            p.comm.group(g -> {
                g.send(send, right);
                g.recv(recv, left);
            });
            p.expect("recv", recv, HostArray.of(100 + left, 100 + left));
            expectInStep(p);
        });
    }

    // ---- helpers ----

    private static Case message(SplittableRandom random, DataType type, long count) {
        return new Case(
                type,
                null,
                count,
                0,
                false,
                Memory.values()[random.nextInt(3)],
                Via.values()[random.nextInt(3)],
                Values.RANDOM,
                random.nextLong());
    }

    private static Buffer filled(Probe p, Case c) {
        Buffer send = p.buffer(c, "send", c.count());
        send.copyFrom(Reference.input(c, p.rank, c.count()));
        return send;
    }

    private static void send(Probe p, Case c, int to) {
        Buffer send = filled(p, c);
        c.via().call(p.comm, o -> o.send(send, to));
        p.expect("send", send, Reference.input(c, p.rank, c.count()));
    }

    private static void receive(Probe p, Case c, int from) {
        Buffer recv = p.buffer(c, "recv", c.count());
        c.via().call(p.comm, o -> o.recv(recv, from));
        p.expect("recv", recv, Reference.input(c, from, c.count()));
        p.expectGuardsIntact();
    }

    private static void fillFrom(HostArray target, long start) {
        for (long i = 0; i < target.count(); i++) {
            target.setLong(i, start + i);
        }
    }

    /** Notes a communicator whose ranks are not at the same call any more. */
    static void expectInStep(Probe p) {
        Buffer ranks = p.buffer("in step", DataType.INT64, 2, false);
        ranks.copyFrom(HostArray.of(1L + p.rank, 1L));
        p.comm.allReduce(ranks, ranks, ReduceOp.SUM);
        p.expect("allReduce afterwards", ranks, HostArray.of((long) p.size * (p.size + 1) / 2, (long) p.size));
    }
}
