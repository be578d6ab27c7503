// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.F32Ptr;

/** Arrays of the program that have something for each local expert: weights, gradients. */
final class ExpertArrays {
    private static final Method SUM = MoeMachine.kernel(ReplicaKernels.class, "sum");

    private final MoeChecks checks;
    private final SameCalls calls;
    private final MoeLaunches launches;
    private final MoeMachine machine;
    private final int me;

    ExpertArrays(MoeChecks checks, SameCalls calls, MoeLaunches launches) {
        this.checks = checks;
        this.calls = calls;
        this.launches = launches;
        this.machine = checks.machine();
        this.me = checks.pe().myPe();
    }

    /** Brings each local expert's elements from a PE that had it by the placement before. */
    void fetch(Buffer to, Buffer from, long elements) {
        nonNull(to, "fetch", "to");
        nonNull(from, "fetch", "from");
        ExpertPlacement before = launches.before();
        ExpertPlacement now = launches.placement();
        int[] experts = now.local(me);
        pair("fetch", to, experts.length, from, before.local(me).length, elements);
        if (to.type() != from.type()) {
            throw new IllegalArgumentException(checks.at("fetch") + to + " is not of the type of " + from);
        }
        calls.check("fetch", elements + " elements", null);
        machine.barrier();
        for (int i = 0; i < experts.length; i++) {
            int pe = source(before.pes(experts[i]));
            int there = Arrays.binarySearch(before.local(pe), experts[i]);
            Buffer theirs = machine.peer(from, pe).slice(there * elements, elements);
            machine.copy(to.slice(i * elements, elements), theirs, null);
        }
        machine.complete(null);
        machine.barrier();
    }

    /** This PE if it has the expert; else PEs ask different ones. */
    private int source(int[] pes) {
        return Arrays.binarySearch(pes, me) >= 0 ? me : pes[me % pes.length];
    }

    /** Sums what replicas have. */
    void reduceReplicas(Buffer to, Buffer gradients, long elements) {
        String operation = "reduceReplicas";
        nonNull(to, operation, "to");
        nonNull(gradients, operation, "gradients");
        int local = launches.placement().local(me).length;
        pair(operation, to, local, gradients, local, elements);
        checks.array(operation, "to", to, local * elements, DataType.FLOAT32);
        checks.array(operation, "gradients", gradients, local * elements, DataType.FLOAT32);
        calls.check(operation, elements + " elements", null);
        machine.barrier();
        machine.launch(
                SUM,
                new Object[0],
                launches.blocks(),
                machine.threads(0),
                0,
                null,
                launches.space(),
                F32Ptr.of(to),
                gradients.address() - machine.space().address(),
                elements);
        machine.complete(null);
        machine.barrier();
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
