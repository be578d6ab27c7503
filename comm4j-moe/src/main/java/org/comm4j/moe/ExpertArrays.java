// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.F32Ptr;
import org.jspecify.annotations.Nullable;

/** Arrays of the program that have something for each local expert: weights, gradients. */
final class ExpertArrays {
    private static final Method MEET = MoeMachine.kernel(ReplicaKernels.class, "meet");
    private static final Method REPLICAS = MoeMachine.kernel(ReplicaKernels.class, "sum");
    private static final Object[] NO_CONSTANTS = {};

    private final MoeChecks checks;
    private final SameCalls calls;
    private final MoeSlots slots;
    private final MoeMachine machine;
    private final Members members;
    private final int me;

    ExpertArrays(MoeChecks checks, SameCalls calls, MoeSlots slots, Members members) {
        this.members = members;
        this.checks = checks;
        this.calls = calls;
        this.slots = slots;
        this.machine = checks.machine();
        this.me = checks.pe().myPe();
    }

    /** Brings each local expert's elements from a PE that had it by the placement before. */
    void fetch(Buffer to, Buffer from, long elements, @Nullable Stream stream) {
        nonNull(to, "fetch", "to");
        nonNull(from, "fetch", "from");
        ExpertPlacement before = slots.before();
        ExpertPlacement now = slots.placement();
        int[] experts = now.local(me);
        pair("fetch", to, experts.length, from, before.local(me).length, elements);
        if (to.type() != from.type()) {
            throw new IllegalArgumentException(checks.at("fetch") + to + " is not of the type of " + from);
        }
        calls.check("fetch", elements + " elements", stream);
        meet(stream);
        for (int i = 0; i < experts.length; i++) {
            int pe = source(before.pes(experts[i]));
            if (pe < 0) {
                continue;
            }
            int there = Arrays.binarySearch(before.local(pe), experts[i]);
            Buffer theirs = machine.peer(from, pe).slice(there * elements, elements);
            machine.copy(to.slice(i * elements, elements), theirs, stream);
        }
        meet(stream);
    }

    /** Puts a meeting of all PEs into the stream: what they have written before is seen then. */
    private void meet(@Nullable Stream stream) {
        MoeSpace space = slots.space();
        machine.launch(MEET, NO_CONSTANTS, 1, machine.threads(space.pes()), 0, stream, space);
    }

    /** This PE if it has the expert; else PEs ask different ones; -1 if no PE has it any more. */
    private int source(int[] all) {
        int[] pes = IntStream.of(all).filter(pe -> !members.isExcluded(pe)).toArray();
        if (pes.length == 0) {
            return -1;
        }
        return Arrays.binarySearch(pes, me) >= 0 ? me : pes[me % pes.length];
    }

    /** Sums what replicas have. */
    void reduceReplicas(Buffer to, Buffer gradients, long elements, @Nullable Stream stream) {
        String operation = "reduceReplicas";
        nonNull(to, operation, "to");
        nonNull(gradients, operation, "gradients");
        int local = slots.placement().local(me).length;
        pair(operation, to, local, gradients, local, elements);
        checks.array(operation, "to", to, local * elements, DataType.FLOAT32);
        checks.array(operation, "gradients", gradients, local * elements, DataType.FLOAT32);
        calls.check(operation, elements + " elements", stream);
        meet(stream);
        machine.launch(
                REPLICAS,
                NO_CONSTANTS,
                slots.blocks(),
                machine.threads(0),
                0,
                stream,
                slots.space(),
                F32Ptr.of(to),
                slots.places().offset(gradients),
                elements);
        meet(stream);
    }

    private void pair(String operation, Buffer to, int experts, Buffer from, int experts2, long elements) {
        if (elements < 1) {
            throw new IllegalArgumentException(
                    checks.at(operation) + "an expert cannot have " + elements + " elements");
        }
        checks.array(operation, "to", to, experts * elements, to.type());
        checks.array(operation, "from", from, experts2 * elements, from.type());
        if (!machine.isSymmetric(from)) {
            throw new IllegalArgumentException(checks.at(operation) + from + " is not symmetric: other PEs read it");
        }
        long end = to.address() + to.byteSize();
        if (to.address() < from.address() + from.byteSize() && from.address() < end) {
            throw new IllegalArgumentException(checks.at(operation) + to + " overlaps " + from);
        }
    }
}
