// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.stream.LongStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Ptr;
import org.jspecify.annotations.Nullable;

/** Messages by {@link ExchangeKernels}, a kernel for an exchange. */
final class KernelExchange implements Exchange {
    private final KernelQueue queue;
    private final ExchangeKernels.Space space;
    private final Buffer landing;
    private final long received;
    private final I64Ptr plan;
    private final CompiledKernel kernel;
    private final LaunchConfig config;

    /**
     * Plans messages.
     *
     * @param most bytes that the rank that receives most receives
     * @param table memory of kernels with {@link ExchangeKernels#plan}
     * @param received bytes of all messages to this rank
     */
    KernelExchange(KernelQueue queue, KernelRunner runner, PeerMemory memory, long most, Buffer table, long received) {
        this.queue = queue;
        this.received = received;
        space = ExchangeKernels.space(memory, most);
        landing = ExchangeKernels.landing(memory);
        plan = I64Ptr.of(table);
        kernel = runner.compiled("Exchange.run");
        config = LaunchConfig.grid(space.ranks() * space.blocks()).block(ExchangeKernels.THREADS);
    }

    /**
     * Collective: returns planned messages, or null on all ranks if kernels do not reach the memory of all.
     *
     * @param compute whose memory the plan takes
     * @param beside whether they travel beside what is computed
     */
    static @Nullable KernelExchange of(
            Compute compute,
            KernelQueue queue,
            KernelRunner runner,
            Communicator communicator,
            boolean beside,
            long most,
            long[] sent,
            long[] received) {
        PeerMemory memory = queue.exchangeMemory(communicator, beside, ExchangeKernels.length(most));
        if (memory == null) {
            return null;
        }
        long[] plan = ExchangeKernels.plan(sent, received);
        return planned(
                compute,
                queue,
                runner,
                memory,
                most,
                plan,
                LongStream.of(received).sum());
    }

    /** Returns messages by a plan, for which {@code compute} has memory. */
    static KernelExchange planned(
            Compute compute,
            KernelQueue queue,
            KernelRunner runner,
            PeerMemory memory,
            long most,
            long[] plan,
            long received) {
        Buffer table = compute.buffer(DataType.INT64, plan.length);
        table.copyFrom(HostArray.of(plan));
        return new KernelExchange(queue, runner, memory, most, table, received);
    }

    @Override
    public Buffer landing(DataType type) {
        return landing.view(type).slice(0, received / type.bytes());
    }

    @Override
    public void run(Buffer send, Buffer recv) {
        run(queue, send, recv);
    }

    /** Returns these messages, of two buffers, as what travels beside what is computed. */
    Transfer beside(Communicator communicator, Buffer send, Buffer recv) {
        return queue.transferOfKernels(communicator, launcher -> run(launcher, send, recv));
    }

    /** Launches the exchange elsewhere than in this queue's order. */
    void run(KernelLauncher launcher, Buffer send, Buffer recv) {
        int alignment = (int) (send.address() | recv.address()) & ExchangeKernels.PACK - 1;
        int copies = recv.address() == landing.address() ? 0 : 1;
        launcher.launch(
                kernel, config, space, plan, Ptr.of(send).asI8(), Ptr.of(recv).asI8(), alignment, copies);
    }
}
