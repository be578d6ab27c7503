// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.CloseStress;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What calls of NCCL use, and what can be closed meanwhile. The simulated libraries end the process if they meet what
 * is gone.
 */
final class CloseThings implements CloseStress.Things {
    final NcclCommunicator comm;
    final Stream stream;
    final DeviceArray x;
    final DeviceArray y;
    /** Null where NCCL makes none. */
    final @Nullable Window window;

    final PreMulSum sum;
    final DeviceCommunicator kernels;
    final Registration registration;

    CloseThings(Device device) {
        comm = Nccl.initAll(device).getFirst();
        stream = device.newStream();
        x = comm.allocate(DataType.FLOAT32, 4096);
        y = comm.allocate(DataType.FLOAT32, 4096);
        window = window();
        sum = comm.preMulSum(DataType.FLOAT32, 2);
        kernels = comm.deviceCommunicator(DeviceRequirements.NONE.lsaBarriers(1));
        registration = comm.register(y);
    }

    private @Nullable Window window() {
        try {
            return comm.registerWindow(x);
        } catch (UnsupportedOperationException e) {
            return null;
        }
    }

    @Override
    public Map<String, Runnable> calls() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("stream-ordered", () -> comm.allReduce(x, y, ReduceOp.SUM, stream));
        calls.put("blocking", () -> comm.broadcast(x, y, 0));
        calls.put("group", () -> comm.group(g -> g.allReduce(x, y, ReduceOp.SUM), stream));
        calls.put("asynchronous", () -> comm.allReduceAsync(x, y, ReduceOp.SUM).await());
        calls.put("sum of one's own", () -> comm.with(sum).allReduce(x, y, stream));
        calls.put("synchronize", () -> comm.synchronize(stream));
        calls.put("query", () -> assertThat(comm.worldTeam().size()).isOne());
        calls.put("error", () -> assertThat(comm.error()).isNull());
        calls.put("handles", () -> {
            assertThat(window == null || !window.handle().isNull()).isTrue();
            assertThat(kernels.struct().byteSize()).isPositive();
        });
        calls.put("memory", () -> comm.allocate(DataType.FLOAT32, 16).close());
        calls.put("register", () -> comm.register(x).close());
        if (window != null) {
            calls.put("registerWindow", () -> comm.registerWindow(y).close());
        }
        calls.put(
                "deviceCommunicator",
                () -> comm.deviceCommunicator(DeviceRequirements.NONE).close());
        calls.put("split", () -> {
            NcclCommunicator part = comm.split(0, 0);
            if (part != null) {
                part.close();
            }
        });
        return calls;
    }

    @Override
    public Map<String, Runnable> closers() {
        Map<String, Runnable> closers = new LinkedHashMap<>();
        closers.put("communicator", comm::close);
        closers.put("abort", comm::abort);
        closers.put("revoke", comm::revoke);
        closers.put("stream", stream::close);
        closers.put("memory", x::close);
        if (window != null) {
            closers.put("window", window::close);
        }
        closers.put("sum", sum::close);
        closers.put("device communicator", kernels::close);
        closers.put("registration", registration::close);
        return closers;
    }

    @Override
    public void close(String closed) {
        comm.close();
        stream.close();
        x.close();
        y.close();
    }
}
