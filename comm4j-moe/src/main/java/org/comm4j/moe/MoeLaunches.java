// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/** Launches of the kernels of {@link ExpertParallel}, with the memory of each dispatch in flight, a slot. */
final class MoeLaunches {
    private static final Method DISPATCH = MoeMachine.kernel(SendKernels.class, "dispatch");
    private static final Method AGAIN = MoeMachine.kernel(SendKernels.class, "again");
    private static final Method WEIGHT_GRADIENTS = MoeMachine.kernel(PullKernels.class, "weightGradients");
    private static final Method RECEIVE = MoeMachine.kernel(SendKernels.class, "receive");
    private static final Method ANNOUNCE = MoeMachine.kernel(PullKernels.class, "announce");
    private static final Method COMBINE = MoeMachine.kernel(PullKernels.class, "combine");
    private static final Method MEET = MoeMachine.kernel(ReplicaKernels.class, "meet");
    private static final Method REPLICAS = MoeMachine.kernel(ReplicaKernels.class, "sum");
    private static final Object[] NO_CONSTANTS = {};
    private final MoeSite pe;
    private final MoeShape shape;
    private final MoeOptions options;
    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
    private final Members members;
    private final @Nullable FarRows staged;
    private final MoePlaces places;
    private final MoeSpace[] spaces;
    private final Routed.Views[] views;
    private final Buffer[] memory;
    /** By slot: arrays of the program for what comes. */
    private final @Nullable Tokens[] given;

    private ExpertPlacement placement;
    private ExpertPlacement before;
    /** The most blocks of a kernel. */
    private int blocks;

    MoeLaunches(MoeSite pe, MoeMemory.Plan plan, MoeMachine machine, Members members) {
        this.pe = pe;
        this.members = members;
        this.shape = plan.shape();
        this.options = plan.options();
        this.plan = plan;
        this.machine = machine;
        this.staged = machine.farRows(plan);
        this.places = new MoePlaces(pe, plan, machine, members, staged == null);
        this.blocks = machine.blocks();
        this.spaces = new MoeSpace[options.inFlight()];
        this.views = new Routed.Views[options.inFlight()];
        this.memory = new Buffer[options.inFlight()];
        this.given = new @Nullable Tokens[options.inFlight()];
        for (int slot = 0; slot < memory.length; slot++) {
            memory[slot] = view(plan.firstSlot() + slot * plan.slot(), plan.slot(), DataType.INT8);
        }
        this.placement = plan.placement();
        this.before = placement;
        place(placement);
    }

    int blocks() {
        return blocks;
    }

    void blocks(int most) {
        blocks = most;
    }

    ExpertPlacement placement() {
        return placement;
    }

    /** The placement before. */
    ExpertPlacement before() {
        return before;
    }

    /** What is where, for kernels that have no dispatch. */
    MoeSpace space() {
        return spaces[0];
    }

    /** All that a dispatch has. */
    Buffer memory(int slot) {
        return memory[slot];
    }

    Routed.Views views(int slot) {
        return views[slot];
    }

    /** Of a dispatch that a kernel of the program makes. */
    Routed.Views reserved(int slot) {
        given[slot] = null;
        return views[slot];
    }

    /** Sets the number of the last dispatch of each slot, which no block has begun to end. */
    void epochs(int... last) {
        for (int slot = 0; slot < spaces.length; slot++) {
            machine.set(spaces[slot].slot() + MoeSpace.EPOCH, last[slot] & 0xffff_ffffL);
        }
    }

    /** Returns the number of the last dispatch of each slot. */
    int[] epochs() {
        int[] last = new int[spaces.length];
        for (int slot = 0; slot < last.length; slot++) {
            last[slot] = view(spaces[slot].slot() + MoeSpace.EPOCH, 1, DataType.INT32)
                    .toIntArray()[0];
        }
        return last;
    }

    /**
     * Returns what members agree on when they go on without others: the number of each slot's last dispatch, and that
     * of the last meeting.
     */
    long[] agreement() {
        long[] all = Arrays.stream(epochs()).asLongStream().toArray();
        long[] agreed = Arrays.copyOf(all, all.length + 1);
        agreed[all.length] = view(MoeSpace.MEETINGS, 1, DataType.INT32).toIntArray()[0];
        return agreed;
    }

    /** Goes on behind the last dispatch that any of them has begun: words of all before it are never waited for. */
    void agree(Collection<long[]> all) {
        int[] mine = Arrays.stream(agreement()).mapToInt(each -> (int) each).toArray();
        for (long[] theirs : all) {
            for (int i = 0; i < mine.length; i++) {
                mine[i] += Math.max((int) theirs[i] - mine[i], 0);
            }
        }
        // One may be under way that no block has begun to end, and 0 is left out.
        int[] next = Arrays.stream(mine).map(each -> each + 2).toArray();
        epochs(next);
        machine.set(MoeSpace.MEETINGS, next[spaces.length] & 0xffff_ffffL);
    }

    /** Ends the waits of PEs that were excluded and live, if they should come back. */
    void tellExcluded(BitSet living) {
        living.stream()
                .forEach(rank -> machine.peer(view(MoeSpace.STATUS, 1, DataType.INT64), rank)
                        .copyFrom(HostArray.of(Waiting.EXCLUDED)));
    }

    void place(ExpertPlacement placement) {
        this.before = this.placement;
        this.placement = placement;
        layOut();
    }

    /** Tells kernels where the experts are, and which PEs take part. */
    void layOut() {
        if (places.usesTable(placement)) {
            put(plan.table(), placement.table(members.excluded(), machine.far()));
        }
        if (!members.isComplete()) {
            put(plan.peers(), members.table(options.group()));
        }
        for (int slot = 0; slot < spaces.length; slot++) {
            spaces[slot] = places.space(placement, slot, null);
            views[slot] = places.views(placement, spaces[slot], null);
        }
    }

    private void put(long offset, int[] words) {
        view(offset, words.length, DataType.INT32).copyFrom(HostArray.of(words));
    }

    private int counters() {
        return places.counters(placement);
    }

    Buffer view(long offset, long count, DataType type) {
        return places.view(offset, count, type);
    }

    /** The shared memory that a dispatch needs in kernels of the program, too. */
    int sharedBytes() {
        return Counting.sharedBytes(counters(), plan.areas());
    }

    /** Puts a meeting of all PEs into the stream: what they have written before is seen then. */
    void meet(@Nullable Stream stream) {
        machine.launch(MEET, NO_CONSTANTS, 1, machine.threads(pe.nPes()), 0, stream, space());
    }

    /** Puts the sums of what replicas have into the stream. */
    void replicas(Buffer to, Buffer from, long elements, @Nullable Stream stream) {
        machine.launch(
                REPLICAS,
                NO_CONSTANTS,
                blocks,
                machine.threads(0),
                0,
                stream,
                space(),
                F32Ptr.of(to),
                from.address() - machine.space().address(),
                elements);
    }

    // ---- dispatch ----

    /** Puts a dispatch into the stream; what it gives. */
    Routed.Views send(Tokens tokens, int slot, boolean receives, @Nullable Stream stream) {
        boolean elsewhere = tokens.into() != null || tokens.scalesInto() != null;
        given[slot] = elsewhere ? tokens : null;
        MoeSpace space = elsewhere ? places.space(placement, slot, tokens) : spaces[slot];
        Routed.Views gives = elsewhere ? places.views(placement, space, tokens) : views[slot];
        int most = tokens.count();
        MoeTuning tuning = tuning(most, counters() * pe.nPes());
        Buffer bound = tokens.countOnDevice();
        I8Ptr chosen = bytes(tokens.chosen());
        int routeBytes = tokens.chosen().type().bytes();
        I32Ptr number = bound == null ? space.tokens() : I32Ptr.of(bound);
        if (staged != null) {
            staged.count(space, chosen, routeBytes, most, number, bound != null, sharedBytes(), stream);
        }
        machine.launch(
                DISPATCH,
                rowConstants(),
                tuning.blocks(),
                tuning.threads(),
                sharedBytes(),
                stream,
                space,
                bytes(tokens.x()),
                shape.inputBytes(),
                chosen,
                routeBytes,
                most,
                number,
                bound != null,
                payloads(space, tokens),
                tuning.parts(),
                receives && staged == null);
        if (staged != null) {
            staged.rows(space, slot, placement, stream);
        }
        if (receives && staged != null) {
            receive(slot, stream);
        } else if (receives) {
            deliver(slot, stream);
        }
        return gives;
    }

    /** Puts a dispatch along the routes of another one into the stream. */
    void again(Buffer x, int tokens, int slot, int earlier, @Nullable Stream stream) {
        MoeTuning tuning = tuning(tokens, 0);
        given[slot] = null;
        if (staged != null) {
            staged.begin(spaces[slot], stream);
        }
        machine.launch(
                AGAIN,
                rowConstants(),
                tuning.blocks(),
                tuning.threads(),
                0,
                stream,
                spaces[slot],
                bytes(x),
                shape.inputBytes(),
                payloads(spaces[slot], Tokens.of(x, x, 0)),
                tuning.parts(),
                spaces[earlier].slot() - spaces[slot].slot(),
                staged == null);
        if (staged != null) {
            staged.again(spaces[slot], slot, earlier, stream);
            receive(slot, stream);
        }
    }

    /** Puts the wait for a dispatch's rows into the stream. */
    void receive(int slot, @Nullable Stream stream) {
        machine.launch(RECEIVE, NO_CONSTANTS, 1, machine.threads(pe.nPes()), 0, stream, spaces[slot]);
        deliver(slot, stream);
    }

    /** Copies what has come to arrays of the program that are not symmetric. */
    private void deliver(int slot, @Nullable Stream stream) {
        Tokens tokens = given[slot];
        given[slot] = null;
        Buffer into = tokens == null ? null : tokens.into();
        if (into != null && !places.isDirect(into)) {
            machine.copy(into, views[slot].x(), stream);
        }
        Buffer scales = tokens == null ? null : tokens.scalesInto();
        if (scales != null && !places.isDirect(scales)) {
            machine.copy(scales, views[slot].scales(), stream);
        }
    }

    private Object[] rowConstants() {
        boolean quantize = options.quantize() != Quantization.NONE;
        boolean powers = options.quantize() == Quantization.FP8_BLOCK_128_UE8M0;
        return new Object[] {quantize, powers, quantize ? sumType(shape.input()) : SumType.F32};
    }

    private MoeTuning tuning(int tokens, int words) {
        int unit = options.quantize() == Quantization.NONE ? 1 : QuantizeRows.THREADS;
        return MoeTuning.dispatch(machine, blocks, tokens, plan.rowBytes() / 16, unit, words);
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
        Buffer weights = tokens.weights();
        return new Payloads(
                weights == null ? space.base().asF32() : F32Ptr.of(weights),
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

    // ---- combine ----

    /** Puts the word that results are there into the stream. */
    void announce(int slot, @Nullable Stream stream) {
        machine.launch(ANNOUNCE, NO_CONSTANTS, 1, machine.threads(pe.nPes()), 0, stream, spaces[slot]);
    }

    /** Where the results are, in bytes from the beginning of this PE's memory. */
    long results(Sums sums, int slot, @Nullable Stream stream) {
        MoeSpace space = spaces[slot];
        Buffer given = sums.results();
        if (given == null) {
            return space.results();
        }
        // What stands for PEs out of reach has their results alone.
        if (places.isDirect(given)) {
            return places.offset(given);
        }
        machine.copy(view(space.results(), given.count(), given.type()), given, stream);
        return space.results();
    }

    /** Puts a combine into the stream. */
    void sums(Sums sums, int slot, int tokens, long results, boolean announces, @Nullable Stream stream) {
        Buffer out = sums.out();
        Buffer weights = sums.weights();
        Buffer bias = sums.bias();
        SumType answers = SumType.ofAnswers(options.results(shape));
        int unit = answers == SumType.E4M3 ? ScaledAnswers.UNIT : PullKernels.UNIT;
        boolean wide =
                shape.hidden() % unit == 0 && (out.address() | results | (bias == null ? 0 : bias.address())) % 16 == 0;
        int units = wide ? shape.hidden() / unit : shape.hidden();
        MoeTuning tuning = MoeTuning.rows(machine, blocks, tokens, units);
        int extras = (weights != null ? PullKernels.WEIGHTS : 0)
                | (bias != null ? PullKernels.BIAS : 0)
                | (sums.accumulate() ? PullKernels.ACCUMULATE : 0);
        MoeSpace space = spaces[slot];
        if (staged != null) {
            staged.answers(space, slot, stream);
        }
        machine.launch(
                COMBINE,
                new Object[] {answers, sumType(out.type()), wide},
                tuning.blocks(),
                tuning.threads(),
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
                tuning.parts(),
                announces);
    }

    /** Puts the products of gradients and results into the stream. */
    void products(Buffer to, Buffer gradients, int slot, @Nullable Stream stream) {
        machine.launch(
                WEIGHT_GRADIENTS,
                new Object[] {SumType.ofAnswers(options.results(shape)), sumType(gradients.type())},
                blocks,
                machine.threads(0),
                0,
                stream,
                spaces[slot],
                spaces[slot].results(),
                F32Ptr.of(to),
                bytes(gradients),
                shape.hidden());
    }

    private static SumType sumType(DataType type) {
        return Objects.requireNonNull(SumType.of(type));
    }
}
