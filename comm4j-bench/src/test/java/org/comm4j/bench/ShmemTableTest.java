// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShmemTableTest {
    @TempDir
    private Path folder;

    private static Row row(ShmemTest test, long bytes, DataType type, double micros) {
        return new Row(
                test,
                bytes,
                1,
                type,
                test.reduces() ? org.comm4j.core.ReduceOp.SUM : null,
                test == ShmemTest.BROADCAST ? 0 : -1,
                Row.Timing.of(test, bytes, 4, micros * 1e-6, Row.UNCHECKED, null),
                null,
                Double.NaN);
    }

    @Test
    void printsTheColumnsOfItsKind() {
        Row put = row(ShmemTest.PUT, 8, DataType.UINT8, 0.0123);
        assertThat(ShmemTable.columns(put))
                .containsExactly("", "# OpenSHMEM put test, uint8", "# Size          Latency (us)");
        assertThat(ShmemTable.row(put, 4)).isEqualTo("8                    0.01230");
        Row rate = row(ShmemTest.PUT_MR, 64, DataType.UINT8, 0.01);
        assertThat(ShmemTable.columns(rate).getLast()).isEqualTo("# Size            Messages/s      Latency (us)");
        // Two PEs send to two others.
        assertThat(ShmemTable.row(rate, 4)).isEqualTo("64              200000000.00           0.01000");
        Row atomic = row(ShmemTest.ATOMIC_ADD, 8, DataType.INT64, 0.02);
        assertThat(ShmemTable.columns(atomic).getLast()).isEqualTo("# Bytes        Million ops/s      Latency (us)");
        assertThat(ShmemTable.row(atomic, 2)).isEqualTo("8                      50.00           0.02000");
    }

    @Test
    void readsWhatItPrints() throws Exception {
        List<Row> rows = List.of(
                row(ShmemTest.PUT, 8, DataType.UINT8, 0.5),
                row(ShmemTest.PUT_MR, 64, DataType.UINT8, 0.25),
                row(ShmemTest.ATOMIC_COMPARE_SWAP, 8, DataType.INT64, 0.125),
                row(ShmemTest.BARRIER, 0, DataType.UINT8, 1.5),
                row(ShmemTest.BROADCAST, 16, DataType.FLOAT32, 2.5),
                row(ShmemTest.REDUCE, 4096, DataType.FLOAT32, 3.75));
        List<String> lines = new ArrayList<>(List.of(
                "# OpenSHMEM by comm4j, engine embedded, 4 PEs, iters: OSU's, blocks: 1, validation: 1, a JVM",
                "#  PE  0 Pid   1234 on host processor"));
        for (Row each : rows) {
            lines.addAll(ShmemTable.columns(each));
            lines.add(ShmemTable.row(each, 4));
        }
        lines.add("# Out of bounds values : 0 OK");
        Results results = Results.read(Files.write(folder.resolve("ours.txt"), lines));
        assertThat(results.samples())
                .containsExactly(
                        new Results.Sample(Results.Key.of("put", 8, "uint8", null, -1), 0.5, Double.NaN),
                        new Results.Sample(Results.Key.of("put_mr", 64, "uint8", null, -1), 0.25, Double.NaN),
                        new Results.Sample(
                                Results.Key.of("atomic_compare_swap", 8, "int64", null, -1), 0.125, Double.NaN),
                        new Results.Sample(Results.Key.of("barrier", 0, "uint8", null, -1), 1.5, Double.NaN),
                        new Results.Sample(Results.Key.of("broadcast", 16, "float", null, 0), 2.5, Double.NaN),
                        new Results.Sample(Results.Key.of("reduce", 4096, "float", "sum", -1), 3.75, Double.NaN));
        assertThat(results.description()).endsWith("ours.txt, OpenSHMEM by comm4j, engine embedded, 4 PEs, a JVM");
    }

    @Test
    void saysWhatIsNoRow() throws Exception {
        Path file = Files.write(
                folder.resolve("bad.txt"), List.of("# OpenSHMEM put test, uint8", "# Size  Latency (us)", "8 fast"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Results.read(file))
                .withMessageContaining("not a row of a test of OpenSHMEM: 8 fast");
        Path empty = Files.write(folder.resolve("empty.txt"), List.of("# OpenSHMEM put test, uint8"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Results.read(empty))
                .withMessageContaining("no row");
    }
}
