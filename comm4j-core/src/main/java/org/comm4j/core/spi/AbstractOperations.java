// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import org.comm4j.core.Buffer;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/** Every operation as one checked {@link Call}: what communicators and the bodies of groups have in common. */
public abstract class AbstractOperations implements Operations {
    protected AbstractOperations() {}

    /**
     * Begins an operation.
     *
     * @return what is then checked and filled in
     * @throws IllegalStateException if there can be no operation now; {@link #done} is not called then
     */
    protected abstract Call begin(String operation);

    /** Does, or remembers, what a checked call says. */
    protected abstract void run(Call call);

    /** Follows every {@link #begin} that succeeded, whether or not the call could be run. */
    protected void done() {}

    @Override
    public final void allReduce(Buffer send, Buffer recv, ReduceOp op) {
        Call call = begin("allReduce");
        try {
            run(call.allReduce(send, recv, op));
        } finally {
            done();
        }
    }

    @Override
    public final void reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root) {
        Call call = begin("reduce");
        try {
            run(call.reduce(send, recv, op, root));
        } finally {
            done();
        }
    }

    @Override
    public final void broadcast(@Nullable Buffer send, Buffer recv, int root) {
        Call call = begin("broadcast");
        try {
            run(call.broadcast(send, recv, root));
        } finally {
            done();
        }
    }

    @Override
    public final void allGather(Buffer send, Buffer recv) {
        Call call = begin("allGather");
        try {
            run(call.allGather(send, recv));
        } finally {
            done();
        }
    }

    @Override
    public final void allGatherV(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        Call call = begin("allGatherV");
        try {
            run(call.allGatherV(send, recv, counts, offsets));
        } finally {
            done();
        }
    }

    @Override
    public final void reduceScatter(Buffer send, Buffer recv, ReduceOp op) {
        Call call = begin("reduceScatter");
        try {
            run(call.reduceScatter(send, recv, op));
        } finally {
            done();
        }
    }

    @Override
    public final void allToAll(Buffer send, Buffer recv) {
        Call call = begin("allToAll");
        try {
            run(call.allToAll(send, recv));
        } finally {
            done();
        }
    }

    @Override
    public final void allToAllV(
            Buffer send, long[] sendCounts, long[] sendOffsets, Buffer recv, long[] recvCounts, long[] recvOffsets) {
        Call call = begin("allToAllV");
        try {
            run(call.allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets));
        } finally {
            done();
        }
    }

    @Override
    public final void gather(Buffer send, @Nullable Buffer recv, int root) {
        Call call = begin("gather");
        try {
            run(call.gather(send, recv, root));
        } finally {
            done();
        }
    }

    @Override
    public final void scatter(@Nullable Buffer send, Buffer recv, int root) {
        Call call = begin("scatter");
        try {
            run(call.scatter(send, recv, root));
        } finally {
            done();
        }
    }

    @Override
    public final void send(Buffer buffer, int peer) {
        Call call = begin("send");
        try {
            run(call.send(buffer, peer));
        } finally {
            done();
        }
    }

    @Override
    public final void recv(Buffer buffer, int peer) {
        Call call = begin("recv");
        try {
            run(call.recv(buffer, peer));
        } finally {
            done();
        }
    }
}
