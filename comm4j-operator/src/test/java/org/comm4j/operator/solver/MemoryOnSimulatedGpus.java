// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.comm4j.array.DistributedArray;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Ranks;
import org.comm4j.test.SimulatedLibrary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Memory of devices that solvers take, by the count of a simulated driver, in a process that has loaded it. */
public final class MemoryOnSimulatedGpus {
    private static final SimulatedLibrary DRIVER =
            new SimulatedLibrary(Path.of(System.getProperty("org.comm4j.cuda.library", "")));

    @BeforeAll
    static void simulate() {
        Ranks.onSimulatedGpus();
    }

    private static long allocations() {
        return DRIVER.count("cuMemAlloc_v2") + DRIVER.count("cuMemAllocFromPoolAsync");
    }

    @Test
    void iterationsAllocateNothing() {
        Ranks.run(2, backend -> IterationMemory.check(backend, MemoryOnSimulatedGpus::allocations, "allocations"));
    }

    /** Three vectors of the model and two of the data, besides the data themselves and numbers. */
    @Test
    void leastSquaresTakeFiveVectors() {
        Ranks.run(1, backend -> {
            long n = 1000;
            LinearOperator a =
                    BlockDiag.of(backend, MatrixMult.of(backend.random(backend.local(2 * n, n), DataType.FLOAT64, 1)));
            DistributedArray data = backend.random(a.range(), DataType.FLOAT64, 2);
            long before = DRIVER.get("bytes");
            try (Iteration run = Cgls.of(a, data).iterations(5).setup()) {
                assertThat(run.step() && run.step() && run.step()).isTrue();
                long vectors = 8 * (3 * n + 2 * 2 * n);
                assertThat(DRIVER.get("bytes") - before).isBetween(vectors, vectors + 8 * n / 2);
            }
        });
    }
}
