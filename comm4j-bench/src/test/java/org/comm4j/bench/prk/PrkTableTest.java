// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrkTableTest {
    @Test
    void aLineForEachRateAndOneForEachKernelWithoutOne() {
        ResearchKernel branch = new Branch(2, 8, Branch.Kind.NO_VECTOR);
        ResearchKernel reduce = new Reduce(1, 1);
        ResearchKernel transpose = new Transpose(1, 4, 0, false);
        ResearchKernel random = new RandomAccess(4, 4, 2);
        PrkTable table = new PrkTable();
        table.add(new Prk.Outcome(
                branch,
                3,
                List.of(
                        new Rate("Mops/s with branches", 1234.5, 0.5, ""),
                        new Rate("Mops/s without branches", 22.25, 0.25, "")),
                null));
        table.add(new Prk.Outcome(reduce, 3, List.of(new Rate("MFlops/s", 0.00125, 12, "")), null));
        table.add(new Prk.Outcome(transpose, 3, List.of(new Rate("MB/s", 1, 1, "")), "aggregate error 1"));
        table.leftOut(random, "3 PEs are no power of two");
        StringWriter text = new StringWriter();
        table.print(new PrintWriter(text));
        assertThat(text.toString().lines())
                .containsExactly(
                        "kernel       rate  unit                      time (s)",
                        "branch      1,235  Mops/s with branches      0.500000",
                        "branch       22.3  Mops/s without branches   0.250000",
                        "reduce     0.0013  MFlops/s                 12.000000",
                        "transpose  wrong: aggregate error 1",
                        "random     left out: 3 PEs are no power of two");
    }
}
