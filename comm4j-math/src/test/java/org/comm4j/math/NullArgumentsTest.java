// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.core.contract.PublicTypes;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    /** What this package makes itself, and kernels. */
    private static final Set<Class<?>> OWN = Set.of(
            GemmTile.class,
            GemmTile.Problem.class,
            HaloExchange.Side.class,
            PointTerm.class,
            PointTerm.Factors.class,
            PointTerm.Operand.class);

    @Test
    void ofFactories() {
        try (CpuCompute compute = new CpuCompute(new JavaBlas())) {
            for (Class<?> type : PublicTypes.beside(Compute.class)) {
                if (!OWN.contains(type)) {
                    wrong.addAll(NullArguments.ofType(type, Set.of("valueOf", "check"), samples(compute)));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void ofSweepsAndTransforms() {
        try (CpuCompute compute = new CpuCompute(new JavaBlas());
                Dct dct = Dct.of(compute, DataType.FLOAT64, 2, 1, 4, 1)) {
            for (Object object : List.of(new Sweep(), dct)) {
                wrong.addAll(NullArguments.ofObject(object.getClass(), object, Set.of(), samples(compute)));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void vectorsOfTheProcessor() {
        try (CpuCompute compute = new CpuCompute(new JavaBlas())) {
            Object[] samples = samples(compute);
            for (String each :
                    NullArguments.ofObject(CpuCompute.class, compute, Set.of("divergence", "gradient"), samples)) {
                if (each.matches(".* with (x|y|z|diagonal) = null: .*")) {
                    wrong.add(each);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static Object[] samples(Compute compute) {
        return new Object[] {
            compute,
            HostArray.of(1.0, 2, 3, 4),
            DataType.FLOAT64,
            Coefficient.ONE,
            compute.scalars(1),
            compute.scalars(1).get(0)
        };
    }
}
