// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.util.Objects.requireNonNull;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.Ptr;
import org.jspecify.annotations.Nullable;

/** Broadcasts and sums by {@link ExchangeKernels}. */
final class KernelGroupTransfers implements GroupTransfers {
    private final Compute compute;
    private final KernelQueue queue;
    private final KernelRunner runner;
    private final Communicator communicator;
    private final PeerMemory memory;
    private final long most;
    /** By plan, which is the same for all buffers of a size. */
    private final Map<LongBuffer, KernelExchange> exchanges = new HashMap<>();

    /**
     * @param compute whose memory the plans take
     * @param memory of {@link ExchangeKernels#length} integers
     * @param most bytes that a rank receives at most
     */
    KernelGroupTransfers(
            Compute compute,
            KernelQueue queue,
            KernelRunner runner,
            Communicator communicator,
            PeerMemory memory,
            long most) {
        this.compute = compute;
        this.queue = queue;
        this.runner = runner;
        this.communicator = communicator;
        this.memory = memory;
        this.most = most;
    }

    @Override
    public Transfer broadcast(int[] group, Buffer buffer, int root) {
        nonNull(buffer, "broadcast", "buffer");
        int from = root("broadcast", group, root);
        long[] plan = ExchangeKernels.planOfNone(ranks());
        boolean isRoot = from == memory.rank();
        if (isRoot) {
            for (int rank : group) {
                if (rank != from) {
                    ExchangeKernels.send(plan, rank, 0, buffer.byteSize());
                }
            }
        } else {
            ExchangeKernels.receive(plan, from, 0, buffer.byteSize());
        }
        KernelExchange exchange = exchange(plan, "broadcast", isRoot ? 0 : buffer.byteSize());
        return queue.transferOfKernels(communicator, launcher -> exchange.run(launcher, buffer, buffer));
    }

    @Override
    public Transfer sum(int[] group, Buffer send, @Nullable Buffer recv, int root) {
        nonNull(send, "sum", "send");
        int to = root("sum", group, root);
        long[] plan = ExchangeKernels.planOfNone(ranks());
        if (to != memory.rank()) {
            ExchangeKernels.send(plan, to, 0, send.byteSize());
            KernelExchange exchange = exchange(plan, "sum", 0);
            return queue.transferOfKernels(communicator, launcher -> exchange.run(launcher, send, send));
        }
        long stride = Math.ceilDiv(send.byteSize(), ExchangeKernels.PACK) * ExchangeKernels.PACK;
        long received = 0;
        for (int rank : group) {
            if (rank != to) {
                ExchangeKernels.receive(plan, rank, received, send.byteSize());
                received += stride;
            }
        }
        KernelExchange exchange = exchange(plan, "sum", received);
        Buffer landing = exchange.landing(DataType.INT32);
        Buffer sum = requireNonNull(recv);
        boolean wide = Operands.wide(send);
        CompiledKernel kernel = runner.compiled("Exchange.sum", wide, Operands.aligned(send, sum));
        long numbers = Operands.parts(send);
        long blocks = Math.max(1, Math.ceilDiv(Operands.packs(send), (long) ExchangeKernels.THREADS));
        LaunchConfig config = LaunchConfig.grid(Math.toIntExact(blocks)).block(ExchangeKernels.THREADS);
        long strideNumbers = stride / (wide ? Double.BYTES : Float.BYTES);
        return queue.transferOfKernels(communicator, launcher -> {
            exchange.run(launcher, send, landing);
            launcher.launch(
                    kernel,
                    config,
                    numbers,
                    group.length,
                    root,
                    Ptr.of(send),
                    Ptr.of(landing),
                    strideNumbers,
                    Ptr.of(sum));
        });
    }

    private int ranks() {
        return memory.parts().size();
    }

    /** Returns the rank of a root, if all is right. */
    private int root(String operation, int[] group, int root) {
        nonNull(group, operation, "group");
        boolean valid = IntStream.of(group).allMatch(rank -> rank >= 0 && rank < ranks())
                && IntStream.of(group).distinct().count() == group.length
                && IntStream.of(group).anyMatch(rank -> rank == memory.rank());
        if (!valid || root < 0 || root >= group.length) {
            throw new IllegalArgumentException(operation + " on rank " + memory.rank() + " of "
                    + ranks() + ": root " + root + " of " + Arrays.toString(group)
                    + "; a group has different ranks, this one among them, and its root is one of its places");
        }
        return group[root];
    }

    private KernelExchange exchange(long[] plan, String operation, long received) {
        if (received > most) {
            throw new IllegalArgumentException(operation + " on rank " + memory.rank() + " of " + ranks() + ": "
                    + received + " bytes arrive, there is memory for " + most);
        }
        return exchanges.computeIfAbsent(
                LongBuffer.wrap(plan),
                _ -> KernelExchange.planned(compute, queue, runner, memory, most, plan, received));
    }
}
