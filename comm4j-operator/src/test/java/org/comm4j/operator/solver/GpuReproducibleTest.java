// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Cuda;
import org.comm4j.nccl.Nccl;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reproducible sums: the same bits on processors and on GPUs, on one and on as many as there are. */
@Tag("gpu")
class GpuReproducibleTest {
    @AfterEach
    void onProcessors() {
        Ranks.onGpus(false);
    }

    private static void compare(Consumer<ReproducibleTest.Program> body) {
        assumeTrue(Cuda.problem() == null, Cuda.problem());
        assumeTrue(Nccl.problem() == null, Nccl.problem());
        Map<String, long[]> expected = new HashMap<>();
        Ranks.run(1, backend -> {
            var program = new ReproducibleTest.Program(backend.reproducible());
            body.accept(program);
            expected.putAll(program.notes());
        });
        Ranks.onGpus(true);
        int most = Integer.getInteger("comm4j.gpu.ranks", Cuda.deviceCount());
        for (int ranks = 1; ranks <= most; ranks *= 2) {
            int count = ranks;
            Ranks.run(ranks, backend -> {
                var program = new ReproducibleTest.Program(backend.reproducible());
                body.accept(program);
                expected.forEach((name, bits) -> assertThat(program.notes().get(name))
                        .as("%s on GPU %d of %d", name, backend.rank(), count)
                        .isEqualTo(bits));
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "FLOAT64", "COMPLEX64", "COMPLEX128"})
    void sumsAreThoseOfProcessors(DataType type) {
        compare(program -> ReproducibleTest.sums(program, type));
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "FLOAT64"})
    void solversAreThoseOfProcessors(DataType type) {
        compare(program -> ReproducibleTest.solvers(program, type));
    }
}
