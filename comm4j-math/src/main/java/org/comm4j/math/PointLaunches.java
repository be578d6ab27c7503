// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.math.Numbers.Factor;

/** A {@link PointTerm} as a launch of {@link PointKernels}. */
final class PointLaunches {
    private PointLaunches() {}

    /**
     * Returns what computes a term.
     *
     * @param partial room for the sums of blocks
     * @param arrived a number that is 0
     */
    static Runnable of(PointTerm term, KernelRunner runner, Buffer partial, Buffer arrived) {
        PointTerm.Operand first = term.operands().getFirst();
        Buffer x = first.x();
        PointTerm.Sums sums = term.sums();
        PointFunction measure = term.measure();
        if (x.count() == 0 && sums == null) {
            return () -> {};
        }
        int count = term.operands().size();
        List<PointKernels.Operand> operands = new ArrayList<>();
        for (int i = 0; i < PointTerm.MOST; i++) {
            operands.add(operand(term.operands().get(i < count ? i : 0)));
        }
        List<Object> constants = new ArrayList<>(List.of(
                count,
                Operands.wide(x),
                x.type().isComplex(),
                term.shape().radial(),
                term.shape().dual(),
                first.target() != null,
                first.second() != null));
        List<Object> arguments = new ArrayList<>(List.of(x.count()));
        arguments.addAll(operands);
        arguments.add(factors(term, partial));
        arguments.add(term.parameters());
        LaunchConfig config =
                LaunchConfig.grid(ReductionKernels.blocks(x.count())).block(ReductionKernels.THREADS);
        Buffer exact = sums == null ? null : sums.exact();
        if (exact == null) {
            constants.add(sums != null);
        }
        constants.add(term.map());
        constants.add(measure == null ? PointFunction.IDENTITY : measure);
        if (exact != null) {
            arguments.add(exact);
            Runnable run = runner.prepare("Point.exact", config, constants.toArray(), arguments.toArray());
            return requireNonNull(sums).add()
                    ? run
                    : SweepLaunches.inOrder(List.of(SweepLaunches.clear(runner, exact), run));
        }
        Scalar plain = sums == null ? null : sums.plain();
        arguments.add(partial);
        arguments.add(arrived);
        arguments.add(plain == null ? partial : plain.buffer());
        arguments.add(sums != null && sums.add());
        return runner.prepare("Point.run", config, constants.toArray(), arguments.toArray());
    }

    private static PointKernels.Operand operand(PointTerm.Operand operand) {
        Ptr x = Ptr.of(operand.x());
        Buffer target = operand.target();
        Buffer second = operand.second();
        return new PointKernels.Operand(
                x, Ptr.of(operand.y()), target == null ? x : Ptr.of(target), second == null ? x : Ptr.of(second));
    }

    /** Returns the factors, which have to be real: {@code numbers} are. */
    private static PointKernels.Factors factors(PointTerm term, Buffer numbers) {
        F64Ptr nowhere = F64Ptr.of(numbers);
        PointTerm.Factors f = term.factors();
        return new PointKernels.Factors(
                Factor.of("map", f.a(), numbers, nowhere),
                Factor.of("map", f.b(), numbers, nowhere),
                Factor.of("map", f.c(), numbers, nowhere),
                Factor.of("map", f.d(), numbers, nowhere),
                Factor.of("map", f.e(), numbers, nowhere),
                Factor.of("map", f.active(), numbers, nowhere),
                Factor.of("map", term.step(), numbers, nowhere));
    }
}
