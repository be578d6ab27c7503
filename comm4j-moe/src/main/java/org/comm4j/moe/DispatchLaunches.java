// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/** Launches of the kernels of dispatch. A dispatch as before sets what has changed and is launched. */
final class DispatchLaunches {
    private static final Method DISPATCH = MoeMachine.kernel(SendKernels.class, "dispatch");
    private static final Method AGAIN = MoeMachine.kernel(SendKernels.class, "again");
    private static final Method RECEIVE = MoeMachine.kernel(SendKernels.class, "receive");
    private static final Object[] NO_CONSTANTS = {};

    /** Arguments of the dispatch that are set anew. */
    private static final int X = 1;

    private static final int CHOSEN = 3;
    private static final int ROUTE_BYTES = 4;
    private static final int MOST = 5;
    private static final int BOUND = 6;
    private static final int BOUNDED = 7;
    private static final int WEIGHTS = 8;
    private static final int SCALES = 9;
    private static final int SCALE_ROW = 10;
    private static final int SCALE_STEP = 11;
    private static final int RECEIVES = 14;

    private final MoeShape shape;
    private final MoeOptions options;
    private final MoeMachine machine;
    private final MoeSlots slots;
    private final @Nullable FarRows staged;
    /** Of rows. */
    private final Object[] constants;
    /** Vectors of 16 bytes that a row has. */
    private final int vectors;

    private final KnownLaunches known;

    DispatchLaunches(MoeMemory.Plan plan, MoeMachine machine, MoeSlots slots, @Nullable FarRows staged) {
        this.shape = plan.shape();
        this.options = plan.options();
        this.machine = machine;
        this.slots = slots;
        this.staged = staged;
        this.vectors = plan.rowBytes() / 16;
        boolean quantize = options.quantize() != Quantization.NONE;
        boolean powers = options.quantize() == Quantization.FP8_BLOCK_128_UE8M0;
        SumType type = quantize ? Objects.requireNonNull(SumType.of(shape.input())) : SumType.F32;
        this.constants = new Object[] {quantize, powers, type};
        this.known = new KnownLaunches(slots.count(), shape.tokens());
        load();
    }

    /** Makes the kernel ready that fits where experts are. */
    void load() {
        machine.load(DISPATCH, constants(slots.space()));
    }

    private Object[] constants(MoeSpace space) {
        Object[] all = Arrays.copyOf(constants, constants.length + 2);
        all[constants.length] = space.isPlain();
        all[constants.length + 1] = shape.payloads().isEmpty();
        return all;
    }

    /** Puts a dispatch into the stream; what it gives. */
    Routed.Views send(Tokens tokens, int number, boolean receives, @Nullable Stream stream) {
        MoeSlot slot = slots.begin(number, tokens);
        if (staged != null) {
            count(staged, slot.space(), tokens, stream);
        }
        Buffer none = slots.memory(number);
        launch(slot, tokens.count())
                .set(X, tokens.x())
                .set(CHOSEN, tokens.chosen())
                .set(ROUTE_BYTES, tokens.chosen().type().bytes())
                .set(MOST, tokens.count())
                .set(BOUND, or(tokens.countOnDevice(), none))
                .set(BOUNDED, tokens.countOnDevice() != null)
                .set(WEIGHTS, or(tokens.weights(), none))
                .set(SCALES, or(tokens.scales(), none))
                .set(SCALE_ROW, tokens.scaleStride(shape.scales()))
                .set(SCALE_STEP, tokens.scaleStep())
                .set(RECEIVES, receives && staged == null)
                .launch(stream);
        if (staged != null) {
            staged.rows(slot.space(), number, slots.placement(), stream);
        }
        if (receives && staged != null) {
            receive(number, stream);
        } else if (receives) {
            deliver(number, stream);
        }
        return slot.views();
    }

    private static Buffer or(@Nullable Buffer buffer, Buffer none) {
        return buffer == null ? none : buffer;
    }

    private MoeLaunch launch(MoeSlot slot, int tokens) {
        MoeLaunch before = known.get(slot, tokens, slots.blocks());
        return before != null ? before : known.put(slot, tokens, made(slot, tokens));
    }

    /** Pointers that are set anew are any here. */
    private MoeLaunch made(MoeSlot slot, int tokens) {
        MoeTuning tuning = tuning(tokens, slots.counting());
        I8Ptr any = slot.space().base();
        return machine.prepare(
                DISPATCH,
                constants(slot.space()),
                tuning.blocks(),
                tuning.threads(),
                slots.sharedBytes(),
                slot.space(),
                any,
                shape.inputBytes(),
                any,
                Integer.BYTES,
                tokens,
                any.asI32(),
                false,
                any.asF32(),
                any,
                0L,
                0L,
                slot.payloads(),
                tuning.parts(),
                false);
    }

    private void count(FarRows staged, MoeSpace space, Tokens tokens, @Nullable Stream stream) {
        Buffer bound = tokens.countOnDevice();
        staged.count(
                space,
                bytes(tokens.chosen()),
                tokens.chosen().type().bytes(),
                tokens.count(),
                bound == null ? space.tokens() : I32Ptr.of(bound),
                bound != null,
                slots.sharedBytes(),
                stream);
    }

    /** Puts a dispatch along the routes of another one into the stream. */
    Routed.Views again(Buffer x, int tokens, int number, int earlier, @Nullable Stream stream) {
        MoeTuning tuning = tuning(tokens, 0);
        MoeSlot slot = slots.begin(number);
        MoeSpace space = slot.space();
        if (staged != null) {
            staged.begin(space, stream);
        }
        machine.launch(
                AGAIN,
                constants,
                tuning.blocks(),
                tuning.threads(),
                0,
                stream,
                space,
                bytes(x),
                shape.inputBytes(),
                tuning.parts(),
                slots.own(earlier).space().slot() - space.slot(),
                staged == null);
        if (staged != null) {
            staged.again(space, number, earlier, stream);
            receive(number, stream);
        }
        return slot.views();
    }

    /** Puts the wait for a dispatch's rows into the stream. */
    void receive(int number, @Nullable Stream stream) {
        MoeSlot slot = slots.last(number);
        int threads = machine.threads(slot.space().pes());
        machine.launch(RECEIVE, NO_CONSTANTS, 1, threads, 0, stream, slot.space());
        deliver(number, stream);
    }

    /** Copies what has come to arrays of the program that are not symmetric. */
    private void deliver(int number, @Nullable Stream stream) {
        Tokens tokens = slots.last(number).tokens();
        if (tokens != null) {
            copy(tokens.into(), slots.own(number).views().x(), stream);
            copy(tokens.scalesInto(), slots.own(number).views().scales(), stream);
        }
    }

    private void copy(@Nullable Buffer into, Buffer from, @Nullable Stream stream) {
        if (into != null && !slots.places().isDirect(into)) {
            machine.copy(into, from, stream);
        }
    }

    private MoeTuning tuning(int tokens, int counting) {
        int unit = options.quantize() == Quantization.NONE ? 1 : QuantizeRows.THREADS;
        return MoeTuning.dispatch(machine, slots.blocks(), tokens, vectors, unit, counting);
    }

    private static I8Ptr bytes(Buffer buffer) {
        return I8Ptr.of(buffer.view(DataType.INT8));
    }
}
