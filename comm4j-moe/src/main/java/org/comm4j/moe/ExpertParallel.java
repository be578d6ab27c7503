// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.jspecify.annotations.Nullable;

/**
 * Expert parallelism by kernels that communicate by themselves, for PEs that reach each other's memory, and for the
 * CPU:
 *
 * <pre>{@code
 * MoeShape shape = MoeShape.experts(64).perToken(6).hidden(2048).tokens(128);
 * try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT)) {
 *     Routed routed = ep.dispatch(x, chosen, 128);
 *     experts.launch(ep.blocks(), routed.rows(), w);
 *     ep.combine(y, routed, weights);
 * }
 * }</pre>
 *
 * <p><b>Order.</b> Rows of a PE and sums are in a defined order ({@link ExpertLayout}): the same in each run. One
 * operation of an object runs at a time. Calls in another stream than the one before wait for that; of graphs, whose
 * launches this object does not see, the program sees to it.
 *
 * <p><b>Failures.</b> A kernel waits for another PE at most {@link #timeout}. Then it gives up, and the next call, or
 * {@link #check}, throws an exception with the PE. The object does nothing any more then, until {@link #exclude}. In
 * {@linkplain org.comm4j.core.spi.CheckedMode checked mode} the PEs compare their calls before anything is launched,
 * except while a stream is captured: those that do not fit together are exceptions on all PEs, which are in step
 * afterwards.
 */
public final class ExpertParallel implements ExpertExchange {
    /** Threads of a block of kernels of the program, on a GPU. */
    private static final int THREADS = 256;

    private final MoeSite pe;
    private final MoeShape shape;
    private final MoeMemory.Plan plan;
    private final ExpertCalls calls;
    private final MoeSlots slots;

    private ExpertParallel(MoeSite pe, MoeShape shape, MoeOptions options) {
        this.pe = pe;
        this.shape = shape;
        this.plan = new MoeMemory.Plan(shape, options, pe.nPes());
        this.calls = new ExpertCalls(this, pe, plan);
        this.slots = calls.slots();
    }

    /**
     * Collective: an exchange of this shape over all PEs, which pass the same. Takes {@link #memory} of the symmetric
     * heap of each.
     *
     * @throws IllegalArgumentException if the shape and the options do not fit each other
     * @throws org.comm4j.core.CollectiveMismatchException if the PEs do not pass the same
     * @throws UnsupportedOperationException if PEs do not reach each other's memory and the options want groups, or
     *     some PEs reach all others and some do not
     */
    public static ExpertParallel of(ShmemPe pe, MoeShape shape, MoeOptions options) {
        nonNull(pe, "ExpertParallel.of", "pe");
        nonNull(shape, "ExpertParallel.of", "shape");
        nonNull(options, "ExpertParallel.of", "options");
        return new ExpertParallel(new MoeSite.Near(pe, 0), shape, options);
    }

    /**
     * Collective: an exchange of this shape over all ranks of a world, which pass the same, by messages. Each rank
     * takes {@link #memory} once for itself and once for each other rank. The host reads counts before rows go, except
     * where the transport is {@linkplain ExpertTransport#isPadded padded}. The rest is as with PEs, to the bit. There
     * are no functions of {@link FusedExperts} that send or wait, no {@link #fetch}, {@link #reduceReplicas} and {@link
     * #exclude}, and no {@link MoeOptions#group}.
     *
     * @throws UnsupportedOperationException if the options want what there is not
     */
    public static ExpertParallel of(ExpertTransport transport, MoeShape shape, MoeOptions options) {
        nonNull(transport, "ExpertParallel.of", "transport");
        nonNull(shape, "ExpertParallel.of", "shape");
        nonNull(options, "ExpertParallel.of", "options");
        return new ExpertParallel(new MoeSite.Far(transport), shape, options);
    }

    /** Returns the memory of each of {@code pes} PEs, before anything is allocated and without a GPU. */
    public static MoeMemory memory(MoeShape shape, MoeOptions options, int pes) {
        return MoeMemory.of(shape, options, pes);
    }

    /** Returns the shape of the layer. */
    public MoeShape shape() {
        return shape;
    }

    /** Returns the number of experts of this PE. */
    public synchronized int localExperts() {
        return slots.placement().local(pe.myPe()).length;
    }

    /** Returns where the experts are. */
    public synchronized ExpertPlacement placement() {
        return slots.placement();
    }

    /**
     * Collective: places experts anew, from the next dispatch on. Waits for what is under way on all PEs.
     *
     * @throws IllegalArgumentException if it does not fit the memory; {@link MoeOptions#localExperts} makes room
     * @throws IllegalStateException if a dispatch is in flight
     */
    public synchronized void placement(ExpertPlacement placement) {
        calls.placement(placement);
    }

    /** {@link #fetch(Buffer, Buffer, long, Stream)}, waited for. */
    public synchronized void fetch(Buffer to, Buffer from, long elements) {
        calls.fetch(to, from, elements, null);
    }

    /**
     * Collective: brings each local expert's elements, such as weights, from a PE that had it by the placement before.
     * Those of an expert that only excluded PEs had stay as they are. When it is done, all PEs have read {@code from}.
     *
     * @param to {@code [local experts, elements]} by the placement now
     * @param from {@code [local experts, elements]} by that before, symmetric, of the same type
     */
    public synchronized void fetch(Buffer to, Buffer from, long elements, Stream stream) {
        calls.fetch(to, from, elements, nonNull(stream, "fetch", "stream"));
    }

    /** {@link #reduceReplicas(Buffer, Buffer, long, Stream)}, waited for. */
    public synchronized void reduceReplicas(Buffer to, Buffer gradients, long elements) {
        calls.reduceReplicas(to, gradients, elements, null);
    }

    /**
     * Collective: adds the elements of all replicas of each local expert, such as gradients, in the order of PEs. When
     * it is done, all PEs have read {@code gradients}.
     *
     * @param to {@code [local experts, elements]} FLOAT32, apart from {@code gradients}
     * @param gradients {@code [local experts, elements]} FLOAT32, symmetric
     */
    public synchronized void reduceReplicas(Buffer to, Buffer gradients, long elements, Stream stream) {
        calls.reduceReplicas(to, gradients, elements, nonNull(stream, "reduceReplicas", "stream"));
    }

    /**
     * Goes on without a PE that died or stays away, and without all others that died. Collective over the PEs that are
     * left, which need not have found the same PE dead. What is in flight is ended on all of them; what calls that
     * threw have written is undefined. Choices of experts that are on other PEs, too, go there; other choices add
     * nothing ({@link MoeOptions#renormalize}). Tokens of the PE come no more, except with {@link MoeOptions#group}
     * from those that have the same. The PE must not come back: its next wait ends with an exception.
     *
     * <p>A PE that was excluded before is left out without a word to the others.
     *
     * @throws IllegalArgumentException if {@code rank} is this PE, or none
     * @throws org.comm4j.core.CommTimeoutException if one that is to go on does not come within {@link #timeout}; then
     *     nothing is changed
     */
    public synchronized void exclude(int rank) {
        calls.exclude(rank);
    }

    /** Returns the PEs that were excluded, in ascending order. */
    public synchronized List<Integer> excluded() {
        return calls.members().excluded().stream().boxed().toList();
    }

    /**
     * Returns how often each expert was chosen so far by tokens of all PEs, INT64: a view that dispatch adds to, and
     * that may be set.
     *
     * @throws UnsupportedOperationException of {@link ExpertLayout#BY_RANK}
     */
    public Buffer load() {
        calls.checks().perExpert("load");
        return slots.view(plan.load(), shape.experts(), DataType.INT64);
    }

    /**
     * Returns a shape for kernels of the program with functions of {@link FusedExperts}: the blocks of this object, of
     * 256 threads on a GPU, with the shared memory that a dispatch needs.
     */
    public synchronized LaunchConfig blocks() {
        return LaunchConfig.grid(slots.blocks())
                .block(pe.onGpu() ? THREADS : calls.machine().threads(0))
                .shared(slots.sharedBytes());
    }

    /** Sets the most blocks of kernels that begin from now on, and with them the multiprocessors that they take. */
    public synchronized void blocks(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("blocks: kernels cannot have " + most + " blocks");
        }
        slots.blocks(most);
    }

    /** Returns how long a kernel waits for another PE; that of the PEs, else a minute. */
    public synchronized Duration timeout() {
        return calls.timeout();
    }

    /** Sets how long kernels that have not begun yet wait for another PE; {@link Duration#ZERO}: for good. */
    public synchronized void timeout(Duration timeout) {
        calls.timeout(timeout);
    }

    // ---- dispatch ----

    @Override
    public synchronized Routed dispatch(Tokens tokens) {
        Routed routed = calls.send("dispatch", tokens, true, null, null);
        return calls.done("dispatch", routed);
    }

    @Override
    public synchronized Routed dispatch(Tokens tokens, Stream stream) {
        return calls.send("dispatch", tokens, true, nonNull(stream, "dispatch", "stream"), null);
    }

    /** {@link #dispatchSend(Tokens, Stream)}, waited for. */
    public synchronized Routed dispatchSend(Tokens tokens) {
        Routed routed = calls.send("dispatchSend", tokens, false, null, null);
        return calls.done("dispatchSend", routed);
    }

    /**
     * Begins a dispatch: sends this PE's rows, and waits for nothing but the others' counts. Rows of this PE are there
     * after {@link Routed#receive(Stream)}; until then nothing runs.
     */
    public synchronized Routed dispatchSend(Tokens tokens, Stream stream) {
        return calls.send("dispatchSend", tokens, false, nonNull(stream, "dispatchSend", "stream"), null);
    }

    /** {@link #dispatch(Buffer, Routed, Stream)}, waited for. */
    public synchronized Routed dispatch(Buffer x, Routed routes) {
        return calls.done("dispatch", calls.again(x, routes, null));
    }

    /**
     * Sends other rows along the routes of an earlier dispatch, without counting: gradients of the sums, for the
     * backward pass. They come to the same places, without scales and payloads.
     *
     * @param x {@code [tokens of routes or more, hidden]} of the shape's type
     * @param routes whose memory no other dispatch has used since; it may have been combined
     * @throws IllegalStateException if its memory was used again, or there is no other for the rows
     */
    public synchronized Routed dispatch(Buffer x, Routed routes, Stream stream) {
        return calls.again(x, routes, nonNull(stream, "dispatch", "stream"));
    }

    /**
     * Reserves memory for a dispatch that a kernel of the program makes, with {@link FusedExperts#dispatch}; {@link
     * Routed#receive()} waits for its rows.
     *
     * @param tokens the most of them
     * @throws UnsupportedOperationException if scales or payloads go along, tokens are quantized, or the layout is
     *     {@link ExpertLayout#BY_RANK}
     */
    public synchronized Routed reserve(int tokens) {
        return calls.reserve(tokens);
    }

    // ---- combine ----

    @Override
    public synchronized void combine(Sums sums, Routed routed) {
        calls.pull("combine", sums, routed, null);
        calls.done("combine");
    }

    @Override
    public synchronized void combine(Sums sums, Routed routed, Stream stream) {
        calls.pull("combine", sums, routed, nonNull(stream, "combine", "stream"));
    }

    /** {@link #combineSend(Sums, Routed, Stream)}, waited for. */
    public synchronized PendingSums combineSend(Sums sums, Routed routed) {
        PendingSums pending = calls.announce(sums, routed, null);
        calls.done("combineSend");
        return pending;
    }

    /**
     * Begins a combine: says that this PE's results are there, and waits for nothing. The sums are there after {@link
     * PendingSums#receive(Stream)}; until then nothing runs.
     */
    public synchronized PendingSums combineSend(Sums sums, Routed routed, Stream stream) {
        return calls.announce(sums, routed, nonNull(stream, "combineSend", "stream"));
    }

    /** {@link #weightGradients(Buffer, Buffer, Routed, Stream)}, waited for. */
    public synchronized void weightGradients(Buffer to, Buffer gradients, Routed routed) {
        calls.products(to, gradients, routed, null);
        calls.done("weightGradients");
    }

    /**
     * Sets {@code to[t][k]} to the sum over i of {@code gradients[t][i] * result of choice k of t [i]}: the gradient of
     * weights, from that of the sums. Results are those of the combine, where they are. In FLOAT32, and in an order
     * that does not depend on {@link #blocks}; 0 for dropped choices.
     *
     * @param to {@code [tokens or more, choices]} FLOAT32
     * @param gradients {@code [tokens or more, hidden]} FLOAT32, BFLOAT16 or FLOAT16
     * @param routed that was combined from {@link Routed#results}, and whose memory no other dispatch has used since
     */
    public synchronized void weightGradients(Buffer to, Buffer gradients, Routed routed, Stream stream) {
        calls.products(to, gradients, routed, nonNull(stream, "weightGradients", "stream"));
    }

    /** {@link Routed#next(Tokens, Stream)}. */
    synchronized Routed dispatch(Tokens tokens, @Nullable Stream stream, Routed ended) {
        if (pe instanceof MoeSite.Alone) {
            throw new UnsupportedOperationException("next: rows of all-gather come with a new Routed: call dispatch");
        }
        Routed routed = calls.send("next", tokens, true, stream, ended);
        return stream == null ? calls.done("next", routed) : routed;
    }

    synchronized void receive(Routed routed, @Nullable Stream stream) {
        calls.receive(routed, stream);
    }

    synchronized void receive(PendingSums pending, @Nullable Stream stream) {
        calls.receive(pending, stream);
    }

    synchronized void release(Routed routed, String operation) {
        calls.release(routed, operation);
    }

    /** An exchange of this rank alone, whatever ranks there are. */
    static ExpertParallel alone(ExpertTransport transport, MoeShape shape, MoeOptions options) {
        return new ExpertParallel(new MoeSite.Alone(transport), shape, options);
    }

    /** For tests: so many neighbours reach each other's memory, and others are put to. */
    static ExpertParallel of(ShmemPe pe, MoeShape shape, MoeOptions options, int reach) {
        return new ExpertParallel(new MoeSite.Near(pe, reach), shape, options);
    }

    /** For tests: checked mode of this object alone. */
    synchronized void checked(boolean on) {
        calls.same().checked(on);
    }

    /** For tests: the number of the last dispatch of each slot, the same on all PEs. */
    synchronized void epochs(int last) {
        calls.epochs(last);
    }

    @Override
    public synchronized void check() {
        calls.check();
    }

    @Override
    public synchronized void close() {
        calls.close();
    }

    @Override
    public String toString() {
        return "ExpertParallel[PE " + pe.myPe() + " of " + pe.nPes() + (calls.isClosed() ? ", closed]" : "]");
    }
}
