// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.Test;

/**
 * Bytes on the heap that products with each operator of the catalogue allocate: none, but for those whose members are
 * applied to views that are made anew, for transforms, and 48 bytes of two others.
 */
class CatalogueAllocationTest {
    private static final Set<String> MAY_ALLOCATE = Set.of(
            "ConvolveND",
            "DCT",
            "FFT",
            "FFT2D",
            "FFTND",
            "Fredholm1",
            "FunctionOperator",
            "Kronecker",
            "MDC",
            "MatrixMult along axis 0",
            "MemoizeOperator",
            "Patch2D",
            "Patch3D",
            "Redistribute",
            "Shift",
            "Sliding1D",
            "Sliding2D",
            "Sliding3D",
            "VStack nested, S - S, and a power");

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 12;

    @Test
    void productsAllocateNothing() {
        Map<String, String> found = new TreeMap<>();
        Ranks.run(1, backend -> {
            Layout layout = backend.scattered(0, 4, 3, 6);
            for (Catalogue.Entry entry : Catalogue.all()) {
                if (!entry.takes().test(layout)
                        || MAY_ALLOCATE.contains(entry.name())
                        || MAY_ALLOCATE.contains(entry.covers().getSimpleName())) {
                    continue;
                }
                LinearOperator operator = entry.maker().make(backend, layout, DataType.FLOAT64);
                Vector x = backend.vector(operator.domain(), operator.domainType());
                Vector y = backend.vector(operator.range(), operator.rangeType());
                // The least of several: the JVM allocates when it links a call.
                long forward = Long.MAX_VALUE;
                long adjoint = Long.MAX_VALUE;
                for (int i = 0; i < ROUNDS; i++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    operator.matvec(x, y);
                    long between = THREADS.getCurrentThreadAllocatedBytes();
                    operator.rmatvec(y, x);
                    forward = Math.min(forward, between - before);
                    adjoint = Math.min(adjoint, THREADS.getCurrentThreadAllocatedBytes() - between);
                }
                if (forward != 0 || adjoint != 0) {
                    found.put(entry.name(), forward + " " + adjoint);
                }
            }
        });
        assertThat(found).isEmpty();
    }
}
