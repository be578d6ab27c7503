// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Each family of calls by two threads, while a third one closes each thing that the calls use: whoever comes too late gets an exception, and
 * NCCL is never called with what is gone. The simulated libraries end the process if it is.
 */
final class CloseStress {
    /** Calls of each thread before something is closed, at most. */
    private static final int CALLS = 50;

    private final Device device;
    private final Map<String, Throwable> wrong = new ConcurrentHashMap<>();
    private long rounds;

    CloseStress(Device device) {
        this.device = device;
    }

    /** What the calls of one round use. */
    private static final class Things {
        final NcclCommunicator comm;
        final Stream stream;
        final DeviceArray x;
        final DeviceArray y;
        /** Null where NCCL makes none. */
        final @Nullable Window window;

        final PreMulSum sum;
        final DeviceCommunicator kernels;
        final Registration registration;

        Things(Device device) {
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

        Map<String, Runnable> families() {
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("stream-ordered", () -> comm.allReduce(x, y, ReduceOp.SUM, stream));
            calls.put("blocking", () -> comm.broadcast(x, y, 0));
            calls.put("group", () -> comm.group(g -> g.allReduce(x, y, ReduceOp.SUM), stream));
            calls.put(
                    "asynchronous",
                    () -> comm.allReduceAsync(x, y, ReduceOp.SUM).await());
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

        Map<String, Runnable> closers() {
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

        void close() {
            comm.close();
            stream.close();
            x.close();
            y.close();
        }
    }

    /** Runs until every family has met every close, and the time is over. */
    void run(Duration time) {
        List<String[]> pairs = pairs();
        long end = System.nanoTime() + time.toNanos();
        do {
            Collections.shuffle(pairs);
            for (String[] pair : pairs) {
                round(pair[0], pair[1]);
            }
        } while (System.nanoTime() < end);
        System.out.println(rounds + " rounds of " + pairs.size() + " pairs of calls and closes");
        assertThat(wrong).isEmpty();
    }

    private List<String[]> pairs() {
        Things things = new Things(device);
        List<String[]> pairs = new ArrayList<>();
        for (String family : things.families().keySet()) {
            for (String closer : things.closers().keySet()) {
                pairs.add(new String[] {family, closer});
            }
        }
        things.close();
        return pairs;
    }

    private void round(String family, String closer) {
        Things things = new Things(device);
        Runnable call = things.families().get(family);
        Runnable close = things.closers().get(closer);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < CALLS || !over.get(); n++) {
                    attempt(family + " while closing: " + closer, call);
                }
            }));
        }
        int delay = (int) (rounds++ % 20);
        for (int i = 0; i < 100 * delay; i++) {
            Thread.onSpinWait();
        }
        attempt("close of " + closer + " in calls: " + family, close);
        over.set(true);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
        things.close();
    }

    private void attempt(String what, Runnable call) {
        try {
            call.run();
        } catch (IllegalStateException | CommException tooLate) {
            return;
        } catch (Throwable e) {
            wrong.putIfAbsent(what, e);
        }
    }
}
