// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.List;
import java.util.Set;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.Stream;

/**
 * Rows that a dispatch gave this PE, in symmetric memory: views, not copies. They are there when the dispatch is done,
 * until combine, or {@link #close}.
 */
public final class Routed implements AutoCloseable {
    /** Memory of a dispatch, which later ones use again. */
    record Views(
            Buffer x,
            Buffer scales,
            List<Buffer> payloads,
            Buffer results,
            Buffer resultScales,
            Buffer counts,
            Buffer starts,
            Buffer rowExperts,
            Buffer rowChoices,
            Buffer rowWeights,
            RoutedRows rows) {}

    /** What needs no rows of others. */
    private static final Set<String> UNRECEIVED =
            Set.of("receive", "rows", "close", "dispatchSend", "counts", "starts");

    private final ExpertParallel owner;
    private int slot;
    private int tokens;
    private Views views;
    /** Which use of the slot it is. */
    private long use;

    private boolean received;
    private String used = "";

    Routed(ExpertParallel owner, Views views) {
        this.owner = owner;
        this.views = views;
    }

    /** Stands for a dispatch from now on. */
    void begin(int slot, long use, int tokens, boolean received, Views views) {
        this.slot = slot;
        this.use = use;
        this.tokens = tokens;
        this.received = received;
        this.views = views;
        this.used = "";
    }

    ExpertParallel owner() {
        return owner;
    }

    int slot() {
        return slot;
    }

    long use() {
        return use;
    }

    /** {@link #next(Tokens, Stream)}, waited for. */
    public void next(Tokens tokens) {
        nonNull(tokens, "next", "tokens");
        Routed _ = owner.dispatch(tokens, null, this);
    }

    /**
     * Dispatches further tokens, once this dispatch has ended, and stands for their rows from now on: {@link
     * ExpertParallel#dispatch(Tokens, Stream)} that allocates nothing on GPUs.
     *
     * @throws IllegalStateException if this dispatch has not ended yet, or its {@link PendingSums} were not received
     */
    public void next(Tokens tokens, Stream stream) {
        nonNull(tokens, "next", "tokens");
        nonNull(stream, "next", "stream");
        Routed _ = owner.dispatch(tokens, stream, this);
    }

    /** {@link #receive(Stream)}, waited for. */
    public void receive() {
        once();
        owner.receive(this, null);
    }

    /**
     * Ends a dispatch that has only sent: waits for the rows of all PEs.
     *
     * @throws IllegalStateException if it was called before, or the dispatch has waited for them itself
     */
    public void receive(Stream stream) {
        nonNull(stream, "receive", "stream");
        once();
        owner.receive(this, stream);
    }

    private void once() {
        check("receive");
        if (received) {
            throw new IllegalStateException("receive: the rows of " + this + " were received already");
        }
        received = true;
    }

    /** Returns how many tokens of this PE were dispatched; with a count on the device, the most. */
    public int tokens() {
        return tokens;
    }

    /** Returns the rows, in the order of {@link ExpertLayout}. */
    public Buffer x() {
        return open("x").x;
    }

    /** Returns the scales of the rows, FLOAT32 or UINT8; none where there are none. */
    public Buffer scales() {
        return open("scales").scales;
    }

    /** Returns a payload of the rows, INT8; {@link Buffer#view} has it as other elements. */
    public Buffer payload(int number) {
        return open("payload").payloads.get(number);
    }

    /** Returns where experts write their answers, row for row; combine reads them there. */
    public Buffer results() {
        return open("results").results;
    }

    /**
     * Returns the scales of {@link #results} of FLOAT8_E4M3, {@code [rows, (hidden + 127) / 128]} FLOAT32: an answer is
     * each element times the scale of its 128. There are none of other types.
     */
    public Buffer resultScales() {
        return open("resultScales").resultScales;
    }

    /** Returns the rows of each local expert, INT32; of {@link ExpertLayout#BY_RANK}, those of each source group. */
    public Buffer counts() {
        return open("counts").counts;
    }

    /**
     * Returns the first row of each local expert, and the row behind the last one, INT32.
     *
     * @throws UnsupportedOperationException of another layout than {@link ExpertLayout#RAGGED}
     */
    public Buffer starts() {
        return ragged("starts").starts;
    }

    /**
     * Returns the local expert of each row, INT32; -1 where there is none.
     *
     * @throws UnsupportedOperationException of another layout than {@link ExpertLayout#RAGGED}
     */
    public Buffer rowExperts() {
        return ragged("rowExperts").rowExperts;
    }

    /**
     * Returns the local expert of each choice of each row's token, {@code [rows, choices]} INT32; -1 for those that are
     * not of this PE.
     *
     * @throws UnsupportedOperationException of another layout than {@link ExpertLayout#BY_RANK}
     */
    public Buffer rowChoices() {
        return byRank("rowChoices").rowChoices;
    }

    /**
     * Returns the weights of {@link #rowChoices}, FLOAT32; 0 for those that are not of this PE.
     *
     * @throws UnsupportedOperationException of another layout than {@link ExpertLayout#BY_RANK}
     */
    public Buffer rowWeights() {
        return byRank("rowWeights").rowWeights;
    }

    private Views byRank(String what) {
        if (views.rows.space().rankRows() == 0) {
            throw new UnsupportedOperationException(what + " are of the layout BY_RANK");
        }
        return open(what);
    }

    /** Returns all of it as an argument of kernels. */
    public RoutedRows rows() {
        return open("rows").rows;
    }

    private Views ragged(String what) {
        if (views.rows.space().maxRows() > 0) {
            throw new UnsupportedOperationException(
                    what + ": rows of PADDED begin at e * tokens * groups, those of BY_RANK at group * tokens");
        }
        return open(what);
    }

    private Views open(String what) {
        check(what);
        return views;
    }

    /** Throws if it was used already, with what did it. */
    void check(String operation) {
        if (!received && !UNRECEIVED.contains(operation)) {
            throw new IllegalStateException(operation + ": " + this + " was only sent: receive() is to come first");
        }
        if (!used.isEmpty()) {
            throw new IllegalStateException(
                    operation + ": " + this + " was ended by " + used + "; its memory may be that of another dispatch");
        }
    }

    boolean isEnded() {
        return !used.isEmpty();
    }

    void end(String operation) {
        check(operation);
        used = operation;
    }

    /** Ends it in whatever state it is. */
    void cut(String operation) {
        used = used.isEmpty() ? operation : used;
    }

    /** Gives the memory back without a combine; all PEs do so, or none. A second time it does nothing. */
    @Override
    public void close() {
        if (used.isEmpty()) {
            owner.release(this, "close");
        }
    }

    @Override
    public String toString() {
        return "Routed[" + tokens + " tokens, slot " + slot + " of " + owner + "]";
    }
}
