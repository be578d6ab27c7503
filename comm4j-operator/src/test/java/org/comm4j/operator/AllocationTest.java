// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Products with operators allocate nothing once they have been made. Memory off the heap has an object on the heap that
 * owns it, so that bytes of the heap tell of both.
 */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static Map<String, LinearOperator> operators(Backend backend, DataType type) {
        // The communicator's groups allocate, and its reductions of complex numbers.
        boolean alone = backend.size() == 1;
        Layout plane = alone ? backend.scattered(0, 9, 7) : backend.local(9, 7);
        Layout volume = alone ? backend.scattered(0, 6, 5, 4) : backend.local(6, 5, 4);
        LinearOperator first = MatrixMult.of(backend.random(backend.local(5, 4), type, 1));
        LinearOperator second = MatrixMult.of(backend.random(backend.local(5, 4), type, 2));
        LinearOperator laplacian =
                Laplacian.of(backend, volume, 0, 1, 2).dtype(type).build();
        Map<String, LinearOperator> all = new LinkedHashMap<>();
        all.put("BlockDiag", BlockDiag.of(backend, first, second));
        all.put("VStack", VStack.of(backend, first, second));
        all.put("HStack", HStack.of(backend, first, second));
        all.put("Laplacian", laplacian);
        all.put("Gradient", Gradient.of(backend, plane, type));
        for (int axis = 0; axis < 2; axis++) {
            all.put(
                    "FirstDerivative " + axis,
                    FirstDerivative.of(backend, plane, axis).dtype(type).build());
            all.put(
                    "SecondDerivative " + axis,
                    SecondDerivative.of(backend, plane, axis).dtype(type).build());
            all.put("Flip " + axis, Flip.of(backend, plane, type, axis));
            all.put("Roll " + axis, Roll.of(backend, plane, type, axis, 2));
        }
        all.put("Diagonal", Diagonal.of(backend.random(volume, type, 3)));
        all.put("Identity", Identity.of(backend, volume, type));
        all.put("sum", laplacian.plus(Identity.of(backend, volume, type)));
        all.put("scaled", laplacian.times(0.3));
        all.put("product", laplacian.times(laplacian));
        all.put(
                "column",
                VStack.of(laplacian, Identity.of(backend, volume, type).times(0.1)));
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void productsAllocateNothing(int ranks) {
        Ranks.run(ranks, backend -> {
            List<DataType> types = ranks == 1
                    ? List.of(DataType.FLOAT64, DataType.FLOAT32, DataType.COMPLEX128)
                    : List.of(DataType.FLOAT64, DataType.FLOAT32);
            for (DataType type : types) {
                operators(backend, type).forEach((name, operator) -> {
                    Vector x = backend.vector(operator.domain(), type);
                    Vector y = backend.vector(operator.range(), type);
                    // The least of several rounds: waits for a rank that is late are the communicator's.
                    long[] bytes = {Long.MAX_VALUE, Long.MAX_VALUE};
                    for (int i = 0; i < 8; i++) {
                        backend.communicator().barrier();
                        long before = THREADS.getCurrentThreadAllocatedBytes();
                        operator.matvec(x, y);
                        long between = THREADS.getCurrentThreadAllocatedBytes();
                        operator.rmatvec(y, x);
                        bytes[0] = Math.min(bytes[0], between - before);
                        bytes[1] = Math.min(bytes[1], THREADS.getCurrentThreadAllocatedBytes() - between);
                    }
                    assertThat(bytes)
                            .as("%s of %s on %d ranks", name, type, ranks)
                            .containsExactly(0, 0);
                });
            }
        });
    }

    /** Ghost rows and panels are sent without allocation. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsAllocated(boolean overlap) {
        Ranks.run(2, backend -> {
            backend.overlap(overlap).overlapFrom(0);
            Layout layout = backend.scattered(0, 31, 6);
            List<LinearOperator> all = OverlapTest.operators(backend, layout, DataType.FLOAT64);
            DistributedArray matrix = backend.random(layout, DataType.FLOAT64, 7);
            all.add(MatrixMult.distributed(matrix, backend.scattered(0, 6, 5), 2));
            all.add(MatrixMult.stationary(matrix, backend.scattered(0, 6, 5)));
            for (LinearOperator operator : all) {
                Vector x = backend.vector(operator.domain(), DataType.FLOAT64);
                Vector y = backend.vector(operator.range(), DataType.FLOAT64);
                // The least of several rounds: waits for a rank that is late may allocate.
                long forward = Long.MAX_VALUE;
                long adjoint = Long.MAX_VALUE;
                for (int round = 0; round < 20; round++) {
                    backend.communicator().barrier();
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    operator.matvec(x, y);
                    long between = THREADS.getCurrentThreadAllocatedBytes();
                    operator.rmatvec(y, x);
                    forward = Math.min(forward, between - before);
                    adjoint = Math.min(adjoint, THREADS.getCurrentThreadAllocatedBytes() - between);
                }
                assertThat(new long[] {forward, adjoint}).as("%s", operator).containsExactly(0, 0);
            }
        });
    }
}
