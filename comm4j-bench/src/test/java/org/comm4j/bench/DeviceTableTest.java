// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceTableTest {
    /** What programs print, each below its name. */
    private static final String PROGRAMS = """
            # program: shmem_put_bw
            Runtime options after parsing command line arguments\s
            min_size: 4, number of ctas: 32, threads per cta: 256 stride: 1, datatype: int, reduce_op: sum, threadgroup_scope: warp, \
            atomic_op: inc, dir: write, report_msgrate: 0
            mype: 0 mype_node: 0 device name: NVIDIA H200 bus id: 27\s
            #shmem_put_bw_uni
            size(B)     scope     BW (GB/sec)    \s
            1048576     None      262.144000     \s
            # program: shmem_put_bw --bidir
            threadgroup_scope: all_scopes, atomic_op: inc, dir: write
            #shmem_put_bw_bidi
            size(B)     scope     BW (GB/sec)    \s
            1024        None      0.512000     \s
            # program: shmem_get_latency
            threadgroup_scope: all_scopes, atomic_op: inc, dir: write
            #shmem_g_latency
            size(B)     scope     latency (us)   \s
            4           Thread    1.834240       \s
            #shmem_get_latency
            size(B)     scope     latency (us)   \s
            4           Block     1.950400       \s
            # program: shmem_atomic_latency
            #shmem_at_unsigned long_inc_ping_lat
            size(B)     scope     latency (us)   \s
            8           None      1.152704       \s
            # program: shmem_atomic_ping_pong_latency
            threadgroup_scope: all_scopes, atomic_op: fetch_add, dir: write
            Job Name shmem_at_unsigned int_fetch_add_lat bandwidth factor not set. Using 1 values for bw.
            #shmem_at_unsigned int_fetch_add_lat
            size(B)     count     type      scope     latency(us)       algbw(GB/s)   busbw(GB/s)\s
            4           1         None                3.500000          1.000         1.000      \s
            # program: shmem_put_signal_ping_pong_latency
            #shmem_put_ping_lat
            size(B)     scope     latency (us)   \s
            4           None      5.283264       \s
            # program: barrier_latency
            #barrier_all_device
            size(B)     scope     latency (us)   \s
            256         warp      4.500000       \s
            # program: fcollect_latency
            #fcollect_device
            size(B)     count     type      scope     latency(us)       algbw(GB/s)   busbw(GB/s)\s
            4096        1024      32-bit    block     8.000000          0.512         0.384      \s
            # program: reduction_latency
            #device_reduction
            size(B)     count     type      redop     scope     latency(us)       algbw(GB/s)   busbw(GB/s)\s
            1024        256       int32     sum       t         55.000000         0.019         0.028      \s
            """;

    @TempDir
    private Path folder;

    private static Results.Sample sample(
            String operation, long size, String type, @Nullable String reduction, double micros) {
        return new Results.Sample(new Results.Key(operation, size, type, reduction, null), micros, Double.NaN);
    }

    @Test
    void readsWhatTheProgramsPrint() throws Exception {
        Results results = Results.read(Files.writeString(folder.resolve("all.txt"), PROGRAMS));
        assertThat(results.samples())
                .containsExactly(
                        // 1 MiB at 262.144 GB/s.
                        sample("shmem_put_bw warp", 1 << 20, "uint8", null, 4),
                        sample("shmem_put_bw bidir block", 1024, "uint8", null, 2),
                        sample("shmem_get_latency thread", 4, "uint8", null, 1.83424),
                        sample("shmem_get_latency block", 4, "uint8", null, 1.9504),
                        sample("shmem_atomic_latency inc", 8, "int64", null, 1.152704),
                        sample("shmem_atomic_ping_pong_latency fetch_add", 4, "int32", null, 3.5),
                        sample("shmem_put_signal_ping_pong_latency", 4, "uint8", null, 5.283264),
                        sample("barrier_all_latency warp", 256, "uint8", null, 4.5),
                        sample("fcollect_latency block", 4096, "int32", null, 8),
                        sample("reduction_latency thread", 1024, "int32", "sum", 55));
        assertThat(results.description()).endsWith("all.txt, NVSHMEM's device perftests");
    }

    private static Row row(DeviceCase test, long bytes, DataType type, @Nullable ReduceOp op, double micros) {
        return new Row(
                test,
                bytes,
                bytes / type.bytes(),
                type,
                op,
                -1,
                Row.Timing.of(test, bytes, 4, micros / 1e6, 0, null),
                null,
                Double.NaN);
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (DeviceCase test : DeviceCase.of(DevicePerftest.named("all"), null, true, Atomic.COMPARE_SWAP)) {
            for (DataType type :
                    test.test().isOfWidths() ? List.of(DataType.INT32, DataType.INT64) : List.of(DataType.UINT8)) {
                rows.add(row(test, 4096, type, test.test().reduces() ? ReduceOp.BXOR : null, 8 + rows.size()));
            }
        }
        return rows;
    }

    @Test
    void printsWhatTheProgramsPrint() {
        Row put = row(DeviceCase.of(DevicePerftest.PUT_BW, Group.WARP, false, null), 1 << 20, DataType.UINT8, null, 4);
        assertThat(DeviceTable.columns(put))
                .containsExactly(
                        "# program: shmem_put_bw, threadgroup_scope: warp",
                        "#shmem_put_bw_uni",
                        "size(B)     scope     BW (GB/sec)     ");
        assertThat(DeviceTable.row(put)).isEqualTo("1048576     None      262.144000      ");
        Row sum = row(
                DeviceCase.of(DevicePerftest.REDUCTION, Group.THREAD, false, null),
                1024,
                DataType.INT32,
                ReduceOp.SUM,
                55);
        assertThat(DeviceTable.columns(sum))
                .endsWith(
                        "#device_reduction",
                        "size(B)     count     type      redop     scope     latency(us)       algbw(GB/s)   busbw(GB/s) ");
        assertThat(DeviceTable.row(sum))
                .isEqualTo(
                        "1024        256       int32     sum       t         55.000000         0.019         0.028       ");
    }

    @Test
    void whatIsPrintedAndWrittenIsReadAgain() throws Exception {
        Platform platform = new Platform(
                "node", "cpu", 2, "JVM 25", "Linux", "nvshmem", "alone", "NVSHMEM 3.4.5", List.of(1L), List.of("GPU"));
        DeviceSettings settings = DevicePerftestsTest.settings(
                DeviceCase.of(DevicePerftest.named("all"), null, true, Atomic.COMPARE_SWAP),
                DataType.INT32,
                ReduceOp.BXOR);
        List<Row> rows = rows();
        List<String> lines = new ArrayList<>(DeviceTable.header(platform, settings));
        for (Row row : rows) {
            lines.addAll(DeviceTable.columns(row));
            lines.add(DeviceTable.row(row));
        }
        lines.addAll(PerftestTable.footer(rows));
        Results text = Results.read(Files.write(folder.resolve("a.txt"), lines));
        Results json = Results.read(Files.writeString(
                folder.resolve("a.json"),
                Report.json(platform, settings, Instant.parse("2026-01-02T03:04:05Z"), rows)));
        assertThat(text.samples())
                .extracting(Results.Sample::key)
                .isEqualTo(json.samples().stream().map(Results.Sample::key).toList());
        for (int i = 0; i < rows.size(); i++) {
            double micros = rows.get(i).outOfPlace().micros();
            assertThat(text.samples().get(i).key().operation())
                    .isEqualTo(rows.get(i).operation().toString());
            assertThat(text.samples().get(i).outOfPlace()).isCloseTo(micros, within(1e-5 * micros));
        }
        assertThat(text.description()).endsWith("a.txt, NVSHMEM 3.4.5, 1 PEs, JVM 25, Linux, started by alone");
        assertThat(text.wrong()).isZero();
    }

    @Test
    void whatIsNoTableIsSaid() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeviceTable.read(List.of("# program: shmem_p_bw", "This test requires 2"), "x"))
                .withMessage("x has no table of NVSHMEM's device perftests: This test requires 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeviceTable.read(
                        List.of(
                                "# program: shmem_put_latency",
                                "#shmem_put_latency",
                                "size(B)  scope  latency (us)",
                                "4  Grid  1.5"),
                        "x"))
                .withMessageContaining("not a row");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeviceTable.read(List.of("# program: shmem_push_bw"), "x"))
                .withMessageContaining("there is no test 'shmem_push_bw'; there are shmem_put_bw,");
    }
}
