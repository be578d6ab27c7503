// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.jspecify.annotations.Nullable;

/** Launches of the kernels of combine. A combine as before sets what has changed and is launched. */
final class SumLaunches {
    private static final Method ANNOUNCE = MoeMachine.kernel(PullKernels.class, "announce");
    private static final Method COMBINE = MoeMachine.kernel(PullKernels.class, "combine");
    private static final Method WEIGHT_GRADIENTS = MoeMachine.kernel(PullKernels.class, "weightGradients");
    private static final Object[] NO_CONSTANTS = {};

    /** Arguments of the combine that are set anew. */
    private static final int RESULTS = 1;

    private static final int OUT = 2;
    private static final int WEIGHTS = 3;
    private static final int BIAS = 4;
    private static final int FACTOR = 5;
    private static final int EXTRAS = 6;
    private static final int ANNOUNCES = 9;

    private final int hidden;
    private final MoeMachine machine;
    private final MoeSlots slots;
    private final @Nullable FarRows staged;
    private final SumType answers;
    /** By type of sums, and whether rows are wide. */
    private final KnownLaunches[] known = new KnownLaunches[2 * SumType.values().length];

    SumLaunches(MoeMemory.Plan plan, MoeMachine machine, MoeSlots slots, @Nullable FarRows staged) {
        this.hidden = plan.shape().hidden();
        this.machine = machine;
        this.slots = slots;
        this.staged = staged;
        this.answers = SumType.ofAnswers(plan.options().results(plan.shape()));
        for (int i = 0; i < known.length; i++) {
            known[i] = new KnownLaunches(slots.count(), plan.shape().tokens());
        }
        // Most sums are of the type of what is summed.
        SumType sums = answers == SumType.E4M3 ? SumType.BF16 : answers;
        machine.load(COMBINE, constants(sums, hidden % unit() == 0));
    }

    /** Elements that a thread sums at once. */
    private int unit() {
        return answers == SumType.E4M3 ? ScaledAnswers.UNIT : PullKernels.UNIT;
    }

    private Object[] constants(SumType to, boolean wide) {
        return new Object[] {answers, to, wide};
    }

    /** Puts the word that results are there into the stream. */
    void announce(int slot, @Nullable Stream stream) {
        MoeSpace space = slots.own(slot).space();
        machine.launch(ANNOUNCE, NO_CONSTANTS, 1, machine.threads(space.pes()), 0, stream, space);
    }

    /** Where the results are, in bytes from the beginning of this PE's memory. */
    long results(Sums sums, int slot, @Nullable Stream stream) {
        MoeSpace space = slots.own(slot).space();
        Buffer given = sums.results();
        if (given == null) {
            return space.results();
        }
        // What stands for PEs out of reach has their results alone.
        if (slots.places().isDirect(given)) {
            return slots.places().offset(given);
        }
        machine.copy(slots.view(space.results(), given.count(), given.type()), given, stream);
        return space.results();
    }

    /** Puts a combine into the stream. */
    void sums(Sums sums, int number, int tokens, long results, boolean announces, @Nullable Stream stream) {
        MoeSlot slot = slots.own(number);
        Buffer out = sums.out();
        Buffer weights = sums.weights();
        Buffer bias = sums.bias();
        boolean wide =
                hidden % unit() == 0 && (out.address() | results | (bias == null ? 0 : bias.address())) % 16 == 0;
        int extras = (weights != null ? PullKernels.WEIGHTS : 0)
                | (bias != null ? PullKernels.BIAS : 0)
                | (sums.accumulate() ? PullKernels.ACCUMULATE : 0);
        if (staged != null) {
            staged.answers(slot.space(), number, stream);
        }
        Buffer none = slots.memory(number);
        launch(slot, tokens, sumType(out.type()), wide)
                .set(RESULTS, results)
                .set(OUT, out)
                .set(WEIGHTS, weights == null ? none : weights)
                .set(BIAS, bias == null ? none : bias)
                .set(FACTOR, sums.factor())
                .set(EXTRAS, extras)
                .set(ANNOUNCES, announces)
                .launch(stream);
    }

    private MoeLaunch launch(MoeSlot slot, int tokens, SumType to, boolean wide) {
        KnownLaunches of = known[2 * to.ordinal() + (wide ? 1 : 0)];
        MoeLaunch before = of.get(slot, tokens, slots.blocks());
        return before != null ? before : of.put(slot, tokens, made(slot, tokens, to, wide));
    }

    /** Pointers that are set anew are any here. */
    private MoeLaunch made(MoeSlot slot, int tokens, SumType to, boolean wide) {
        MoeTuning tuning = MoeTuning.rows(machine, slots.blocks(), tokens, wide ? hidden / unit() : hidden);
        I8Ptr any = slot.space().base();
        return machine.prepare(
                COMBINE,
                constants(to, wide),
                tuning.blocks(),
                tuning.threads(),
                0,
                slot.sums(),
                0L,
                any,
                any.asF32(),
                any,
                1f,
                0,
                hidden,
                tuning.parts(),
                false);
    }

    /** Puts the products of gradients and results into the stream. */
    void products(Buffer to, Buffer gradients, int slot, @Nullable Stream stream) {
        MoeSpace space = slots.own(slot).space();
        machine.launch(
                WEIGHT_GRADIENTS,
                new Object[] {answers, sumType(gradients.type())},
                slots.blocks(),
                machine.threads(0),
                0,
                stream,
                space,
                space.results(),
                F32Ptr.of(to),
                I8Ptr.of(gradients.view(DataType.INT8)),
                hidden);
    }

    private static SumType sumType(DataType type) {
        return Objects.requireNonNull(SumType.of(type));
    }
}
