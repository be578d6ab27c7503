// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/**
 * Messages of rows and answers between ranks. Rows of one rank for one expert follow each other, here where they are
 * staged and there; so a message is such a run of an array, and nothing is packed.
 */
final class StagedRows implements FarRows {
    private static final Method COUNT = MoeMachine.kernel(StagedKernels.class, "count");
    private static final Method BEGIN = MoeMachine.kernel(StagedKernels.class, "begin");
    private static final Method CAME = MoeMachine.kernel(StagedKernels.class, "came");
    private static final Object[] NO_CONSTANTS = {};

    /**
     * The most sends of a rank in one group, and as many receives. NCCL 2.28.9 stood still with 384 of them on four
     * GPUs; groups of 48 are faster than those of 6 (1.06 and 1.78 ms a dispatch of 64 tokens).
     */
    private static final int MESSAGES = 48;

    private final MoeMemory.Plan plan;
    private final StagedExperts machine;
    private final boolean padded;
    private final int me;
    private final int ranks;
    /** By slot: where rows of its dispatch are. */
    private final Runs[] runs;

    StagedRows(MoeMemory.Plan plan, StagedExperts machine, ExpertTransport transport) {
        this.plan = plan;
        this.machine = machine;
        this.padded = transport.isPadded();
        this.me = transport.communicator().rank();
        this.ranks = transport.communicator().size();
        this.runs = new Runs[plan.options().inFlight()];
    }

    /** @throws UnsupportedOperationException if messages do not do what the options want */
    static void check(MoeMemory.Plan plan, ExpertTransport transport) {
        if (plan.options().group() > 1) {
            throw new UnsupportedOperationException("ExpertParallel: ranks that send messages are in no groups of "
                    + plan.options().group() + " with the same tokens: make it of a ShmemPe");
        }
        if (transport.isPadded() && !plan.byRank()) {
            throw new UnsupportedOperationException("ExpertParallel: all rows that can be go with the layout BY_RANK"
                    + " alone, not with " + plan.options().layout());
        }
    }

    /** Rows of one rank on another one: from the first of them on. */
    private record Run(long first, int rows) {}

    /**
     * Where rows are.
     *
     * @param of by rank that sends and rank that has the experts
     */
    private record Runs(List<List<List<Run>>> of) {}

    @Override
    public void count(
            MoeSpace space,
            I8Ptr chosen,
            int routeBytes,
            int most,
            I32Ptr bound,
            boolean bounded,
            int sharedBytes,
            @Nullable Stream stream) {
        if (stream != null && !padded && stream.isCapturing()) {
            throw new UnsupportedOperationException("dispatch: the host reads counts before it sends rows, so it cannot"
                    + " be captured; padded messages of BY_RANK can");
        }
        launch(COUNT, sharedBytes, stream, space, chosen, routeBytes, most, bound, bounded);
        long bytes = 8L * space.counters();
        machine.group(stream, messages -> {
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != me) {
                    messages.send(machine.at(rank, space.words() + me * bytes, bytes), rank);
                    messages.recv(machine.at(me, space.words() + rank * bytes, bytes), rank);
                }
            }
        });
    }

    private void launch(Method kernel, int sharedBytes, @Nullable Stream stream, Object... arguments) {
        machine.launch(kernel, NO_CONSTANTS, 1, machine.threads(0), sharedBytes, stream, arguments);
    }

    @Override
    public void rows(MoeSpace space, int slot, ExpertPlacement placement, @Nullable Stream stream) {
        runs[slot] = padded ? all() : counted(space, placement, stream);
        send(space, slot, stream);
    }

    @Override
    public void begin(MoeSpace space, @Nullable Stream stream) {
        launch(BEGIN, 0, stream, space);
    }

    @Override
    public void again(MoeSpace space, int slot, int earlier, @Nullable Stream stream) {
        runs[slot] = runs[earlier];
        send(space, slot, stream);
    }

    private void send(MoeSpace space, int slot, @Nullable Stream stream) {
        List<MoeColumn> columns = MoeColumn.ofRows(plan, space);
        groups(slot, columns.size(), stream, (messages, rank, ours, theirs) -> {
            each(messages, true, rank, rank, ours, columns);
            each(messages, false, me, rank, theirs, columns);
        });
        launch(CAME, 0, stream, space, space.flags());
    }

    /** Does messages with one rank: of runs of this rank's rows there, and of runs of that rank's rows here. */
    @FunctionalInterface
    private interface Exchange {
        void with(Operations messages, int rank, List<Run> ours, List<Run> theirs);
    }

    /** Does messages of a slot's rows in groups: both ranks of a pair have the same messages in the same group. */
    private void groups(int slot, int columns, @Nullable Stream stream, Exchange exchange) {
        int step = Math.max(1, MESSAGES / (columns * Math.max(1, ranks - 1)));
        int most = 0;
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != me) {
                most = Math.max(
                        most,
                        Math.max(ours(slot, rank).size(), theirs(slot, rank).size()));
            }
        }
        for (int first = 0; first < most; first += step) {
            int from = first;
            machine.group(stream, messages -> {
                for (int rank = 0; rank < ranks; rank++) {
                    if (rank != me) {
                        exchange.with(
                                messages,
                                rank,
                                part(ours(slot, rank), from, step),
                                part(theirs(slot, rank), from, step));
                    }
                }
            });
        }
    }

    private List<Run> ours(int slot, int rank) {
        return runs[slot].of.get(me).get(rank);
    }

    private List<Run> theirs(int slot, int rank) {
        return runs[slot].of.get(rank).get(me);
    }

    private static List<Run> part(List<Run> all, int from, int most) {
        return all.subList(Math.min(from, all.size()), Math.min(from + most, all.size()));
    }

    @Override
    public void answers(MoeSpace space, int slot, @Nullable Stream stream) {
        List<MoeColumn> columns = MoeColumn.ofAnswers(plan, space);
        // Rows of that rank are answered here, and ours there.
        groups(slot, columns.size(), stream, (messages, rank, ours, theirs) -> {
            each(messages, true, me, rank, theirs, columns);
            each(messages, false, rank, rank, ours, columns);
        });
        launch(CAME, 0, stream, space, space.answers());
    }

    private void each(Operations messages, boolean sends, int of, int peer, List<Run> all, List<MoeColumn> columns) {
        for (Run run : all) {
            each(messages, sends, of, peer, run, columns);
        }
    }

    /** Messages of a run, of the memory of {@code of}. */
    private void each(Operations messages, boolean sends, int of, int peer, Run run, List<MoeColumn> columns) {
        for (MoeColumn column : columns) {
            Buffer part = machine.at(of, column.at(run.first), column.bytes() * run.rows);
            if (sends) {
                messages.send(part, peer);
            } else {
                messages.recv(part, peer);
            }
        }
    }

    /** All rows that can be, of {@link ExpertLayout#BY_RANK}. */
    private Runs all() {
        List<List<List<Run>>> of = new ArrayList<>();
        int tokens = plan.shape().tokens();
        for (int source = 0; source < ranks; source++) {
            List<List<Run>> owners = new ArrayList<>();
            for (int owner = 0; owner < ranks; owner++) {
                owners.add(List.of(new Run((long) source * tokens, tokens)));
            }
            of.add(owners);
        }
        return new Runs(of);
    }

    /** Rows as the counts of all ranks say, which the stream has brought. */
    private Runs counted(MoeSpace space, ExpertPlacement placement, @Nullable Stream stream) {
        machine.complete(stream);
        int counters = space.counters();
        long[] words = machine.at(me, space.words(), 8L * ranks * counters)
                .view(DataType.INT64)
                .toLongArray();
        List<List<List<Run>>> of = new ArrayList<>();
        for (int source = 0; source < ranks; source++) {
            List<List<Run>> owners = new ArrayList<>();
            for (int owner = 0; owner < ranks; owner++) {
                owners.add(new ArrayList<>());
            }
            of.add(owners);
        }
        int first = 0;
        for (int owner = 0; owner < ranks; owner++) {
            if (plan.byRank()) {
                for (int source = 0; source < ranks; source++) {
                    int rows = (int) words[source * counters + owner];
                    add(of.get(source).get(owner), (long) source * plan.shape().tokens(), rows, plan.capacity());
                }
                continue;
            }
            int local = placement.local(owner).length;
            long start = 0;
            for (int e = 0; e < local; e++) {
                boolean fixed = plan.maxRows() > 0;
                long row = fixed ? (long) e * plan.maxRows() : start;
                long end = fixed ? row + plan.maxRows() : plan.capacity();
                for (int source = 0; source < ranks; source++) {
                    int rows = (int) words[source * counters + first + e];
                    add(of.get(source).get(owner), row, rows, end);
                    row += rows;
                }
                int padding = plan.options().padding();
                start = (row + padding - 1) / padding * padding;
            }
            first += local;
        }
        return new Runs(of);
    }

    /** Rows behind the end were not sent. */
    private static void add(List<Run> to, long first, int rows, long end) {
        int fit = (int) Math.clamp(end - first, 0, (long) rows);
        if (fit > 0) {
            to.add(new Run(first, fit));
        }
    }
}
