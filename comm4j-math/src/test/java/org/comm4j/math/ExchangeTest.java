// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that ranks write into each other's memory by a kernel, each rank a thread with an executor. */
class ExchangeTest {
    static List<Buffer> parts(int ranks, long bytes) {
        List<Buffer> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            parts.add(HostArray.allocate(DataType.INT64, ExchangeKernels.length(bytes)));
        }
        return parts;
    }

    static PeerMemory memory(int rank, List<Buffer> parts, Duration timeout) {
        return new PeerMemory(
                rank,
                parts,
                HostArray.allocate(DataType.INT64, 1),
                timeout,
                missing -> new CommTimeoutException("exchange: rank " + missing));
    }

    /** Elements that a rank sends to another one: none, few, or many chunks, none of them alike. */
    private static long count(int from, int to, int scale) {
        return (long) (from * 3 + to * 5) % 7 * scale + (from + to) % 2;
    }

    private static KernelExchange exchange(
            ExecutorQueue queue, KernelRunner runner, PeerMemory memory, long[] sent, long[] received, long most) {
        HostArray plan = HostArray.of(ExchangeKernels.plan(sent, received));
        return new KernelExchange(
                queue, runner, memory, most, plan, LongStream.of(received).sum());
    }

    private static float element(int from, int to, int turn, long i) {
        return from + 10 * to + 100 * turn + 1000 * (i % 10_000);
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "2, 4", "3, 1", "3, 4", "4, 2000", "5, 3001", "8, 40"})
    void messagesArrive(int ranks, int scale) throws Exception {
        long most = 0;
        for (int to = 0; to < ranks; to++) {
            long all = 0;
            for (int from = 0; from < ranks; from++) {
                all += 4 * count(from, to, scale);
            }
            most = Math.max(most, all);
        }
        long bytes = most;
        List<Buffer> parts = parts(ranks, bytes);
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                ends.add(threads.submit(() -> rank(rank, ranks, scale, bytes, parts)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static void rank(int rank, int ranks, int scale, long most, List<Buffer> parts) {
        long[] sent = LongStream.range(0, ranks)
                .map(to -> 4 * count(rank, (int) to, scale))
                .toArray();
        long[] received = LongStream.range(0, ranks)
                .map(from -> 4 * count((int) from, rank, scale))
                .toArray();
        HostArray send =
                HostArray.allocate(DataType.FLOAT32, LongStream.of(sent).sum() / 4);
        HostArray own =
                HostArray.allocate(DataType.FLOAT32, LongStream.of(received).sum() / 4);
        PeerMemory memory = memory(rank, parts, Duration.ofSeconds(60));
        try (ExecutorQueue queue = new ExecutorQueue();
                KernelRunner runner = new KernelRunner(queue)) {
            KernelExchange exchange = exchange(queue, runner, memory, sent, received, most);
            for (int turn = 0; turn < 6; turn++) {
                long at = 0;
                for (int to = 0; to < ranks; to++) {
                    for (long i = 0; i < sent[to] / 4; i++) {
                        send.setFloat(at++, element(rank, to, turn, i));
                    }
                }
                Buffer recv = turn % 2 == 0 ? own : exchange.landing(DataType.FLOAT32);
                exchange.run(send, recv);
                HostArray there = (HostArray) recv;
                at = 0;
                for (int from = 0; from < ranks; from++) {
                    for (long i = 0; i < received[from] / 4; i++) {
                        assertThat(there.getFloat(at++)).isEqualTo(element(from, rank, turn, i));
                    }
                }
            }
        }
    }

    @Test
    void aRankThatDoesNotComeIsNamed() {
        PeerMemory memory = memory(0, parts(2, 64), Duration.ofMillis(50));
        HostArray x = HostArray.allocate(DataType.FLOAT64, 4);
        try (ExecutorQueue queue = new ExecutorQueue();
                KernelRunner runner = new KernelRunner(queue)) {
            long[] bytes = {16, 16};
            exchange(queue, runner, memory, bytes, bytes, 32).run(x, x);
        }
        assertThatThrownBy(memory::check)
                .isInstanceOf(CommTimeoutException.class)
                .hasMessage("exchange: rank 1");
    }

    /** Packs of 16 bytes, flags that other GPUs see, nothing on a stack. */
    @Test
    void itIsCompiledForGpus() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        KernelCode code = KernelCode.compile(
                KernelMethod.named(ExchangeKernels.class, "run"), CudaArch.parse("sm_90"), CompileOptions.DEFAULT);
        assertThat(code.attributes().localBytes()).isZero();
        assertThat(code.ptx())
                .contains("st.release.sys", "ld.acquire.sys")
                .containsPattern("ld\\.global\\.v[24]\\.[bu](64|32)")
                .containsPattern("st\\.global\\.v[24]\\.[bu](64|32)");
    }
}
