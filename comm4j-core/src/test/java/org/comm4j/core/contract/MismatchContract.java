// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.function.Consumer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checked mode, which the test class of the engine switches on ({@code -Dcomm4j.checked=true} or {@code COMM4J_CHECKED=1})
 * before the ranks start: calls that are right for each rank but do not fit together are a
 * {@link CollectiveMismatchException} on every rank, which says who called what; the communicator can be used afterwards.
 */
public abstract class MismatchContract extends Contract {
    private static final ReduceOp SUM = ReduceOp.SUM;

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 8})
    void operations(int ranks) {
        mismatch(ranks, c -> c.barrier(), c -> c.allReduce(ints(4), ints(4), SUM), "barrier", "allReduce");
        mismatch(
                ranks, c -> c.broadcast(ints(4), 0), c -> c.allReduce(ints(4), ints(4), SUM), "broadcast", "allReduce");
        mismatch(
                ranks,
                c -> c.reduce(ints(4), ints(4), SUM, 0),
                c -> c.gather(ints(4), ints(4 * ranks), 0),
                "reduce",
                "gather");
        mismatch(
                ranks,
                c -> c.allGather(ints(1), ints(ranks)),
                c -> c.allToAll(ints(ranks), ints(ranks)),
                "allGather",
                "allToAll");
        mismatch(
                ranks,
                c -> c.scatter(ints(ranks), ints(1), 0),
                c -> c.reduceScatter(ints(ranks), ints(1), SUM),
                "scatter",
                "reduceScatter");
        mismatch(ranks, c -> c.barrier(), c -> c.group(g -> g.broadcast(ints(1), 0)), "barrier", "broadcast");
        mismatch(
                ranks,
                c -> c.barrier(),
                c -> c.allGatherAsync(ints(1), ints(ranks)).await(),
                "barrier",
                "allGather");
    }

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 8})
    void counts(int ranks) {
        mismatch(ranks, c -> c.allReduce(ints(4), ints(4), SUM), c -> c.allReduce(ints(5), ints(5), SUM), "4", "5");
        mismatch(ranks, c -> c.reduce(ints(4), ints(4), SUM, 0), c -> c.reduce(ints(5), ints(5), SUM, 0), "4", "5");
        mismatch(ranks, c -> c.broadcast(ints(0), 0), c -> c.broadcast(ints(5), 0), "0", "5");
        mismatch(
                ranks,
                c -> c.allGather(ints(2), ints(2 * ranks)),
                c -> c.allGather(ints(3), ints(3 * ranks)),
                "2",
                "3");
        mismatch(
                ranks,
                c -> c.allToAll(ints(ranks), ints(ranks)),
                c -> c.allToAll(ints(5 * ranks), ints(5 * ranks)),
                "allToAll");
        mismatch(
                ranks,
                c -> c.gather(ints(2), ints(2 * ranks), 0),
                c -> c.gather(ints(3), ints(3 * ranks), 0),
                "2",
                "3");
        mismatch(
                ranks,
                c -> c.scatter(ints(2 * ranks), ints(2), 0),
                c -> c.scatter(ints(3 * ranks), ints(3), 0),
                "2",
                "3");
        mismatch(
                ranks,
                c -> c.reduceScatter(ints(2 * ranks), ints(2), SUM),
                c -> c.reduceScatter(ints(3 * ranks), ints(3), SUM),
                "2",
                "3");
        // Larger than any staging buffer, so that data would be under way when it is noticed.
        mismatch(ranks, c -> c.broadcast(ints(1 << 20), 0), c -> c.broadcast(ints(1 << 18), 0), "1048576", "262144");
    }

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 8})
    void types(int ranks) {
        mismatch(
                ranks,
                c -> c.allReduce(ints(4), ints(4), SUM),
                c -> c.allReduce(floats(4), floats(4), SUM),
                "INT32",
                "FLOAT32");
        mismatch(ranks, c -> c.broadcast(ints(4), 0), c -> c.broadcast(floats(4), 0), "INT32", "FLOAT32");
        mismatch(
                ranks,
                c -> c.allGather(ints(4), ints(4 * ranks)),
                c -> c.allGather(floats(4), floats(4 * ranks)),
                "INT32",
                "FLOAT32");
        mismatch(
                ranks,
                c -> c.allToAll(ints(ranks), ints(ranks)),
                c -> c.allToAll(floats(ranks), floats(ranks)),
                "INT32",
                "FLOAT32");
        mismatch(
                ranks,
                c -> c.gather(ints(1), ints(ranks), 0),
                c -> c.gather(floats(1), floats(ranks), 0),
                "INT32",
                "FLOAT32");
    }

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 8})
    void roots(int ranks) {
        mismatch(ranks, c -> c.broadcast(ints(4), 0), c -> c.broadcast(ints(4), 1), "root 0", "root 1");
        mismatch(
                ranks,
                c -> c.reduce(ints(4), ints(4), SUM, 0),
                c -> c.reduce(ints(4), ints(4), SUM, 1),
                "root 0",
                "root 1");
        mismatch(
                ranks,
                c -> c.gather(ints(1), ints(ranks), 0),
                c -> c.gather(ints(1), ints(ranks), 1),
                "root 0",
                "root 1");
        mismatch(
                ranks,
                c -> c.scatter(ints(ranks), ints(1), 0),
                c -> c.scatter(ints(ranks), ints(1), 1),
                "root 0",
                "root 1");
    }

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 8})
    void reductions(int ranks) {
        mismatch(
                ranks,
                c -> c.allReduce(ints(4), ints(4), SUM),
                c -> c.allReduce(ints(4), ints(4), ReduceOp.MAX),
                "SUM",
                "MAX");
        mismatch(
                ranks,
                c -> c.reduce(ints(4), ints(4), SUM, 0),
                c -> c.reduce(ints(4), ints(4), ReduceOp.MAX, 0),
                "SUM",
                "MAX");
        mismatch(
                ranks,
                c -> c.reduceScatter(ints(ranks), ints(1), SUM),
                c -> c.reduceScatter(ints(ranks), ints(1), ReduceOp.BXOR),
                "SUM",
                "BXOR");
    }

    /** A receive whose type or count is not that of the message, blocking and in a group. */
    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3})
    void messages(int ranks) {
        probe(ranks, p -> {
            for (HostArray wrong : new HostArray[] {ints(5), ints(3), floats(4)}) {
                for (boolean group : new boolean[] {false, true}) {
                    p.at("4 x INT32 received as " + wrong + (group ? " in a group" : ""));
                    Throwable thrown = null;
                    if (p.rank == 0) {
                        // The sender may have gone on when the receiver finds out.
                        thrown = catchThrowable(
                                () -> Case.Via.values()[group ? 1 : 0].call(p.comm, o -> o.send(ints(4), 1)));
                        p.expect(
                                thrown == null || thrown instanceof CollectiveMismatchException,
                                "the sender got " + thrown);
                    } else if (p.rank == 1) {
                        thrown = catchThrowable(
                                () -> Case.Via.values()[group ? 1 : 0].call(p.comm, o -> o.recv(wrong, 0)));
                        p.expect(thrown instanceof CollectiveMismatchException, "the receiver got " + thrown);
                    }
                    if (thrown != null) {
                        expectWords(
                                p,
                                thrown,
                                "4",
                                "INT32",
                                Long.toString(wrong.count()),
                                wrong.type().name());
                    }
                    MessageContract.expectInStep(p);
                }
            }
        });
    }

    /** What does fit together is not reported: roots pass what others need not, and parts differ where they may. */
    @RankCounts
    void nothingIsWrong(int ranks) {
        probe(ranks, p -> {
            boolean root = p.rank == 0;
            p.comm.reduce(ints(4), root ? ints(4) : null, SUM, 0);
            p.comm.broadcast(root ? ints(4) : null, ints(4), 0);
            p.comm.gather(ints(4), root ? ints(4 * ranks) : null, 0);
            p.comm.scatter(root ? ints(4 * ranks) : null, ints(4), 0);
            long[] counts = new long[ranks];
            for (int r = 0; r < ranks; r++) {
                counts[r] = r;
            }
            p.comm.allGatherV(ints(p.rank), ints(ranks * (ranks - 1) / 2), counts);
            long[] in = new long[ranks];
            Arrays.fill(in, p.rank);
            p.comm.allToAllV(ints(ranks * (ranks - 1) / 2), counts, ints(ranks * p.rank), in);
            MessageContract.expectInStep(p);
        });
    }

    /** Each rank in turn makes the other call. */
    private void mismatch(int ranks, Consumer<Communicator> usual, Consumer<Communicator> other, String... words) {
        probe(ranks, p -> {
            for (int odd = 0; odd < ranks; odd++) {
                p.at("rank " + odd + " differs in " + String.join("/", words));
                Consumer<Communicator> mine = p.rank == odd ? other : usual;
                Throwable thrown = catchThrowable(() -> mine.accept(p.comm));
                p.expect(thrown instanceof CollectiveMismatchException, "got " + thrown);
                if (thrown != null) {
                    expectWords(p, thrown, words);
                    // Who called what: the odd one and at least one of the others are named.
                    expectWords(p, thrown, "rank " + odd);
                }
                MessageContract.expectInStep(p);
            }
        });
    }

    private static void expectWords(Probe p, Throwable thrown, String... words) {
        for (String word : words) {
            p.expect(
                    String.valueOf(thrown.getMessage()).contains(word),
                    "'" + word + "' is missing in: " + thrown.getMessage());
        }
    }

    private static HostArray ints(int count) {
        return HostArray.allocate(DataType.INT32, count);
    }

    private static HostArray floats(int count) {
        return HostArray.allocate(DataType.FLOAT32, count);
    }
}
