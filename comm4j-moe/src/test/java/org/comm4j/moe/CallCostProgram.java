// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;

/**
 * What calls with a stream cost on the host, in a process with a GPU: it prints {@code NAME: BYTES bytes, NANOS ns} of
 * one call, the least of many rounds, and how long the first dispatch took. With the argument {@code shapes} it prints
 * {@code entries: N} of the folder of compiled kernels instead, after a layer of each of several shapes.
 */
final class CallCostProgram {
    private static final int TOKENS = 128;
    private static final int EXPERTS = 64;
    private static final int CHOICES = 8;
    private static final int HIDDEN = 256;
    private static final int CALLS = 500;
    private static final int ROUNDS = 30;

    private CallCostProgram() {}

    public static void main(String[] args) throws Exception {
        try (World world = World.join();
                Device device = Device.inTurn(world.localRank());
                ShmemPe pe = ShmemPe.onGpu(world, device);
                Stream stream = device.newStream()) {
            if (args.length > 0) {
                layer(pe, stream, shape(EXPERTS, CHOICES, HIDDEN, TOKENS), TOKENS);
                layer(pe, stream, shape(EXPERTS, CHOICES, HIDDEN, TOKENS), TOKENS - 1);
                layer(pe, stream, shape(EXPERTS, CHOICES, HIDDEN, 3 * TOKENS), TOKENS);
                layer(pe, stream, shape(EXPERTS, CHOICES, 7168, TOKENS), TOKENS);
                layer(pe, stream, shape(EXPERTS, 3, HIDDEN, TOKENS), TOKENS);
                layer(pe, stream, shape(37, CHOICES, HIDDEN, TOKENS), TOKENS);
                return;
            }
            try (ExpertParallel ep =
                    ExpertParallel.of(pe, shape(EXPERTS, CHOICES, HIDDEN, TOKENS), MoeOptions.DEFAULT)) {
                measure(pe, ep, stream);
            }
        }
    }

    private static MoeShape shape(int experts, int choices, int hidden, int tokens) {
        return MoeShape.experts(experts)
                .perToken(choices)
                .hidden(hidden)
                .tokens(tokens)
                .input(DataType.FLOAT8_E4M3)
                .scales(2, DataType.FLOAT32);
    }

    private static void layer(ShmemPe pe, Stream stream, MoeShape shape, int count) throws IOException {
        try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT)) {
            Buffer x = pe.allocate(DataType.FLOAT8_E4M3, (long) count * shape.hidden());
            Buffer scales = pe.allocate(DataType.FLOAT32, count * 2L);
            Buffer chosen = pe.allocate(DataType.INT32, (long) count * shape.perToken());
            Buffer y = pe.allocate(DataType.BFLOAT16, (long) count * shape.hidden());
            Routed routed = ep.dispatch(Tokens.of(x, chosen, count).scales(scales), stream);
            ep.combine(Sums.into(y), routed, stream);
        }
        try (var entries = Files.walk(Path.of(System.getProperty("org.comm4j.kernel.cache")))) {
            System.out.println(
                    "entries: " + entries.filter(Files::isRegularFile).count());
        }
    }

    private static void measure(ShmemPe pe, ExpertParallel ep, Stream stream) {
        Buffer x = pe.allocate(DataType.FLOAT8_E4M3, TOKENS * HIDDEN);
        Buffer chosen = pe.allocate(DataType.INT32, TOKENS * CHOICES);
        Buffer scales = pe.allocate(DataType.FLOAT32, TOKENS * 2);
        Buffer weights = pe.allocate(DataType.FLOAT32, TOKENS * CHOICES);
        Buffer y = pe.allocate(DataType.BFLOAT16, TOKENS * HIDDEN);
        Tokens tokens = Tokens.of(x, chosen, TOKENS).scales(scales);
        // In turn, as layers of a model have arrays of their own.
        Tokens fewer = Tokens.of(x, chosen, 3).scales(scales);
        Sums sums = Sums.into(y).weights(weights);
        long start = System.nanoTime();
        Routed routed = ep.dispatch(tokens, stream);
        System.out.printf("first dispatch: %.1f ms%n", (System.nanoTime() - start) / 1e6);
        ep.combine(sums, routed, stream);
        report("dispatch and combine", stream, () -> {
            routed.next(tokens, stream);
            ep.combine(sums, routed, stream);
            routed.next(fewer, stream);
            ep.combine(sums, routed, stream);
        });
        report("dispatch with a new Routed", stream, () -> {
            ep.dispatch(tokens, stream).close();
            ep.dispatch(fewer, stream).close();
        });
    }

    /** Of a body of two calls, or two pairs of them. */
    private static void report(String name, Stream stream, Runnable body) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = Long.MAX_VALUE;
        long nanos = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                body.run();
            }
            nanos = Math.min(nanos, System.nanoTime() - start);
            bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
            stream.synchronize();
        }
        System.out.println(name + ": " + bytes / (2 * CALLS) + " bytes, " + nanos / (2 * CALLS) + " ns");
    }
}
