// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.FunctionOperator;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recorded iterations on GPUs. */
@Tag("gpu")
class GpuAheadTest extends AheadTest {
    @BeforeAll
    static void onGpus() {
        Ranks.onGpus(true);
    }

    @AfterAll
    static void onProcessors() {
        Ranks.onGpus(false);
    }

    private static LinearOperator blocks(Backend backend, long n) {
        return BlockDiag.of(
                backend,
                MatrixMult.of(backend.random(backend.local(n, n), DataType.FLOAT64, 1)),
                MatrixMult.of(backend.random(backend.local(n, n), DataType.FLOAT64, 2)));
    }

    /** The host starts a graph, and nothing else; the figure is for people. */
    @Test
    void theHostAllocatesNothingForAnIteration() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Ranks.run(1, backend -> {
            LinearOperator a = blocks(backend, 64);
            Vector y = backend.random(a.range(), DataType.FLOAT64, 3);
            for (Solver solver : List.of(Cg.of(a.H().times(a), a.H().times(y)), Cgls.of(a, y), Lsqr.of(a, y))) {
                try (Iteration run = solver.iterations(1_000_000).setup()) {
                    assertThat(run.step() && run.step() && run.isRecorded()).isTrue();
                    for (int i = 0; i < 100; i++) {
                        run.put(64);
                        backend.compute().synchronize();
                    }
                    long bytes = threads.getCurrentThreadAllocatedBytes();
                    long begin = System.nanoTime();
                    run.put(64);
                    long nanos = System.nanoTime() - begin;
                    bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
                    backend.compute().synchronize();
                    double whole = (System.nanoTime() - begin) / 64e3;
                    System.out.printf(
                            "%s: host %.2f us an iteration, device %.2f us%n", solver.name(), nanos / 64e3, whole);
                    assertThat(bytes).isZero();
                }
            }
        });
    }

    /** What reads on the host cannot be recorded, and works. */
    @Test
    void anOperatorInHostCodeRunsStepByStep() {
        Ranks.run(1, backend -> {
            LinearOperator a = blocks(backend, 5);
            LinearOperator host = FunctionOperator.of(
                    backend,
                    a.domain(),
                    a.range(),
                    DataType.FLOAT64,
                    (x, y) -> y.arrays()
                            .getFirst()
                            .part()
                            .copyFrom(a.times(x).arrays().getFirst().toHost()),
                    (y, x) -> a.rmatvec(y, x));
            Vector y = backend.random(a.range(), DataType.FLOAT64, 3);
            Solver expected = Cgls.of(a, y).iterations(8);
            Vector one = expected.solve();
            Solver actual = Cgls.of(host, y).iterations(8);
            Vector x = actual.solve();
            assertThat(actual.result().costs()).isEqualTo(expected.result().costs());
            assertThat(x.minus(one).norm()).isZero();
            try (Iteration run = actual.setup()) {
                assertThat(run.step() && run.step() && !run.isRecorded()).isTrue();
            }
        });
    }
}
