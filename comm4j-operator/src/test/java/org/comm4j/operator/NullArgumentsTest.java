// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Npy;
import org.comm4j.array.StackedArray;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.core.contract.PublicTypes;
import org.comm4j.operator.proximal.L1;
import org.comm4j.operator.proximal.LeastSquaresStep;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.seismic.Kirchhoff;
import org.comm4j.operator.signal.FFTND;
import org.comm4j.operator.signal.MDC;
import org.comm4j.operator.solver.AdaptivePrimalDual;
import org.comm4j.operator.solver.Admm;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Ista;
import org.comm4j.operator.solver.NormalEquations;
import org.comm4j.operator.solver.PowerIteration;
import org.comm4j.operator.solver.PrimalDual;
import org.comm4j.operator.solver.Regularized;
import org.comm4j.operator.solver.SolverResult;
import org.comm4j.operator.solver.SplitBregman;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofArraysAndOperators() {
        World.threads(1, world -> {
            try (Communicator communicator = world.communicator();
                    Backend backend = Backend.of(communicator)) {
                Layout layout = backend.scattered(0, 4);
                DistributedArray array = backend.zeros(layout, DataType.FLOAT64);
                LinearOperator operator = Identity.of(backend, layout, DataType.FLOAT64);
                Object[] samples = {
                    backend, layout, array, operator, new long[] {4}, DataType.FLOAT64, HostArray.of(1.0, 2, 3, 4)
                };
                for (Class<?> type : List.of(Backend.class, Layout.class, StackedArray.class, Npy.class)) {
                    wrong.addAll(NullArguments.ofType(type, Set.of(), samples));
                }
                wrong.addAll(NullArguments.ofObject(Backend.class, backend, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(Layout.class, layout, Set.of(), samples));
                wrong.addAll(NullArguments.ofObject(DistributedArray.class, array, Set.of("check"), samples));
                wrong.addAll(NullArguments.ofObject(LinearOperator.class, operator, Set.of(), samples));
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void ofFactories() {
        World.threads(1, world -> {
            try (Communicator communicator = world.communicator();
                    Backend backend = Backend.of(communicator)) {
                List<Class<?>> types = new ArrayList<>(PublicTypes.beside(LinearOperator.class));
                // What operators and solvers make themselves.
                types.removeAll(List.of(
                        Eigenpair.class, SolverResult.class, LeastSquaresStep.class, LeastSquaresStep.Term.class));
                for (Class<?> type : types) {
                    wrong.addAll(NullArguments.ofType(type, Set.of("valueOf"), samples(backend)));
                }
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void ofBuildersAndSolvers() {
        World.threads(1, world -> {
            try (Communicator communicator = world.communicator();
                    Backend backend = Backend.of(communicator)) {
                Object[] samples = samples(backend);
                Layout layout = backend.scattered(0, 4);
                Layout plane = backend.scattered(0, 4, 4);
                DistributedArray y = backend.zeros(layout, DataType.FLOAT64);
                LinearOperator a = Identity.of(backend, layout, DataType.FLOAT64);
                Proximal l1 = L1.of(1);
                DistributedArray kernel = backend.zeros(backend.replicated(3, 2, 2), DataType.COMPLEX128);
                for (Object object : List.of(
                        FirstDerivative.of(backend, layout, 0),
                        SecondDerivative.of(backend, layout, 0),
                        Laplacian.of(backend, plane, 0, 1),
                        FFTND.of(backend, plane, 0, 1),
                        MDC.of(kernel, 5, 1),
                        Kirchhoff.of(backend, backend.replicated(4, 4), new double[4], new double[4]),
                        l1,
                        Cgls.of(a, y),
                        Ista.of(a, y),
                        NormalEquations.of(a, y),
                        Regularized.of(a, y),
                        PowerIteration.of(a),
                        PrimalDual.of(l1, l1, a),
                        AdaptivePrimalDual.of(l1, l1, a),
                        Admm.of(l1, l1, y),
                        SplitBregman.of(a, y))) {
                    // A function that is not smooth has no gradient, of whatever.
                    wrong.addAll(NullArguments.ofObject(object.getClass(), object, Set.of("grad"), samples));
                }
            }
        });
        assertThat(wrong).isEmpty();
    }

    private static Object[] samples(Backend backend) {
        Layout layout = backend.scattered(0, 4);
        DistributedArray array = backend.zeros(layout, DataType.FLOAT64);
        LinearOperator operator = Identity.of(backend, layout, DataType.FLOAT64);
        return new Object[] {
            backend,
            layout,
            array,
            operator,
            L1.of(1),
            new LinearOperator[] {operator},
            new long[] {4},
            new int[] {0},
            new double[] {1},
            DataType.FLOAT64,
            Path.of("file")
        };
    }
}
