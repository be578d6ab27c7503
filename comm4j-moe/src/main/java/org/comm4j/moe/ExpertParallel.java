// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Arguments;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.F32Ptr;
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
    private static final Method COMBINE = MoeMachine.kernel(PullKernels.class, "combine");
    private static final Object[] NO_CONSTANTS = {};
    /** Vectors of a row that are worth a block of their own. */
    private static final int LEAST_VECTORS = 64;

    private static final int WIDE_ELEMENTS = 8;

    private final ShmemPe pe;
    private final MoeShape shape;
    private final MoeOptions options;
    private final ExpertPlacement placement;
    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
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
                shape.inputBytes(),
                slot,
                slot + plan.flags(),
                slot + plan.answers(),
                slot + plan.words(),
                slot + plan.counts(),
                slot + plan.starts(),
                slot + plan.rowExperts(),
                slot + plan.places(),
                slot + plan.rows(),
                slot + plan.results());
    }

    private Routed.Views views(MoeSpace space) {
        DataType type = options.results(shape);
        long rows = plan.capacity();
        Buffer x = view(space.rows(), rows * shape.hidden(), shape.input());
        Buffer results = view(space.results(), rows * shape.hidden(), type);
        Buffer counts = view(space.counts(), localExperts(), DataType.INT32);
        Buffer starts = view(space.starts(), localExperts() + 1, DataType.INT32);
        boolean padded = options.layout() == ExpertLayout.PADDED;
        Buffer rowExperts = view(space.rowExperts(), padded ? 0 : rows, DataType.INT32);
        RoutedRows kernel = new RoutedRows(
                machine.base().plus(space.rows()),
                machine.base().plus(space.results()),
                machine.base().plus(space.counts()).asI32(),
                machine.base().plus(space.starts()).asI32(),
                localExperts(),
                plan.maxRows(),
                shape.inputBytes(),
                shape.hidden() * type.bytes());
        return new Routed.Views(x, results, counts, starts, rowExperts, kernel);
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
    public synchronized Routed dispatch(Buffer x, Buffer chosen, int tokens) {
        Routed routed = send("dispatch", x, chosen, tokens, null);
        machine.complete(null);
        check("dispatch");
        return routed;
    }

    @Override
    public synchronized Routed dispatch(Buffer x, Buffer chosen, int tokens, Stream stream) {
        return send("dispatch", x, chosen, tokens, nonNull(stream, "dispatch", "stream"));
    }

    private Routed send(String operation, Buffer x, Buffer chosen, int tokens, @Nullable Stream stream) {
        nonNull(x, operation, "x");
        nonNull(chosen, operation, "chosen");
        begin(operation, stream);
        if (tokens < 0 || tokens > shape.tokens()) {
            throw new IllegalArgumentException(at(operation) + tokens + " tokens are not 0 to " + shape.tokens());
        }
        array(operation, "x", x, (long) tokens * shape.hidden(), shape.input());
        array(
                operation,
                "chosen",
                chosen,
                (long) tokens * shape.perToken(),
                DataType.INT32,
                DataType.UINT32,
                DataType.INT64);
        if (x.address() % 16 != 0 && tokens > 0) {
            throw new IllegalArgumentException(at(operation) + "x " + x + " is not at a multiple of 16 bytes");
        }
        int slot = free(operation);
        follow(stream);
        int vectors = shape.inputBytes() / 16;
        int parts = parts(tokens, vectors);
        int grid = Math.clamp((long) tokens * parts, 1, blocks);
        machine.launch(
                DISPATCH,
                NO_CONSTANTS,
                grid,
                machine.threads(vectors / parts),
                Counting.sharedBytes(shape.experts(), placement.count(0)),
                stream,
                spaces[slot],
                I8Ptr.of(x.view(DataType.INT8)),
                I8Ptr.of(chosen.view(DataType.INT8)),
                chosen.type().bytes(),
                tokens,
                parts,
                true);
        Routed routed = new Routed(this, slot, tokens, views[slot]);
        flying[slot] = routed;
        next = (slot + 1) % flying.length;
        return routed;
    }

    private int free(String operation) {
        for (int i = 0; i < flying.length; i++) {
            int slot = (next + i) % flying.length;
            if (flying[slot] == null) {
                return slot;
            }
        }
        throw new IllegalStateException(at(operation) + flying.length
                + " dispatches are in flight: combine or close one, or make it with MoeOptions.inFlight("
                + (flying.length + 1) + ")");
    }

    /** Parts of a row, so that few tokens, too, are work for all blocks. */
    private int parts(int tokens, int vectors) {
        int least = pe.onGpu() ? LEAST_VECTORS : 1;
        return Math.clamp(blocks / Math.max(tokens, 1), 1, Math.max(vectors / least, 1));
    }

    // ---- combine ----

    @Override
    public synchronized void combine(Buffer out, Routed routed, Buffer weights) {
        pull("combine", out, routed, weights, null);
        machine.complete(null);
        check("combine");
    }

    @Override
    public synchronized void combine(Buffer out, Routed routed, Buffer weights, Stream stream) {
        pull("combine", out, routed, weights, nonNull(stream, "combine", "stream"));
    }

    private void pull(String operation, Buffer out, Routed routed, Buffer weights, @Nullable Stream stream) {
        nonNull(out, operation, "out");
        nonNull(routed, operation, "routed");
        nonNull(weights, operation, "weights");
        begin(operation, stream);
        owned(operation, routed);
        int tokens = routed.tokens();
        array(
                operation,
                "out",
                out,
                (long) tokens * shape.hidden(),
                DataType.FLOAT32,
                DataType.BFLOAT16,
                DataType.FLOAT16);
        array(operation, "weights", weights, (long) tokens * shape.perToken(), DataType.FLOAT32);
        follow(stream);
        boolean wide = shape.hidden() % WIDE_ELEMENTS == 0 && out.address() % 16 == 0;
        int units = wide ? shape.hidden() / WIDE_ELEMENTS : shape.hidden();
        int parts = parts(tokens, units);
        int grid = Math.clamp((long) tokens * parts, 1, blocks);
        MoeSpace space = spaces[routed.slot()];
        machine.launch(
                COMBINE,
                new Object[] {sumType(options.results(shape)), sumType(out.type()), wide},
                grid,
                machine.threads(units / parts),
                0,
                stream,
                space,
                space.results(),
                I8Ptr.of(out.view(DataType.INT8)),
                F32Ptr.of(weights),
                I8Ptr.of(out.view(DataType.INT8)),
                1f,
                PullKernels.WEIGHTS,
                shape.hidden(),
                tokens,
                parts);
        release(routed, operation);
    }

    private static SumType sumType(DataType type) {
        return Objects.requireNonNull(SumType.of(type));
    }

    private void owned(String operation, Routed routed) {
        if (routed.owner() != this) {
            throw new IllegalArgumentException(at(operation) + routed + " is of another exchange than " + this);
        }
        routed.check(operation);
    }

    synchronized void release(Routed routed, String operation) {
        routed.end(operation);
        flying[routed.slot()] = null;
    }

    // ---- checks ----

    private String at(String operation) {
        return operation + " on PE " + pe.myPe() + " of " + pe.nPes() + ": ";
    }

    private void begin(String operation, @Nullable Stream stream) {
        if (closed) {
            throw new IllegalStateException(operation + ": " + this + " is closed");
        }
        machine.check(operation, stream);
        check(operation);
    }

    private void array(String operation, String name, Buffer buffer, long count, DataType... types) {
        machine.check(operation, name, buffer);
        if (!buffer.isAlive()) {
            throw new IllegalStateException(at(operation) + name + " " + buffer + " was freed");
        }
        for (DataType type : types) {
            if (buffer.type() == type) {
                if (buffer.count() < count) {
                    throw new IllegalArgumentException(
                            at(operation) + name + " " + buffer + " has fewer than " + count + " elements");
                }
                return;
            }
        }
        throw new IllegalArgumentException(
                at(operation) + name + " " + buffer + " is not of " + java.util.Arrays.toString(types));
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
        check("check");
    }

    private void check(String operation) {
        long waited = machine.reported(MoeSpace.REPORT_WAIT);
        if (waited != 0) {
            throw inVain(operation, (int) (waited >>> 32), (int) waited);
        }
        long overflow = machine.reported(MoeSpace.REPORT_OVERFLOW);
        if (overflow != 0) {
            machine.clear(MoeSpace.REPORT_OVERFLOW);
            throw overflow(operation, (int) (overflow >>> 32), (int) overflow);
        }
        long route = machine.reported(MoeSpace.REPORT_ROUTE);
        if (route != 0) {
            machine.clear(MoeSpace.REPORT_ROUTE);
            long number = route >>> 32;
            throw new IllegalArgumentException("dispatch: rank " + pe.myPe() + ": token " + number / shape.perToken()
                    + ", choice " + number % shape.perToken() + ": expert " + (int) route + " is not one of 0 to "
                    + (shape.experts() - 1));
        }
    }

    private IllegalStateException overflow(String operation, int of, int needed) {
        if (plan.maxRows() > 0) {
            return new IllegalStateException(at(operation) + "expert " + of + " was chosen " + needed
                    + " times in a dispatch and has " + plan.maxRows()
                    + " rows, one a token; those beyond were not sent: for tokens that choose an expert more than once"
                    + " there is the layout RAGGED");
        }
        return new IllegalStateException(at(operation) + "PE " + of + " needed " + needed
                + " rows in a dispatch and has " + plan.capacity()
                + "; those beyond were not sent: there is MoeOptions.capacity");
    }

    private CommException inVain(String operation, int what, int from) {
        String missing = what == Waiting.COUNTS
                ? "to begin the same dispatch"
                : what == Waiting.ROWS
                        ? "to send its rows of a dispatch"
                        : "to begin the same combine, with its results (experts " + placement.first(from) + " to "
                                + (placement.first(from) + placement.count(from) - 1) + ")";
        return machine.failure(
                at(operation) + "a kernel has waited " + timeout + " for rank " + from + " " + missing
                        + " in vain: all must make the same calls in the same order",
                from);
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
