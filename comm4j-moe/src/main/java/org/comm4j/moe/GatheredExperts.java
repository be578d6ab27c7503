// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/**
 * Expert parallelism by all-gather and reduce-scatter, as vLLM does it by default: each rank gets the tokens of all,
 * keeps the rows of its own experts, and the ranks' sums are added. Rows and their order are those of {@link
 * ExpertParallel}. Sums are not to the bit: each rank's is rounded to the type of the output, and the library adds them
 * in its own order. The host waits for nothing, so calls can be captured.
 */
public final class GatheredExperts implements ExpertExchange {
    private static final Method ROUTES = MoeMachine.kernel(GatherKernels.class, "routes");
    private static final Method SCALES = MoeMachine.kernel(GatherKernels.class, "scales");
    private static final Method LOCAL = MoeMachine.kernel(GatherKernels.class, "local");
    private static final Method SUMS = MoeMachine.kernel(GatherKernels.class, "sums");
    private static final Object[] NO_CONSTANTS = {};
    private static final int THREADS = 256;

    private final MoeShape shape;
    private final MoeMemory.Plan plan;
    private final int rank;
    private final int ranks;
    private final StagedExperts machine;
    private final MoeChecks checks;
    /** This rank alone, with its own experts, to which it sends the tokens of all ranks. */
    private final ExpertParallel here;

    private final List<Buffer> arrays = new ArrayList<>();
    private final Buffer x;
    private final Buffer chosen;
    private final Buffer weights;
    private final Buffer ones;
    private final Buffer scales;
    private final List<Buffer> payloads = new ArrayList<>();
    private final Buffer sums;
    private final Buffer mine;
    private final Buffer local;
    private final Buffer wrong;
    private final Buffer counts;
    /** By number of {@link #counts}: whose it is. */
    private final @Nullable Routed[] flying;

    private final int[] tokens;

    private @Nullable Stream last;
    private boolean closed;

    private GatheredExperts(ExpertTransport transport, MoeShape shape, MoeOptions options) {
        MoeSite site = new MoeSite.Far(transport);
        this.shape = shape;
        this.rank = site.myPe();
        this.ranks = site.nPes();
        this.plan = new MoeMemory.Plan(shape, options, ranks);
        refuse(options);
        new SameCalls(site, new Members(site), site.timeout())
                .compare(
                        "GatheredExperts.of",
                        shape + ", " + options + ", " + plan.placement().described());
        this.machine = new StagedExperts(transport, MoeMemory.LINE, true);
        this.checks = new MoeChecks(site, plan, machine);
        int[] experts = plan.placement().local(rank);
        int all = Math.multiplyExact(ranks, shape.tokens());
        MoeShape gathered = new MoeShape(
                experts.length,
                shape.perToken(),
                shape.hidden(),
                all,
                shape.input(),
                shape.scales(),
                shape.scaleType(),
                shape.payloads());
        MoeOptions alone = new MoeOptions(
                options.layout(),
                options.padding(),
                0,
                options.inFlight(),
                options.results(),
                options.quantize(),
                1,
                options.scaleColumns(),
                null,
                0,
                false);
        this.here = ExpertParallel.alone(transport, gathered, alone);
        this.x = allocate(DataType.INT8, (long) all * shape.inputBytes());
        this.chosen = allocate(DataType.INT32, (long) all * shape.perToken());
        this.weights = allocate(DataType.FLOAT32, (long) all * shape.perToken());
        this.ones = allocate(DataType.FLOAT32, (long) shape.tokens() * shape.perToken());
        ones.fill(1);
        this.scales = allocate(shape.scaleType(), (long) all * shape.scales());
        shape.payloads().forEach(bytes -> payloads.add(allocate(DataType.INT8, (long) all * bytes)));
        this.sums = allocate(DataType.FLOAT32, (long) all * shape.hidden());
        this.mine = allocate(DataType.FLOAT32, (long) shape.tokens() * shape.hidden());
        this.local = allocate(DataType.INT32, shape.experts());
        this.wrong = allocate(DataType.INT64, 1);
        this.counts = allocate(DataType.INT32, options.inFlight());
        this.flying = new @Nullable Routed[options.inFlight()];
        this.tokens = new int[options.inFlight()];
        int[] numbers = new int[shape.experts()];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < experts.length; i++) {
            numbers[experts[i]] = i;
        }
        local.copyFrom(HostArray.of(numbers));
        wrong.copyFrom(HostArray.of(MoeSpace.NO_ROUTE));
        for (int word = 0; word < MoeSpace.REPORTS; word++) {
            machine.clear(word);
        }
        machine.barrier();
    }

    /**
     * Collective: an exchange of this shape over all ranks of a transport, which pass the same.
     *
     * @throws UnsupportedOperationException if the options want {@link ExpertLayout#BY_RANK}, groups, a capacity or
     *     replicas, or a rank has no expert
     */
    public static GatheredExperts of(ExpertTransport transport, MoeShape shape, MoeOptions options) {
        nonNull(transport, "GatheredExperts.of", "transport");
        nonNull(shape, "GatheredExperts.of", "shape");
        nonNull(options, "GatheredExperts.of", "options");
        return new GatheredExperts(transport, shape, options);
    }

    private void refuse(MoeOptions options) {
        String what = options.layout() == ExpertLayout.BY_RANK
                ? "the layout BY_RANK: each rank has all tokens anyway"
                : options.group() > 1
                        ? "groups of ranks with the same tokens"
                        : options.capacity() > 0
                                ? "a capacity: there is room for all rows"
                                : plan.placement().slots() != shape.experts()
                                        ? "replicas of experts"
                                        : shape.experts() < ranks
                                                        || plan.placement().fewestLocal() == 0
                                                ? "ranks without experts"
                                                : "";
        if (!what.isEmpty()) {
            throw new UnsupportedOperationException("GatheredExperts: all-gather does not go with " + what);
        }
    }

    private Buffer allocate(DataType type, long count) {
        Buffer made = machine.allocate(type, count);
        arrays.add(made);
        return made;
    }

    /** This rank's part of an array of all ranks. */
    private Buffer part(Buffer all) {
        long count = all.count() / ranks;
        return all.slice(rank * count, count);
    }

    /** Returns the number of this rank's experts. */
    public int localExperts() {
        return here.localExperts();
    }

    /** Returns a shape for kernels of the program, as {@link ExpertParallel#blocks}. */
    public LaunchConfig blocks() {
        return here.blocks();
    }

    private void launch(Method kernel, Object[] constants, @Nullable Stream stream, Object... arguments) {
        machine.launch(kernel, constants, machine.blocks(), machine.threads(THREADS), 0, stream, arguments);
    }

    private static I8Ptr bytes(Buffer buffer) {
        return I8Ptr.of(buffer.view(DataType.INT8));
    }

    private @Nullable Stream begin(String operation, @Nullable Stream stream) {
        if (closed) {
            throw new IllegalStateException(operation + ": " + this + " is closed");
        }
        machine.check(operation, stream);
        checks.reports(operation, here.timeout(), plan.placement());
        Stream into = stream == null ? machine.own() : stream;
        Stream before = last;
        if (into != null && before != null && before != into && before.isOpen() && !into.isCapturing()) {
            into.await(before);
        }
        last = into;
        return into;
    }

    // ---- dispatch ----

    @Override
    public synchronized Routed dispatch(Tokens tokens) {
        Stream own = begin("dispatch", null);
        Routed routed = put(nonNull(tokens, "dispatch", "tokens"), own);
        machine.complete(own);
        try {
            check();
        } catch (RuntimeException e) {
            routed.close();
            throw e;
        }
        return routed;
    }

    @Override
    public synchronized Routed dispatch(Tokens tokens, Stream stream) {
        nonNull(stream, "dispatch", "stream");
        return put(nonNull(tokens, "dispatch", "tokens"), begin("dispatch", stream));
    }

    private Routed put(Tokens tokens, @Nullable Stream stream) {
        checks.tokens("dispatch", tokens);
        int number = free();
        int count = tokens.count();
        Buffer bound = tokens.countOnDevice();
        launch(
                ROUTES,
                NO_CONSTANTS,
                stream,
                bytes(tokens.chosen()),
                tokens.chosen().type().bytes(),
                count,
                I32Ptr.of(bound == null ? counts : bound),
                bound != null,
                shape.tokens(),
                shape.perToken(),
                shape.experts(),
                I32Ptr.of(part(chosen)),
                I32Ptr.of(counts.slice(number, 1)),
                I64Ptr.of(wrong),
                machine.report());
        Buffer scaled = tokens.scales();
        if (scaled != null && count > 0) {
            launch(
                    SCALES,
                    NO_CONSTANTS,
                    stream,
                    bytes(scaled),
                    tokens.scaleStride(shape.scales()),
                    tokens.scaleStep(),
                    shape.scaleType().bytes(),
                    count,
                    shape.scales(),
                    bytes(part(scales)));
        }
        // All of them need no copy.
        boolean whole = count == shape.tokens();
        Buffer sent = tokens.x().view(DataType.INT8).slice(0, (long) count * shape.inputBytes());
        if (!whole && count > 0) {
            machine.copy(part(x).slice(0, sent.count()), sent, stream);
        }
        for (int i = 0; i < payloads.size() && count > 0; i++) {
            Buffer payload = tokens.payloads().get(i).view(DataType.INT8);
            long size = (long) count * shape.payloads().get(i);
            machine.copy(part(payloads.get(i)).slice(0, size), payload.slice(0, size), stream);
        }
        machine.group(stream, messages -> {
            messages.allGather(whole ? sent : part(x), x);
            messages.allGather(part(chosen), chosen);
            if (scaled != null) {
                messages.allGather(part(scales), scales);
            }
            payloads.forEach(each -> messages.allGather(part(each), each));
        });
        launch(
                LOCAL,
                NO_CONSTANTS,
                stream,
                I32Ptr.of(chosen),
                (int) chosen.count(),
                I32Ptr.of(local),
                I64Ptr.of(wrong),
                machine.report());
        Tokens all = Tokens.of(x.view(shape.input()), chosen, ranks * shape.tokens());
        all = scaled == null ? all : all.scales(scales);
        for (Buffer each : payloads) {
            all = all.payload(each);
        }
        all = tokens.into() == null ? all : all.into(tokens.into());
        all = tokens.scalesInto() == null ? all : all.scalesInto(tokens.scalesInto());
        Routed routed = stream == null ? here.dispatch(all) : here.dispatch(all, stream);
        flying[number] = routed;
        this.tokens[number] = count;
        return routed;
    }

    private int free() {
        for (int i = 0; i < flying.length; i++) {
            Routed routed = flying[i];
            if (routed == null || routed.isEnded()) {
                return i;
            }
        }
        throw new IllegalStateException(checks.at("dispatch") + flying.length + " dispatches are in flight: combine or"
                + " close one, or make it with MoeOptions.inFlight(" + (flying.length + 1) + ")");
    }

    // ---- combine ----

    @Override
    public synchronized void combine(Sums sums, Routed routed) {
        Stream own = begin("combine", null);
        put(nonNull(sums, "combine", "sums"), nonNull(routed, "combine", "routed"), own);
        machine.complete(own);
        check();
    }

    @Override
    public synchronized void combine(Sums sums, Routed routed, Stream stream) {
        nonNull(stream, "combine", "stream");
        put(nonNull(sums, "combine", "sums"), nonNull(routed, "combine", "routed"), begin("combine", stream));
    }

    private void put(Sums given, Routed routed, @Nullable Stream stream) {
        int number = Arrays.asList(flying).indexOf(routed);
        if (number < 0) {
            routed.check("combine");
            throw new IllegalArgumentException(checks.at("combine") + routed + " is of another exchange than " + this);
        }
        Buffer out = given.out();
        Buffer bias = given.bias();
        Buffer weighted = given.weights();
        checks.sums("combine", given, tokens[number]);
        DataType type = out.type();
        Buffer all =
                this.sums.view(DataType.INT8).slice(0, (long) ranks * shape.tokens() * shape.hidden() * type.bytes());
        Buffer own = mine.view(DataType.INT8).slice(0, (long) shape.tokens() * shape.hidden() * type.bytes());
        Sums inner = Sums.into(all.view(type)).weights(weights);
        // Others may have weights where this rank has none.
        Buffer some = weighted == null ? ones : weighted.slice(0, (long) tokens[number] * shape.perToken());
        if (some.count() > 0) {
            machine.copy(part(weights).slice(0, some.count()), some, stream);
        }
        machine.group(stream, messages -> messages.allGather(part(weights), weights));
        inner = given.results() == null ? inner : inner.results(given.results());
        if (stream == null) {
            here.combine(inner, routed);
        } else {
            here.combine(inner, routed, stream);
        }
        flying[number] = null;
        machine.group(stream, messages -> messages.reduceScatter(all.view(type), own.view(type), ReduceOp.SUM));
        int extras = (bias != null ? PullKernels.BIAS : 0) | (given.accumulate() ? PullKernels.ACCUMULATE : 0);
        launch(
                SUMS,
                new Object[] {Objects.requireNonNull(SumType.of(type))},
                stream,
                bytes(own),
                I32Ptr.of(counts.slice(number, 1)),
                shape.hidden(),
                bytes(out),
                bytes(bias == null ? out : bias),
                given.factor(),
                extras);
    }

    @Override
    public synchronized void check() {
        checks.reports("check", here.timeout(), plan.placement());
        here.check();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            here.close();
            machine.close();
            arrays.forEach(StagedExperts::close);
        }
    }

    @Override
    public String toString() {
        return "GatheredExperts[rank " + rank + " of " + ranks + (closed ? ", closed]" : "]");
    }
}
