// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Arguments;
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
 * {@link #check}, throws an exception with the PE. The object does nothing any more then. In {@linkplain
 * org.comm4j.core.spi.CheckedMode checked mode} the PEs compare their calls before anything is launched, except while a
 * stream is captured: those that do not fit together are exceptions on all PEs, which are in step afterwards.
 */
public final class ExpertParallel implements ExpertExchange {
    /** Threads of a block of kernels of the program, on a GPU. */
    private static final int THREADS = 256;

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private final ShmemPe pe;
    private final MoeShape shape;
    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
    private final MoeChecks checks;
    private final SameCalls calls;
    private final ExpertArrays arrays;
    private final MoeLaunches launches;
    private final @Nullable Routed[] flying;
    /** How often each slot was used. */
    private final long[] uses;

    private @Nullable Stream last;
    private Duration timeout = DEFAULT_TIMEOUT;
    private int next;
    private boolean closed;

    private ExpertParallel(ShmemPe pe, MoeShape shape, MoeOptions options) {
        this.pe = pe;
        this.shape = shape;
        this.plan = new MoeMemory.Plan(shape, options, pe.nPes());
        this.calls = new SameCalls(pe);
        calls.compare(
                "ExpertParallel.of",
                shape + ", " + options + ", " + plan.placement().described());
        this.machine = pe.onGpu() ? new GpuExperts(pe, plan.total()) : new CpuExperts(pe, plan.total());
        this.checks = new MoeChecks(pe, plan, machine);
        this.launches = new MoeLaunches(pe, plan, machine);
        this.arrays = new ExpertArrays(checks, calls, launches);
        this.flying = new @Nullable Routed[options.inFlight()];
        this.uses = new long[options.inFlight()];
        machine.set(MoeSpace.WRONG, MoeSpace.NO_ROUTE);
        machine.set(MoeSpace.OVERFLOW, MoeSpace.NO_ROUTE);
        Duration wait = pe.onGpu() ? pe.nvshmem().timeout() : pe.host().timeout();
        timeout(wait.isZero() ? DEFAULT_TIMEOUT : wait);
        machine.barrier();
    }

    /**
     * Collective: an exchange of this shape over all PEs, which pass the same. Takes {@link #memory} of the symmetric
     * heap of each.
     *
     * @throws IllegalArgumentException if the shape and the options do not fit each other
     * @throws org.comm4j.core.CollectiveMismatchException if the PEs do not pass the same
     * @throws UnsupportedOperationException if PEs do not reach each other's memory
     */
    public static ExpertParallel of(ShmemPe pe, MoeShape shape, MoeOptions options) {
        nonNull(pe, "ExpertParallel.of", "pe");
        nonNull(shape, "ExpertParallel.of", "shape");
        nonNull(options, "ExpertParallel.of", "options");
        return new ExpertParallel(pe, shape, options);
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
        return launches.placement().local(pe.myPe()).length;
    }

    /** Returns where the experts are. */
    public synchronized ExpertPlacement placement() {
        return launches.placement();
    }

    /**
     * Collective: places experts anew, from the next dispatch on. Waits for what is under way on all PEs.
     *
     * @throws IllegalArgumentException if it does not fit the memory; {@link MoeOptions#localExperts} makes room
     * @throws IllegalStateException if a dispatch is in flight
     */
    public synchronized void placement(ExpertPlacement placement) {
        nonNull(placement, "placement", "placement");
        begin("placement", null);
        calls.check("placement", placement.described(), null);
        checks.placement(placement);
        checks.noneInFlight("placement", flying);
        machine.complete(last);
        machine.barrier();
        launches.place(placement);
        machine.barrier();
    }

    /**
     * Collective: brings each local expert's elements, such as weights, from a PE that had it by the placement before.
     *
     * @param to {@code [local experts, elements]} by the placement now
     * @param from {@code [local experts, elements]} by that before, symmetric, of the same type
     */
    public synchronized void fetch(Buffer to, Buffer from, long elements) {
        begin("fetch", null);
        machine.complete(last);
        arrays.fetch(to, from, elements);
    }

    /**
     * Collective: adds the elements of all replicas of each local expert, such as gradients, in the order of PEs.
     *
     * @param to {@code [local experts, elements]} FLOAT32, apart from {@code gradients}
     * @param gradients {@code [local experts, elements]} FLOAT32, symmetric
     */
    public synchronized void reduceReplicas(Buffer to, Buffer gradients, long elements) {
        begin("reduceReplicas", null);
        machine.complete(last);
        arrays.reduceReplicas(to, gradients, elements);
    }

    /**
     * Returns how often each expert was chosen so far by tokens of all PEs, INT64: a view that dispatch adds to, and
     * that may be set.
     *
     * @throws UnsupportedOperationException of {@link ExpertLayout#BY_RANK}
     */
    public Buffer load() {
        checks.perExpert("load");
        return launches.view(plan.load(), shape.experts(), DataType.INT64);
    }

    /**
     * Returns a shape for kernels of the program with functions of {@link FusedExperts}: the blocks of this object, of
     * 256 threads on a GPU, with the shared memory that a dispatch needs.
     */
    public synchronized LaunchConfig blocks() {
        return LaunchConfig.grid(launches.blocks())
                .block(pe.onGpu() ? THREADS : machine.threads(0))
                .shared(launches.sharedBytes());
    }

    /** Sets the most blocks of kernels that begin from now on, and with them the multiprocessors that they take. */
    public synchronized void blocks(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("blocks: kernels cannot have " + most + " blocks");
        }
        launches.blocks(most);
    }

    /** Returns how long a kernel waits for another PE; that of the PEs, else a minute. */
    public synchronized Duration timeout() {
        return timeout;
    }

    /** Sets how long kernels that have not begun yet wait for another PE; {@link Duration#ZERO}: for good. */
    public synchronized void timeout(Duration timeout) {
        machine.set(MoeSpace.LIMIT, Arguments.timeoutNanos(timeout, "timeout"));
        this.timeout = timeout;
    }

    // ---- dispatch ----

    @Override
    public synchronized Routed dispatch(Tokens tokens) {
        Routed routed = send("dispatch", tokens, true, null);
        return done("dispatch", routed);
    }

    @Override
    public synchronized Routed dispatch(Tokens tokens, Stream stream) {
        return send("dispatch", tokens, true, nonNull(stream, "dispatch", "stream"));
    }

    /** {@link #dispatchSend(Tokens, Stream)}, waited for. */
    public synchronized Routed dispatchSend(Tokens tokens) {
        Routed routed = send("dispatchSend", tokens, false, null);
        return done("dispatchSend", routed);
    }

    /**
     * Begins a dispatch: sends this PE's rows, and waits for nothing but the others' counts. Rows of this PE are there
     * after {@link Routed#receive(Stream)}; until then nothing runs.
     */
    public synchronized Routed dispatchSend(Tokens tokens, Stream stream) {
        return send("dispatchSend", tokens, false, nonNull(stream, "dispatchSend", "stream"));
    }

    private Routed send(String operation, Tokens tokens, boolean receives, @Nullable Stream stream) {
        nonNull(tokens, operation, "tokens");
        begin(operation, stream);
        checks.tokens(operation, tokens);
        int slot = free(operation, -1);
        checks.apart(operation, launches.memory(slot), tokens);
        calls.check(operation, "slot " + slot, stream);
        follow(stream);
        launches.send(tokens, slot, receives, stream);
        return routed(slot, tokens.count(), receives);
    }

    private Routed routed(int slot, int tokens, boolean receives) {
        Routed routed = new Routed(this, slot, ++uses[slot], tokens, receives, launches.views(slot));
        flying[slot] = routed;
        next = (slot + 1) % flying.length;
        return routed;
    }

    /** {@link #dispatch(Buffer, Routed, Stream)}, waited for. */
    public synchronized Routed dispatch(Buffer x, Routed routes) {
        return done("dispatch", again(x, routes, null));
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
        return again(x, routes, nonNull(stream, "dispatch", "stream"));
    }

    private Routed again(Buffer x, Routed routes, @Nullable Stream stream) {
        String operation = "dispatch";
        nonNull(x, operation, "x");
        nonNull(routes, operation, "routes");
        begin(operation, stream);
        kept(operation, routes);
        checks.rowsAlone(operation);
        checks.rows(operation, x, routes.tokens());
        int slot = free(operation, routes.slot());
        checks.apart(operation, launches.memory(slot), "x", x);
        calls.check(operation, "slot " + slot + ", routes of slot " + routes.slot(), stream);
        follow(stream);
        launches.again(x, routes.tokens(), slot, routes.slot(), stream);
        return routed(slot, routes.tokens(), true);
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
        begin("reserve", null);
        checks.reserved(tokens);
        return routed(free("reserve", -1), tokens, false);
    }

    /** Its memory is as it was. */
    private void kept(String operation, Routed routed) {
        ours(operation, routed);
        if (uses[routed.slot()] != routed.use()) {
            throw new IllegalStateException(checks.at(operation) + "the memory of " + routed
                    + " was used by another dispatch since: there is MoeOptions.inFlight");
        }
    }

    synchronized void receive(Routed routed, @Nullable Stream stream) {
        begin("receive", stream);
        follow(stream);
        launches.receive(routed.slot(), stream);
        if (stream == null) {
            done("receive");
        }
    }

    private int free(String operation, int but) {
        for (int i = 0; i < flying.length; i++) {
            int slot = (next + i) % flying.length;
            if (flying[slot] == null && slot != but) {
                return slot;
            }
        }
        throw new IllegalStateException(checks.at(operation) + flying.length
                + (but < 0 ? " dispatches are in flight" : " dispatches are in flight, or have the routes")
                + ": combine or close one, or make it with MoeOptions.inFlight("
                + (flying.length + 1) + ")");
    }

    // ---- combine ----

    @Override
    public synchronized void combine(Sums sums, Routed routed) {
        pull("combine", sums, routed, null);
        done("combine");
    }

    @Override
    public synchronized void combine(Sums sums, Routed routed, Stream stream) {
        pull("combine", sums, routed, nonNull(stream, "combine", "stream"));
    }

    /** {@link #combineSend(Sums, Routed, Stream)}, waited for. */
    public synchronized PendingSums combineSend(Sums sums, Routed routed) {
        PendingSums pending = announce(sums, routed, null);
        done("combineSend");
        return pending;
    }

    /**
     * Begins a combine: says that this PE's results are there, and waits for nothing. The sums are there after {@link
     * PendingSums#receive(Stream)}; until then nothing runs.
     */
    public synchronized PendingSums combineSend(Sums sums, Routed routed, Stream stream) {
        return announce(sums, routed, nonNull(stream, "combineSend", "stream"));
    }

    private PendingSums announce(Sums sums, Routed routed, @Nullable Stream stream) {
        String operation = "combineSend";
        beginSums(operation, sums, routed, stream);
        long results = launches.results(sums, routed.slot(), stream);
        launches.announce(routed.slot(), stream);
        routed.end(operation);
        return new PendingSums(this, routed, sums, results);
    }

    synchronized void receive(PendingSums pending, @Nullable Stream stream) {
        begin("receive", stream);
        follow(stream);
        Routed routed = pending.routed();
        launches.sums(pending.sums(), routed.slot(), routed.tokens(), pending.results(), false, stream);
        flying[routed.slot()] = null;
        if (stream == null) {
            done("receive");
        }
    }

    private void pull(String operation, Sums sums, Routed routed, @Nullable Stream stream) {
        beginSums(operation, sums, routed, stream);
        int slot = routed.slot();
        launches.sums(sums, slot, routed.tokens(), launches.results(sums, slot, stream), true, stream);
        release(routed, operation);
    }

    private void beginSums(String operation, Sums sums, Routed routed, @Nullable Stream stream) {
        nonNull(sums, operation, "sums");
        nonNull(routed, operation, "routed");
        begin(operation, stream);
        ours(operation, routed);
        routed.check(operation);
        checks.sums(operation, sums, routed.tokens());
        checks.apart(operation, launches.memory(routed.slot()), "out", sums.out());
        calls.check(operation, "slot " + routed.slot(), stream);
        follow(stream);
    }

    /** {@link #weightGradients(Buffer, Buffer, Routed, Stream)}, waited for. */
    public synchronized void weightGradients(Buffer to, Buffer gradients, Routed routed) {
        products(to, gradients, routed, null);
        done("weightGradients");
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
        products(to, gradients, routed, nonNull(stream, "weightGradients", "stream"));
    }

    private void products(Buffer to, Buffer gradients, Routed routed, @Nullable Stream stream) {
        String operation = "weightGradients";
        nonNull(routed, operation, "routed");
        begin(operation, stream);
        kept(operation, routed);
        checks.perExpert(operation);
        if (flying[routed.slot()] != null) {
            throw new IllegalStateException(checks.at(operation) + routed + " was not combined yet");
        }
        checks.gradients(operation, to, gradients, routed.tokens());
        checks.apart(operation, launches.memory(routed.slot()), "to", to);
        follow(stream);
        launches.products(to, gradients, routed.slot(), stream);
    }

    private void ours(String operation, Routed routed) {
        if (routed.owner() != this) {
            throw new IllegalArgumentException(checks.at(operation) + routed + " is of another exchange than " + this);
        }
    }

    synchronized void release(Routed routed, String operation) {
        routed.end(operation);
        flying[routed.slot()] = null;
    }

    private void begin(String operation, @Nullable Stream stream) {
        if (closed) {
            throw new IllegalStateException(operation + ": " + this + " is closed");
        }
        machine.check(operation, stream);
        checks.reports(operation, timeout, launches.placement());
    }

    private void done(String operation) {
        machine.complete(null);
        checks.reports(operation, timeout, launches.placement());
    }

    /** A dispatch that threw is ended: nobody has it. */
    private Routed done(String operation, Routed routed) {
        try {
            done(operation);
        } catch (RuntimeException e) {
            release(routed, operation);
            throw e;
        }
        return routed;
    }

    /** Calls in another stream wait for those before. */
    private void follow(@Nullable Stream stream) {
        Stream now = stream == null ? machine.own() : stream;
        Stream before = last;
        if (now != null && now != before) {
            if (before != null && before.isOpen() && !now.isCapturing()) {
                now.await(before);
            }
            last = now;
        }
    }

    /** For tests: checked mode of this object alone. */
    synchronized void checked(boolean on) {
        calls.checked(on);
    }

    /** For tests: the number of the last dispatch of each slot, the same on all PEs. */
    synchronized void epochs(int last) {
        launches.epochs(last);
    }

    @Override
    public synchronized void check() {
        checks.reports("check", timeout, launches.placement());
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            machine.close();
        }
    }

    @Override
    public String toString() {
        return "ExpertParallel[PE " + pe.myPe() + " of " + pe.nPes() + (closed ? ", closed]" : "]");
    }
}
