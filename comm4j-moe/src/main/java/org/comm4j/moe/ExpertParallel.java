// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Arguments;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I8Ptr;
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
 * {@link #check}, throws an exception with the PE. The object does nothing any more then.
 */
public final class ExpertParallel implements ExpertExchange {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private static final Method DISPATCH = MoeMachine.kernel(SendKernels.class, "dispatch");
    private static final Method RECEIVE = MoeMachine.kernel(SendKernels.class, "receive");
    private static final Method ANNOUNCE = MoeMachine.kernel(PullKernels.class, "announce");
    private static final Method COMBINE = MoeMachine.kernel(PullKernels.class, "combine");
    private static final Object[] NO_CONSTANTS = {};
    /** Vectors of a row, or blocks of quantization, that are worth a block of their own. */
    private static final int LEAST_UNITS = 64;

    private static final int WIDE_ELEMENTS = 8;

    private final ShmemPe pe;
    private final MoeShape shape;
    private final MoeOptions options;
    private final ExpertPlacement placement;
    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
    private final MoeChecks checks;
    private final MoeSpace[] spaces;
    private final Routed.Views[] views;
    private final @Nullable Routed[] flying;
    private @Nullable Stream last;
    private Duration timeout = DEFAULT_TIMEOUT;
    private int blocks;
    private int next;
    private boolean closed;

    private ExpertParallel(ShmemPe pe, MoeShape shape, MoeOptions options) {
        this.pe = pe;
        this.shape = shape;
        this.options = options;
        this.placement = ExpertPlacement.even(shape.experts(), pe.nPes());
        this.plan = new MoeMemory.Plan(shape, options, pe.nPes());
        this.machine = pe.onGpu() ? new GpuExperts(pe, plan.total()) : new CpuExperts(pe, plan.total());
        this.checks = new MoeChecks(pe, plan, placement, machine);
        this.blocks = machine.blocks();
        this.spaces = new MoeSpace[options.inFlight()];
        this.views = new Routed.Views[options.inFlight()];
        this.flying = new @Nullable Routed[options.inFlight()];
        for (int slot = 0; slot < spaces.length; slot++) {
            spaces[slot] = space(MoeSpace.SLOTS + slot * plan.slot());
            views[slot] = views(spaces[slot]);
        }
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

    private MoeSpace space(long slot) {
        return new MoeSpace(
                machine.base(),
                machine.distances(),
                machine.report(),
                pe.myPe(),
                pe.nPes(),
                shape.experts(),
                shape.perToken(),
                options.padding(),
                plan.maxRows(),
                plan.capacity(),
                plan.rowBytes(),
                options.group(),
                plan.scales(),
                plan.scaleType().bytes(),
                plan.scalePeriod(),
                slot,
                slot + plan.flags(),
                slot + plan.answers(),
                slot + plan.words(),
                slot + plan.counts(),
                slot + plan.starts(),
                slot + plan.rowExperts(),
                slot + plan.places(),
                slot + plan.rows(),
                slot + plan.rowScales(),
                slot + plan.results());
    }

    private Routed.Views views(MoeSpace space) {
        DataType type = options.results(shape);
        long rows = plan.capacity();
        Buffer x = view(space.rows(), rows * shape.hidden(), plan.rowType());
        Buffer scales = view(space.rowScales(), rows * plan.scales(), plan.scaleType());
        List<Buffer> payloads = new ArrayList<>();
        for (int i = 0; i < shape.payloads().size(); i++) {
            payloads.add(
                    view(space.slot() + plan.payload(i), rows * shape.payloads().get(i), DataType.INT8));
        }
        Buffer results = view(space.results(), rows * shape.hidden(), type);
        Buffer counts = view(space.counts(), localExperts(), DataType.INT32);
        Buffer starts = view(space.starts(), localExperts() + 1, DataType.INT32);
        boolean padded = options.layout() == ExpertLayout.PADDED;
        Buffer rowExperts = view(space.rowExperts(), padded ? 0 : rows, DataType.INT32);
        RoutedRows kernel = new RoutedRows(space, localExperts(), shape.hidden() * type.bytes());
        return new Routed.Views(x, scales, payloads, results, counts, starts, rowExperts, kernel);
    }

    private Buffer view(long offset, long count, DataType type) {
        return machine.space().slice(offset, count * type.bytes()).view(type);
    }

    /** Returns the shape of the layer. */
    public MoeShape shape() {
        return shape;
    }

    /** Returns the number of experts of this PE. */
    public int localExperts() {
        return placement.count(pe.myPe());
    }

    /** Returns the first expert of this PE. */
    public int firstExpert() {
        return placement.first(pe.myPe());
    }

    /** Returns a shape for kernels over the rows of a dispatch: the blocks of this object, of 256 threads on a GPU. */
    public synchronized LaunchConfig blocks() {
        return LaunchConfig.grid(blocks).block(pe.onGpu() ? 256 : machine.threads(0));
    }

    /** Sets the most blocks of kernels that begin from now on, and with them the multiprocessors that they take. */
    public synchronized void blocks(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("blocks: kernels cannot have " + most + " blocks");
        }
        blocks = most;
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
        int slot = free(operation);
        follow(stream);
        int most = tokens.count();
        boolean quantize = options.quantize() != Quantization.NONE;
        boolean powers = options.quantize() == Quantization.FP8_BLOCK_128_UE8M0;
        int vectors = plan.rowBytes() / 16;
        int parts = parts(most, quantize ? (vectors + QuantizeRows.THREADS - 1) / QuantizeRows.THREADS : vectors);
        Buffer bound = tokens.countOnDevice();
        machine.launch(
                DISPATCH,
                new Object[] {quantize, powers, quantize ? sumType(shape.input()) : SumType.F32},
                grid(most, parts),
                machine.threads(vectors / parts),
                Counting.sharedBytes(shape.experts(), placement.count(0)),
                stream,
                spaces[slot],
                bytes(tokens.x()),
                shape.inputBytes(),
                bytes(tokens.chosen()),
                tokens.chosen().type().bytes(),
                most,
                bound == null ? spaces[slot].tokens() : I32Ptr.of(bound),
                bound != null,
                payloads(spaces[slot], tokens),
                parts,
                receives);
        Routed routed = new Routed(this, slot, most, receives, views[slot]);
        flying[slot] = routed;
        next = (slot + 1) % flying.length;
        return routed;
    }

    private static I8Ptr bytes(Buffer buffer) {
        return I8Ptr.of(buffer.view(DataType.INT8));
    }

    private Payloads payloads(MoeSpace space, Tokens tokens) {
        Payloads.One[] all = new Payloads.One[Payloads.MOST];
        for (int i = 0; i < all.length; i++) {
            boolean is = i < shape.payloads().size();
            all[i] = is
                    ? new Payloads.One(
                            bytes(tokens.payloads().get(i)), shape.payloads().get(i), space.slot() + plan.payload(i))
                    : new Payloads.One(space.base(), 0, 0);
        }
        Buffer scales = tokens.scales();
        return new Payloads(
                scales == null ? space.base() : bytes(scales),
                tokens.scaleRow() == 0 && tokens.scaleStep() == 1 ? shape.scales() : tokens.scaleRow(),
                tokens.scaleStep(),
                all[0],
                all[1],
                all[2],
                all[3],
                all[4],
                all[5]);
    }

    synchronized void receive(Routed routed, @Nullable Stream stream) {
        begin("receive", stream);
        follow(stream);
        machine.launch(RECEIVE, NO_CONSTANTS, 1, machine.threads(pe.nPes()), 0, stream, spaces[routed.slot()]);
        if (stream == null) {
            done("receive");
        }
    }

    private int free(String operation) {
        for (int i = 0; i < flying.length; i++) {
            int slot = (next + i) % flying.length;
            if (flying[slot] == null) {
                return slot;
            }
        }
        throw new IllegalStateException(checks.at(operation) + flying.length
                + " dispatches are in flight: combine or close one, or make it with MoeOptions.inFlight("
                + (flying.length + 1) + ")");
    }

    /** Parts of a row, so that few tokens, too, are work for all blocks. */
    private int parts(int tokens, int units) {
        int least = pe.onGpu() ? LEAST_UNITS : 1;
        return Math.clamp(blocks / Math.max(tokens, 1), 1, Math.max(units / least, 1));
    }

    private int grid(int tokens, int parts) {
        return Math.clamp((long) tokens * parts, 1, blocks);
    }

    // ---- combine ----

    @Override
    public synchronized void combine(Sums sums, Routed routed) {
        pull("combine", sums, routed, true, null);
        done("combine");
    }

    @Override
    public synchronized void combine(Sums sums, Routed routed, Stream stream) {
        pull("combine", sums, routed, true, nonNull(stream, "combine", "stream"));
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
        nonNull(sums, operation, "sums");
        nonNull(routed, operation, "routed");
        begin(operation, stream);
        owned(operation, routed);
        checks.sums(operation, sums, routed.tokens());
        follow(stream);
        long results = results(sums, spaces[routed.slot()], stream);
        machine.launch(ANNOUNCE, NO_CONSTANTS, 1, machine.threads(pe.nPes()), 0, stream, spaces[routed.slot()]);
        routed.end(operation);
        return new PendingSums(this, routed, sums, results);
    }

    synchronized void receive(PendingSums pending, @Nullable Stream stream) {
        begin("receive", stream);
        follow(stream);
        Routed routed = pending.routed();
        launchSums(pending.sums(), routed, pending.results(), false, stream);
        flying[routed.slot()] = null;
        if (stream == null) {
            done("receive");
        }
    }

    private void pull(String operation, Sums sums, Routed routed, boolean announces, @Nullable Stream stream) {
        nonNull(sums, operation, "sums");
        nonNull(routed, operation, "routed");
        begin(operation, stream);
        owned(operation, routed);
        checks.sums(operation, sums, routed.tokens());
        follow(stream);
        launchSums(sums, routed, results(sums, spaces[routed.slot()], stream), announces, stream);
        release(routed, operation);
    }

    /** Where the results are, in bytes from the beginning of this PE's memory. */
    private long results(Sums sums, MoeSpace space, @Nullable Stream stream) {
        Buffer given = sums.results();
        if (given == null) {
            return space.results();
        }
        if (machine.isSymmetric(given)) {
            return given.address() - machine.space().address();
        }
        machine.copy(view(space.results(), given.count(), given.type()), given, stream);
        return space.results();
    }

    private void launchSums(Sums sums, Routed routed, long results, boolean announces, @Nullable Stream stream) {
        Buffer out = sums.out();
        Buffer weights = sums.weights();
        Buffer bias = sums.bias();
        boolean wide = shape.hidden() % WIDE_ELEMENTS == 0
                && (out.address() | results | (bias == null ? 0 : bias.address())) % 16 == 0;
        int units = wide ? shape.hidden() / WIDE_ELEMENTS : shape.hidden();
        int parts = parts(routed.tokens(), units);
        int extras = (weights != null ? PullKernels.WEIGHTS : 0)
                | (bias != null ? PullKernels.BIAS : 0)
                | (sums.accumulate() ? PullKernels.ACCUMULATE : 0);
        MoeSpace space = spaces[routed.slot()];
        machine.launch(
                COMBINE,
                new Object[] {sumType(options.results(shape)), sumType(out.type()), wide},
                grid(routed.tokens(), parts),
                machine.threads(units / parts),
                0,
                stream,
                space,
                results,
                bytes(out),
                weights == null ? space.base().asF32() : F32Ptr.of(weights),
                bias == null ? space.base() : bytes(bias),
                sums.factor(),
                extras,
                shape.hidden(),
                parts,
                announces);
    }

    private static SumType sumType(DataType type) {
        return Objects.requireNonNull(SumType.of(type));
    }

    private void owned(String operation, Routed routed) {
        if (routed.owner() != this) {
            throw new IllegalArgumentException(checks.at(operation) + routed + " is of another exchange than " + this);
        }
        routed.check(operation);
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
        checks.reports(operation, timeout);
    }

    private void done(String operation) {
        machine.complete(null);
        checks.reports(operation, timeout);
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

    @Override
    public synchronized void check() {
        checks.reports("check", timeout);
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
