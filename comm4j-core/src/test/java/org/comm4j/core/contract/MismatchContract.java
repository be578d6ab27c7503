// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are right for each rank but do not fit together are a {@link CollectiveMismatchException} on every rank,
 * which says who called what. In checked mode, which the test class of the engine switches on ({@code
 * -Dcomm4j.checked=true} or {@code COMM4J_CHECKED=1}) before the ranks start, the communicator can be used afterwards.
 * An engine that notices without checked mode may do so in the middle of the call, or of a later one; the communicator
 * is out of step then.
 */
public abstract class MismatchContract extends Contract {
    private static final ReduceOp SUM = ReduceOp.SUM;

    private final boolean checked;

    protected MismatchContract(ContractEngine engine) {
        this(engine, true);
    }

    /** @param checked false for an engine that notices without checked mode */
    protected MismatchContract(ContractEngine engine, boolean checked) {
        super(engine);
        this.checked = checked;
    }

    @RankCounts({2, 3, 8})
    void operations(int ranks) {
        mismatch(
                ranks, p -> p.comm.barrier(), p -> p.comm.allReduce(p.ints(4), p.ints(4), SUM), "barrier", "allReduce");
        mismatch(
                ranks,
                p -> p.comm.broadcast(p.ints(4), 0),
                p -> p.comm.allReduce(p.ints(4), p.ints(4), SUM),
                "broadcast",
                "allReduce");
        mismatch(
                ranks,
                p -> p.comm.reduce(p.ints(4), p.ints(4), SUM, 0),
                p -> p.comm.gather(p.ints(4), p.ints(4 * ranks), 0),
                "reduce",
                "gather");
        mismatch(
                ranks,
                p -> p.comm.allGather(p.ints(1), p.ints(ranks)),
                p -> p.comm.allToAll(p.ints(ranks), p.ints(ranks)),
                "allGather",
                "allToAll");
        mismatch(
                ranks,
                p -> p.comm.scatter(p.ints(ranks), p.ints(1), 0),
                p -> p.comm.reduceScatter(p.ints(ranks), p.ints(1), SUM),
                "scatter",
                "reduceScatter");
        mismatch(
                ranks,
                p -> p.comm.barrier(),
                p -> p.comm.group(g -> g.broadcast(p.ints(1), 0)),
                "barrier",
                "broadcast");
        mismatch(
                ranks,
                p -> p.comm.barrier(),
                p -> p.comm.allGatherAsync(p.ints(1), p.ints(ranks)).await(),
                "barrier",
                "allGather");
        mismatch(
                ranks,
                p -> p.comm.allGather(p.ints(1), p.ints(ranks)),
                p -> p.comm.allToAllV(p.ints(ranks), ones(ranks), p.ints(ranks), ones(ranks)),
                "allGather",
                "allToAllV");
    }

    private static long[] ones(int ranks) {
        long[] ones = new long[ranks];
        Arrays.fill(ones, 1);
        return ones;
    }

    @RankCounts({2, 3, 8})
    void counts(int ranks) {
        mismatch(
                ranks,
                p -> p.comm.allReduce(p.ints(4), p.ints(4), SUM),
                p -> p.comm.allReduce(p.ints(5), p.ints(5), SUM),
                "4",
                "5");
        mismatch(
                ranks,
                p -> p.comm.reduce(p.ints(4), p.ints(4), SUM, 0),
                p -> p.comm.reduce(p.ints(5), p.ints(5), SUM, 0),
                "4",
                "5");
        mismatch(ranks, p -> p.comm.broadcast(p.ints(0), 0), p -> p.comm.broadcast(p.ints(5), 0), "0", "5");
        mismatch(
                ranks,
                p -> p.comm.allGather(p.ints(2), p.ints(2 * ranks)),
                p -> p.comm.allGather(p.ints(3), p.ints(3 * ranks)),
                "2",
                "3");
        mismatch(
                ranks,
                p -> p.comm.allToAll(p.ints(ranks), p.ints(ranks)),
                p -> p.comm.allToAll(p.ints(5 * ranks), p.ints(5 * ranks)),
                "allToAll");
        mismatch(
                ranks,
                p -> p.comm.gather(p.ints(2), p.ints(2 * ranks), 0),
                p -> p.comm.gather(p.ints(3), p.ints(3 * ranks), 0),
                "2",
                "3");
        mismatch(
                ranks,
                p -> p.comm.scatter(p.ints(2 * ranks), p.ints(2), 0),
                p -> p.comm.scatter(p.ints(3 * ranks), p.ints(3), 0),
                "2",
                "3");
        mismatch(
                ranks,
                p -> p.comm.reduceScatter(p.ints(2 * ranks), p.ints(2), SUM),
                p -> p.comm.reduceScatter(p.ints(3 * ranks), p.ints(3), SUM),
                "2",
                "3");
        // Larger than any staging buffer, so that data would be under way when it is noticed.
        mismatch(
                ranks,
                p -> p.comm.broadcast(p.ints(1 << 20), 0),
                p -> p.comm.broadcast(p.ints(1 << 18), 0),
                "1048576",
                "262144");
    }

    @RankCounts({2, 3, 8})
    void types(int ranks) {
        mismatch(
                ranks,
                p -> p.comm.allReduce(p.ints(4), p.ints(4), SUM),
                p -> p.comm.allReduce(floats(p, 4), floats(p, 4), SUM),
                "INT32",
                "FLOAT32");
        mismatch(
                ranks, p -> p.comm.broadcast(p.ints(4), 0), p -> p.comm.broadcast(floats(p, 4), 0), "INT32", "FLOAT32");
        mismatch(
                ranks,
                p -> p.comm.allGather(p.ints(4), p.ints(4 * ranks)),
                p -> p.comm.allGather(floats(p, 4), floats(p, 4 * ranks)),
                "INT32",
                "FLOAT32");
        mismatch(
                ranks,
                p -> p.comm.allToAll(p.ints(ranks), p.ints(ranks)),
                p -> p.comm.allToAll(floats(p, ranks), floats(p, ranks)),
                "INT32",
                "FLOAT32");
        mismatch(
                ranks,
                p -> p.comm.gather(p.ints(1), p.ints(ranks), 0),
                p -> p.comm.gather(floats(p, 1), floats(p, ranks), 0),
                "INT32",
                "FLOAT32");
    }

    @RankCounts({2, 3, 8})
    void roots(int ranks) {
        mismatch(ranks, p -> p.comm.broadcast(p.ints(4), 0), p -> p.comm.broadcast(p.ints(4), 1), "root 0", "root 1");
        mismatch(
                ranks,
                p -> p.comm.reduce(p.ints(4), p.ints(4), SUM, 0),
                p -> p.comm.reduce(p.ints(4), p.ints(4), SUM, 1),
                "root 0",
                "root 1");
        mismatch(
                ranks,
                p -> p.comm.gather(p.ints(1), p.ints(ranks), 0),
                p -> p.comm.gather(p.ints(1), p.ints(ranks), 1),
                "root 0",
                "root 1");
        mismatch(
                ranks,
                p -> p.comm.scatter(p.ints(ranks), p.ints(1), 0),
                p -> p.comm.scatter(p.ints(ranks), p.ints(1), 1),
                "root 0",
                "root 1");
    }

    @RankCounts({2, 3, 8})
    void reductions(int ranks) {
        mismatch(
                ranks,
                p -> p.comm.allReduce(p.ints(4), p.ints(4), SUM),
                p -> p.comm.allReduce(p.ints(4), p.ints(4), ReduceOp.MAX),
                "SUM",
                "MAX");
        mismatch(
                ranks,
                p -> p.comm.reduce(p.ints(4), p.ints(4), SUM, 0),
                p -> p.comm.reduce(p.ints(4), p.ints(4), ReduceOp.MAX, 0),
                "SUM",
                "MAX");
        mismatch(
                ranks,
                p -> p.comm.reduceScatter(p.ints(ranks), p.ints(1), SUM),
                p -> p.comm.reduceScatter(p.ints(ranks), p.ints(1), ReduceOp.BXOR),
                "SUM",
                "BXOR");
    }

    /** A receive whose type or count is not that of the message, blocking and in a group. */
    @RankCounts({2, 3})
    void messages(int ranks) {
        probe(ranks, p -> {
            for (Buffer wrong : new Buffer[] {p.ints(5), p.ints(3), floats(p, 4)}) {
                for (boolean group : new boolean[] {false, true}) {
                    p.at("4 x INT32 received as " + wrong + (group ? " in a group" : ""));
                    Throwable thrown = null;
                    if (p.rank == 0) {
                        // The sender may have gone on when the receiver finds out.
                        thrown = catchThrowable(
                                () -> Case.Via.values()[group ? 1 : 0].call(p.comm, o -> o.send(p.ints(4), 1)));
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
            p.comm.reduce(p.ints(4), root ? p.ints(4) : null, SUM, 0);
            p.comm.broadcast(root ? p.ints(4) : null, p.ints(4), 0);
            p.comm.gather(p.ints(4), root ? p.ints(4 * ranks) : null, 0);
            p.comm.scatter(root ? p.ints(4 * ranks) : null, p.ints(4), 0);
            long[] counts = new long[ranks];
            for (int r = 0; r < ranks; r++) {
                counts[r] = r;
            }
            p.comm.allGatherV(p.ints(p.rank), p.ints(ranks * (ranks - 1) / 2), counts);
            long[] in = new long[ranks];
            Arrays.fill(in, p.rank);
            p.comm.allToAllV(p.ints(ranks * (ranks - 1) / 2), counts, p.ints(ranks * p.rank), in);
            MessageContract.expectInStep(p);
        });
    }

    /** Each rank in turn makes the other call. */
    private void mismatch(int ranks, Consumer<Probe> usual, Consumer<Probe> other, String... words) {
        probe(ranks, p -> {
            for (int odd = 0; odd < ranks; odd++) {
                p.at("rank " + odd + " differs in " + String.join("/", words));
                if (checked) {
                    refused(p, odd, usual, other, words);
                } else {
                    outOfStep(p, odd, usual, other, words);
                }
                MessageContract.expectInStep(p);
            }
        });
    }

    private @Nullable Throwable refused(
            Probe p, int odd, Consumer<Probe> usual, Consumer<Probe> other, String... words) {
        Consumer<Probe> mine = p.rank == odd ? other : usual;
        Throwable thrown = catchThrowable(() -> mine.accept(p));
        // A rank that waits for no other one may find out when it does.
        for (int i = 0; !checked && thrown == null && i < 2; i++) {
            thrown = catchThrowable(p.comm::barrier);
        }
        p.expect(thrown instanceof CollectiveMismatchException, "got " + thrown);
        if (thrown != null) {
            expectWords(p, thrown, words);
            // Who called what: the odd one and at least one of the others are named.
            expectWords(p, thrown, "rank " + odd);
        }
        return thrown;
    }

    /** With a communicator for each mismatch. */
    private void outOfStep(Probe p, int odd, Consumer<Probe> usual, Consumer<Probe> other, String... words)
            throws Exception {
        try (Communicator part = Objects.requireNonNull(p.comm.split(0, p.rank));
                Probe q = new Probe(engine, part, 64 << 10)) {
            part.timeout(p.comm.timeout());
            Throwable thrown = refused(q, odd, usual, other, words);
            for (Runnable more : List.<Runnable>of(part::barrier, () -> part.split(0, 0), part::barrierAsync)) {
                Throwable after = catchThrowable(more::run);
                q.expect(
                        after instanceof IllegalStateException
                                && String.valueOf(after.getMessage()).contains("out of step")
                                && Objects.equals(after.getCause(), thrown),
                        "got afterwards " + after);
            }
            q.finish();
        }
    }

    private static void expectWords(Probe p, Throwable thrown, String... words) {
        for (String word : words) {
            p.expect(
                    String.valueOf(thrown.getMessage()).contains(word),
                    "'" + word + "' is missing in: " + thrown.getMessage());
        }
    }

    private static Buffer floats(Probe p, int count) {
        return p.memory(DataType.FLOAT32, count);
    }
}
