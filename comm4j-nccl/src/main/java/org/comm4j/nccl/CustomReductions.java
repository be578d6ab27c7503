// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.Buffer;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * The reductions with a {@link PreMulSum}: made by {@link NcclCommunicator#with(PreMulSum)}. All stream-ordered, with
 * the arguments of the methods of the same name of {@link NcclCommunicator}. For any thread. In groups:
 * {@link Group#on(CustomReductions, Stream)}.
 */
public final class CustomReductions {
    private final NcclCommunicator communicator;
    private final PreMulSum sum;
    private final Call call;
    private final Way way;

    CustomReductions(NcclCommunicator communicator, PreMulSum sum) {
        if (sum.communicator() != communicator) {
            throw new IllegalArgumentException(sum + " was made on another communicator than " + communicator);
        }
        this.communicator = communicator;
        this.sum = sum;
        this.call = new Call(communicator.rank(), communicator.size());
        this.way = new Way(this::check, sum::usedIn, this::enqueue, null, null);
    }

    /** {@code ncclAllReduce} with the sum. */
    public synchronized void allReduce(Buffer send, Buffer recv, Stream stream) {
        run(call.allReduce(send, recv, ReduceOp.SUM), stream);
    }

    /** {@code ncclReduce} with the sum. */
    public synchronized void reduce(Buffer send, @Nullable Buffer recv, int root, Stream stream) {
        run(call.reduce(send, recv, ReduceOp.SUM, root), stream);
    }

    /** {@code ncclReduceScatter} with the sum. */
    public synchronized void reduceScatter(Buffer send, Buffer recv, Stream stream) {
        run(call.reduceScatter(send, recv, ReduceOp.SUM), stream);
    }

    private void run(Call call, Stream stream) {
        communicator.enqueueAs(way, call, stream);
    }

    NcclCommunicator communicator() {
        return communicator;
    }

    /** For groups. */
    Way way() {
        return way;
    }

    private void check(Call call) {
        if (call.op() != ReduceOp.SUM) {
            throw new UnsupportedOperationException(call.kind().method() + " on " + communicator.where() + ": " + sum
                    + " is for allReduce, reduce and reduceScatter, where it stands for SUM");
        }
        if (call.type() != sum.type()) {
            throw new IllegalArgumentException(call.kind().method() + " on " + communicator.where() + ": " + sum
                    + " does not fit buffers of " + call.type());
        }
        // Throws if it was closed.
        sum.op();
    }

    private void enqueue(Call call, CUstream queue) {
        communicator.submission.enqueue(call, sum.op(), queue);
    }
}
