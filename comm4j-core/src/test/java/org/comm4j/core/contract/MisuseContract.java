// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;

/**
 * Every wrong call is an exception of the right type, with a message that says what to do, before anything is sent: the
 * ranks are in step afterwards. Each call is tried blocking, in a group and asynchronously.
 */
public abstract class MisuseContract extends Contract {
    private static final ReduceOp SUM = ReduceOp.SUM;
    private static final Class<NullPointerException> NULL = NullPointerException.class;
    private static final Class<IllegalArgumentException> ARGUMENT = IllegalArgumentException.class;
    private static final Class<IllegalStateException> STATE = IllegalStateException.class;

    protected MisuseContract(ContractEngine engine) {
        super(engine);
    }

    @RankCounts({2, 5})
    void nulls(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, NULL, "null");
            Buffer x = p.ints(2);
            Buffer all = p.ints(2 * ranks);
            long[] v = new long[ranks];
            wrong.call("send", o -> o.allReduce(null, x, SUM));
            wrong.call("recv", o -> o.allReduce(x, null, SUM));
            wrong.call("op", o -> o.allReduce(x, x, null));
            wrong.call("send", o -> o.reduce(null, x, SUM, 0));
            wrong.call("op", o -> o.reduce(x, x, null, 0));
            wrong.call("recv", o -> o.reduce(x, null, SUM, p.rank));
            wrong.call("recv", o -> o.broadcast(null, 0));
            wrong.call("recv", o -> o.broadcast(x, null, 0));
            wrong.call("send", o -> o.broadcast(null, x, p.rank));
            wrong.call("send", o -> o.allGather(null, all));
            wrong.call("recv", o -> o.allGather(x, null));
            wrong.call("send", o -> o.allGatherV(null, all, v, v));
            wrong.call("recv", o -> o.allGatherV(p.ints(0), null, v, v));
            wrong.call("counts", o -> o.allGatherV(p.ints(0), all, null, v));
            wrong.call("offsets", o -> o.allGatherV(p.ints(0), all, v, null));
            wrong.call("counts", o -> o.allGatherV(p.ints(0), all, null));
            wrong.call("send", o -> o.reduceScatter(null, x, SUM));
            wrong.call("recv", o -> o.reduceScatter(all, null, SUM));
            wrong.call("op", o -> o.reduceScatter(all, x, null));
            wrong.call("send", o -> o.allToAll(null, all));
            wrong.call("recv", o -> o.allToAll(all, null));
            wrong.call("send", o -> o.allToAllV(null, v, v, all, v, v));
            wrong.call("recv", o -> o.allToAllV(all, v, v, null, v, v));
            wrong.call("counts for send", o -> o.allToAllV(x, null, v, all, v, v));
            wrong.call("offsets for send", o -> o.allToAllV(x, v, null, all, v, v));
            wrong.call("counts for recv", o -> o.allToAllV(x, v, v, all, null, v));
            wrong.call("offsets for recv", o -> o.allToAllV(x, v, v, all, v, null));
            wrong.call("counts for send", o -> o.allToAllV(x, null, all, v));
            wrong.call("send", o -> o.gather(null, all, 0));
            wrong.call("recv", o -> o.gather(x, null, p.rank));
            wrong.call("recv", o -> o.scatter(all, null, 0));
            wrong.call("send", o -> o.scatter(null, x, p.rank));
            wrong.call("buffer", o -> o.send(null, (p.rank + 1) % ranks));
            wrong.call("buffer", o -> o.recv(null, (p.rank + 1) % ranks));
            wrong.rejected("body", "group", () -> p.comm.group(null));
            wrong.rejected("body", "group", () -> p.comm.groupAsync(null));
        });
    }

    @RankCounts({2, 5})
    void freedMemory(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, STATE, "freed");
            Buffer freed = p.freed(DataType.INT32, 2);
            Buffer freedAll = p.freed(DataType.INT32, 2L * ranks);
            Buffer x = p.ints(2);
            Buffer all = p.ints(2 * ranks);
            long[] twos = new long[ranks];
            long[] at = new long[ranks];
            for (int r = 0; r < ranks; r++) {
                twos[r] = 2;
                at[r] = 2L * r;
            }
            wrong.call("send", o -> o.allReduce(freed, x, SUM));
            wrong.call("recv", o -> o.allReduce(x, freed, SUM));
            wrong.call("send", o -> o.reduce(freed, x, SUM, 0));
            wrong.call("recv", o -> o.reduce(x, freed, SUM, p.rank));
            wrong.call("recv", o -> o.broadcast(freed, 0));
            wrong.call("send", o -> o.broadcast(freed, x, p.rank));
            wrong.call("send", o -> o.allGather(freed, all));
            wrong.call("recv", o -> o.allGather(x, freedAll));
            wrong.call("recv", o -> o.allGatherV(x, freedAll, twos, at));
            wrong.call("recv", o -> o.reduceScatter(all, freed, SUM));
            wrong.call("send", o -> o.allToAll(freedAll, all));
            wrong.call("send", o -> o.allToAllV(freedAll, twos, at, all, twos, at));
            wrong.call("send", o -> o.gather(freed, all, 0));
            wrong.call("recv", o -> o.scatter(all, freed, 0));
            wrong.call("buffer", o -> o.send(freed, (p.rank + 1) % ranks));
            wrong.call("buffer", o -> o.recv(freed, (p.rank + 1) % ranks));
        });
    }

    @RankCounts({2, 5})
    void countsAndTypes(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, ARGUMENT, "");
            Buffer two = p.ints(2);
            Buffer three = p.ints(3);
            Buffer all = p.ints(2 * ranks);
            Buffer floats = p.memory(DataType.FLOAT32, 2);
            Buffer allFloats = p.memory(DataType.FLOAT32, 2L * ranks);
            wrong.call("recv holds 3 elements instead of 2", o -> o.allReduce(two, three, SUM));
            wrong.call("recv holds 2 elements instead of 3", o -> o.reduce(three, two, SUM, p.rank));
            wrong.call("recv holds 3 elements instead of 2", o -> o.broadcast(two, three, p.rank));
            wrong.call("instead of " + ranks + " x 3", o -> o.allGather(three, all));
            wrong.call("instead of " + ranks + " x 3", o -> o.reduceScatter(all, three, SUM));
            wrong.call("elements instead of " + 2 * ranks, o -> o.allToAll(all, two.slice(0, 1)));
            wrong.call("equal parts", o -> o.allToAll(p.ints(2 * ranks + 1), p.ints(2 * ranks + 1)));
            wrong.call("instead of " + ranks + " x 3", o -> o.gather(three, all, p.rank));
            wrong.call("instead of " + ranks + " x 3", o -> o.scatter(all, three, p.rank));
            String types = "INT32 but recv holds FLOAT32";
            wrong.call(types, o -> o.allReduce(two, floats, SUM));
            wrong.call(types, o -> o.reduce(two, floats, SUM, p.rank));
            wrong.call(types, o -> o.broadcast(two, floats, p.rank));
            wrong.call(types, o -> o.allGather(two, allFloats));
            wrong.call(types, o -> o.reduceScatter(all, floats, SUM));
            wrong.call(types, o -> o.allToAll(all, allFloats));
            wrong.call(types, o -> o.gather(two, allFloats, p.rank));
            wrong.call(types, o -> o.scatter(all, floats, p.rank));
            wrong.call(types, o -> o.allGatherV(p.ints(0), floats, new long[ranks], new long[ranks]));
            wrong.call(
                    types,
                    o -> o.allToAllV(two, new long[ranks], new long[ranks], floats, new long[ranks], new long[ranks]));
            Wrong range = new Wrong(p, IndexOutOfBoundsException.class, "");
            range.call("leaves", o -> o.allReduce(two.slice(0, 3), two, SUM));
            range.call("leaves", o -> o.broadcast(two.slice(0, -1), 0));
            wrong.call("-1", o -> o.broadcast(p.comm.allocate(DataType.INT32, -1), 0));
        });
    }

    @RankCounts({2, 5})
    void rootsAndPeers(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, ARGUMENT, "from 0 to " + (ranks - 1));
            Buffer x = p.ints(2);
            Buffer all = p.ints(2 * ranks);
            for (int bad : new int[] {-1, ranks, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                wrong.call("root " + bad, o -> o.reduce(x, x, SUM, bad));
                wrong.call("root " + bad, o -> o.broadcast(x, bad));
                wrong.call("root " + bad, o -> o.broadcast(x, x, bad));
                wrong.call("root " + bad, o -> o.gather(x, all, bad));
                wrong.call("root " + bad, o -> o.scatter(all, x, bad));
                wrong.call("peer " + bad, o -> o.send(x, bad));
                wrong.call("peer " + bad, o -> o.recv(x, bad));
            }
            Wrong color = new Wrong(p, ARGUMENT, "at least 0");
            color.rejected("color -2", "split", () -> p.comm.split(-2, 0));
        });
    }

    @RankCounts({2, 5})
    void undefinedReductions(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, ARGUMENT, "not defined for");
            int undefined = 0;
            for (DataType type : DataType.values()) {
                for (ReduceOp op : ReduceOp.values()) {
                    if (!op.supports(type)) {
                        undefined++;
                        Buffer x = p.memory(type, 2);
                        Buffer all = p.memory(type, 2L * ranks);
                        wrong.call(op + " is not defined for " + type, o -> o.allReduce(x, x, op));
                        wrong.call(op + " is not defined for " + type, o -> o.reduce(x, x, op, 0));
                        wrong.call(op + " is not defined for " + type, o -> o.reduceScatter(all, x, op));
                    }
                }
            }
            // Bit operations of 8 types that are not integers, and the order of 2 types that have none.
            assertThat(undefined).isEqualTo(3 * 8 + 2 * 2);
        });
    }

    @RankCounts({2, 5})
    void overlaps(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, ARGUMENT, "overlap");
            Buffer memory = p.buffer("memory", DataType.INT32, 2L * ranks + 3, true);
            Buffer all = memory.slice(0, 2L * ranks);
            Buffer shifted = memory.slice(1, 2L * ranks);
            int other = (p.rank + 1) % ranks;
            wrong.call("in-place form", o -> o.allReduce(all, shifted, SUM));
            wrong.call("in-place form", o -> o.reduce(shifted, all, SUM, p.rank));
            wrong.call("in-place form", o -> o.broadcast(all, shifted, p.rank));
            wrong.call("this rank's part of recv", o -> o.allGather(all.slice(2L * other, 2), all));
            wrong.call("this rank's part of recv", o -> o.gather(all.slice(2L * other, 2), all, p.rank));
            wrong.call("this rank's part of send", o -> o.reduceScatter(all, all.slice(2L * other, 2), SUM));
            wrong.call("this rank's part of send", o -> o.scatter(all, all.slice(2L * other, 2), p.rank));
            wrong.call("no in-place form", o -> o.allToAll(all, all));
            wrong.call("no in-place form", o -> o.allToAll(all, shifted));
            long[] twos = new long[ranks];
            long[] at = new long[ranks];
            for (int r = 0; r < ranks; r++) {
                twos[r] = 2;
                at[r] = 2L * r;
            }
            wrong.call("no in-place form", o -> o.allToAllV(all, twos, at, all, twos, at));
            wrong.call("this rank's part of recv", o -> o.allGatherV(all.slice(2L * other, 2), all, twos, at));
            p.expectBlank("memory after calls that were refused", memory);
        });
    }

    @RankCounts({2, 5})
    void unevenParts(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, ARGUMENT, "");
            Buffer x = p.ints(2);
            Buffer all = p.ints(2 * ranks);
            Buffer other = p.ints(2 * ranks);
            long[] twos = new long[ranks];
            long[] at = new long[ranks];
            for (int r = 0; r < ranks; r++) {
                twos[r] = 2;
                at[r] = 2L * r;
            }
            long[] longer = new long[ranks + 1];
            long[] shorter = new long[ranks - 1];
            wrong.call(ranks + 1 + " counts", o -> o.allGatherV(x, all, longer, at));
            wrong.call(ranks - 1 + " offsets", o -> o.allGatherV(x, all, twos, shorter));
            wrong.call("instead of " + ranks, o -> o.allGatherV(x, all, shorter));
            wrong.call("counts", o -> o.allToAllV(all, longer, at, other, twos, at));
            wrong.call("counts", o -> o.allToAllV(all, twos, at, other, shorter, at));
            long[] tooFar = at.clone();
            tooFar[ranks - 1]++;
            String last = "part of rank " + (ranks - 1);
            wrong.call(last, o -> o.allGatherV(x, all, twos, tooFar));
            wrong.call(last, o -> o.allToAllV(all, twos, tooFar, other, twos, at));
            wrong.call(last, o -> o.allToAllV(all, twos, at, other, twos, tooFar));
            for (long bad : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                long[] badAt0 = twos.clone();
                badAt0[0] = bad;
                wrong.call("part of rank 0 (" + bad + " elements", o -> o.allGatherV(x, all, badAt0, at));
                wrong.call("part of rank 0 (2 elements at " + bad, o -> o.allGatherV(x, all, twos, badAt0));
                wrong.call("part of rank 0 (" + bad, o -> o.allToAllV(all, badAt0, at, other, twos, at));
                wrong.call("part of rank 0 (" + bad, o -> o.allToAllV(all, twos, at, other, badAt0, at));
            }
            long[] onTop = at.clone();
            onTop[1] = 1;
            wrong.call("ranks 0 and 1 overlap", o -> o.allGatherV(x, all, twos, onTop));
            wrong.call("ranks 0 and 1 overlap", o -> o.allToAllV(all, twos, at, other, twos, onTop));
            long[] less = twos.clone();
            less[p.rank] = 1;
            wrong.call("send holds 2 elements instead of 1", o -> o.allGatherV(x, all, less, at));
            wrong.call("to itself", o -> o.allToAllV(all, less, at, other, twos, at));
        });
    }

    @RankCounts({2, 5})
    void messagesToOneself(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, ARGUMENT, "");
            Buffer x = p.ints(2);
            wrong.rejected("inside a group", "send", () -> p.comm.send(x, p.rank));
            wrong.rejected("inside a group", "recv", () -> p.comm.recv(x, p.rank));
            wrong.rejected("needs its recv", "group", () -> p.comm.group(g -> g.send(x, p.rank)));
            wrong.rejected("needs its recv", "group", () -> p.comm.group(g -> g.recv(x, p.rank)));
            wrong.rejected("needs its recv", "group", () -> p.comm.sendAsync(x, p.rank));
            wrong.rejected(
                    "3 x INT32",
                    "group",
                    () -> p.comm.group(g -> {
                        g.send(x, p.rank);
                        g.recv(p.ints(3), p.rank);
                    }));
            wrong.rejected(
                    "FLOAT32",
                    "group",
                    () -> p.comm.group(g -> {
                        g.send(x, p.rank);
                        g.recv(p.memory(DataType.FLOAT32, 2), p.rank);
                    }));
        });
    }

    /** One bad call among good ones: none of them happens. */
    @RankCounts({2, 5})
    void oneBadCallInAGroup(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, ARGUMENT, "");
            Buffer x = p.of(1, 2);
            Buffer y = p.buffer("y", DataType.INT32, 2, true);
            wrong.rejected(
                    "root 99",
                    "broadcast",
                    () -> p.comm.group(g -> {
                        g.allReduce(x, y, SUM);
                        g.send(x, (p.rank + 1) % ranks);
                        g.recv(y, (p.rank + ranks - 1) % ranks);
                        g.broadcast(x, 99);
                    }));
            p.expectBlank("y after a group that was refused", y);
        });
    }

    /** The communicator's own methods would run before the group in whose body they are called. */
    @RankCounts({2, 5})
    void callsOfTheCommunicatorInTheBodyOfAGroup(int ranks) {
        probe(ranks, p -> {
            Wrong wrong = new Wrong(p, STATE, "body of a group");
            Buffer x = p.ints(2);
            Map<String, Runnable> calls = Map.of(
                    "allReduce",
                    () -> p.comm.allReduce(x, x, SUM),
                    "send",
                    () -> p.comm.send(x, (p.rank + 1) % ranks),
                    "barrier",
                    p.comm::barrier,
                    "split",
                    () -> p.comm.split(0, 0),
                    "group",
                    () -> p.comm.group(g -> g.broadcast(x, 0)));
            // In the same order on all ranks.
            new TreeMap<>(calls).forEach((name, call) -> {
                wrong.rejected(name + " on rank " + p.rank, "before or after", () -> p.comm.group(g -> call.run()));
                wrong.rejected(
                        name,
                        "before or after",
                        () -> p.comm.groupAsync(g -> {
                            g.broadcast(x, 0);
                            call.run();
                        }));
            });
        });
    }

    /** Calls that must be refused. */
    private record Wrong(Probe p, Class<? extends Throwable> type, String always) {

        /** Tries a call in each way; the message must contain {@code part}, and say which operation on which rank. */
        void call(String part, Consumer<Operations> call) {
            p.at(part);
            // What is wrong with a buffer or slice itself is found before there is an operation.
            String operation = type == IndexOutOfBoundsException.class || part.equals("-1") ? "" : " on rank " + p.rank;
            rejected(part, operation, () -> call.accept(p.comm));
            rejected(part, operation, () -> p.comm.group(call));
            rejected(part, operation, () -> p.comm.groupAsync(call));
        }

        void rejected(String part, String operation, Runnable call) {
            p.at(part);
            Throwable thrown = catchThrowable(call::run);
            if (thrown == null) {
                p.fail("was not refused");
            } else if (thrown.getClass() != type) {
                p.fail("was refused by " + thrown + " instead of " + type.getSimpleName());
            } else {
                String message = String.valueOf(thrown.getMessage());
                p.expect(
                        message.contains(part) && message.contains(always) && message.contains(operation),
                        "the message is not helpful: " + message);
            }
            MessageContract.expectInStep(p);
        }
    }
}
