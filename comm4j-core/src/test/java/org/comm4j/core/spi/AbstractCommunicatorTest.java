// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Order, groups, failures and end, with an engine that writes down what it is asked to do. */
class AbstractCommunicatorTest {
    private static final HostArray X = HostArray.of(1, 2);

    /** Rank 0 of 2. */
    private static final class Recorder extends AbstractCommunicator {
        final List<String> log = Collections.synchronizedList(new ArrayList<>());
        volatile boolean silent;
        volatile @Nullable CountDownLatch gate;
        volatile @Nullable Throwable failure;
        volatile Call seen = new Call(0, 2);

        Recorder() {
            super("recorder", 0, 2);
        }

        private void happens(Object what) {
            CountDownLatch latch = gate;
            if (latch != null) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            Throwable thrown = failure;
            if (thrown instanceof RuntimeException e) {
                throw e;
            } else if (thrown instanceof Error e) {
                throw e;
            }
            if (!silent) {
                log.add(what.toString());
            }
        }

        @Override
        protected void execute(Call call) {
            seen = call;
            happens(silent ? call : call.toString());
        }

        @Override
        protected void executeGroup(List<Call> calls) {
            seen = calls.getLast();
            happens(calls);
        }

        @Override
        protected @Nullable Communicator executeSplit(Call call, int color, int key) {
            happens("split " + color + " " + key);
            return null;
        }

        @Override
        public List<Integer> failedRanks() {
            return List.of();
        }

        @Override
        protected Communicator executeShrink() {
            happens("shrink");
            return new Recorder();
        }

        @Override
        protected void release() {
            log.add("release");
        }

        @Override
        public HostArray allocate(DataType type, long count) {
            return HostArray.allocate(type, count);
        }
    }

    @Test
    void callsReachTheEngineInOrder() {
        Recorder comm = new Recorder();
        comm.gate = new CountDownLatch(1);
        Request first = comm.allReduceAsync(X, X, ReduceOp.SUM);
        Request second = comm.broadcastAsync(X, 1);
        assertThat(first.isDone()).isFalse();
        assertThat(first).hasToString("Request[allReduce(send 2 x INT32, recv 2 x INT32, SUM)], under way");
        comm.gate.countDown();
        comm.barrier();
        assertThat(second.isDone()).isTrue();
        assertThat(comm.split(3, -1)).isNull();
        comm.close();
        comm.close();
        assertThat(comm.log)
                .containsExactly(
                        "allReduce(send 2 x INT32, recv 2 x INT32, SUM)",
                        "broadcast(recv 2 x INT32, root 1)",
                        "barrier()",
                        "split 3 -1",
                        "release");
    }

    @Test
    void groupsAreOneCallUnlessTheyAreNone() {
        Recorder comm = new Recorder();
        HostArray y = HostArray.of(1, 2);
        comm.group(g -> {});
        comm.group(g -> g.broadcast(X, 1));
        comm.group(g -> g.send(X, 1));
        comm.group(g -> {
            g.send(X, 1);
            g.allReduce(y, y, ReduceOp.SUM);
        });
        assertThat(comm.log)
                .containsExactly(
                        "broadcast(recv 2 x INT32, root 1)",
                        "[send(send 2 x INT32, peer 1)]",
                        "[send(send 2 x INT32, peer 1), allReduce(send 2 x INT32, recv 2 x INT32, SUM)]");
    }

    /** The caller may change its arrays as soon as an asynchronous call has returned. */
    @Test
    void asynchronousCallsKeepTheirOwnCounts() {
        Recorder comm = new Recorder();
        comm.gate = new CountDownLatch(1);
        long[] counts = {2, 2};
        Request request = comm.allGatherVAsync(X, HostArray.allocate(DataType.INT32, 4), counts, new long[] {0, 2});
        counts[0] = 99;
        comm.gate.countDown();
        request.await();
        assertThat(comm.seen.recvCounts()).containsExactly(2, 2);
    }

    @Test
    void failureOfTheOtherRankEndsTheCommunicator() {
        for (CommException failure :
                List.of(new RankFailedException(1, "rank 1 is gone"), new CommTimeoutException("rank 1 is late"))) {
            Recorder comm = new Recorder();
            comm.failure = failure;
            Request request = comm.allReduceAsync(X, X, ReduceOp.SUM);
            assertThatThrownBy(request::await).isSameAs(failure);
            assertThatThrownBy(() -> request.await(Duration.ofSeconds(1))).isSameAs(failure);
            comm.failure = null;
            assertThatThrownBy(comm::barrier)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("out of step")
                    .hasMessageContaining(failure.getMessage())
                    .hasCause(failure);
            assertThatThrownBy(comm::barrierAsync).hasMessageContaining("out of step");
            assertThatThrownBy(() -> comm.group(g -> g.send(X, 1))).hasMessageContaining("out of step");
            comm.close();
            assertThat(comm.log).containsExactly("release");
        }
    }

    /** What was submitted behind a call that failed is not executed. */
    @Test
    void requestsBehindAFailureFail() {
        Recorder comm = new Recorder();
        comm.gate = new CountDownLatch(1);
        comm.failure = new RankFailedException(1, "rank 1 is gone");
        comm.barrierAsync();
        Request behind = comm.barrierAsync();
        comm.gate.countDown();
        assertThatThrownBy(behind::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rank 1 is gone");
    }

    @Test
    void otherFailuresDoNotEndTheCommunicator() {
        Recorder comm = new Recorder();
        comm.failure = new IllegalCallerException("engine says no");
        assertThatThrownBy(comm::barrier).isSameAs(comm.failure);
        Request request = comm.barrierAsync();
        assertThatThrownBy(request::await).isSameAs(comm.failure);
        comm.failure = new StackOverflowError();
        Request error = comm.barrierAsync();
        assertThatThrownBy(error::await).isSameAs(comm.failure);
        comm.failure = null;
        comm.barrier();
        assertThat(comm.log).containsExactly("barrier()");
    }

    /** In the body of a group the communicator's own methods would run before it, out of order. */
    @Test
    void theBodyOfAGroupCallsOnlyWhatItWasGiven() {
        Recorder comm = new Recorder();
        Map<String, Runnable> calls = Map.of(
                "allReduce", () -> comm.allReduce(X, X, ReduceOp.SUM),
                "barrier", comm::barrier,
                "split", () -> comm.split(0, 0),
                "barrierAsync", comm::barrierAsync,
                "group", () -> comm.group(g -> {}));
        calls.forEach((name, call) -> {
            for (boolean async : new boolean[] {false, true}) {
                Consumer<Operations> body = g -> {
                    g.send(X, 1);
                    call.run();
                };
                assertThatThrownBy(() -> {
                            if (async) {
                                comm.groupAsync(body);
                            } else {
                                comm.group(body);
                            }
                        })
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll(name + " on rank 0 of 2", "body of a group", "before or after");
            }
        });
        assertThat(comm.log).isEmpty();
        // Other threads may go on meanwhile, and this one afterwards.
        comm.group(g -> {
            g.send(X, 1);
            CompletableFuture.runAsync(comm::barrier).join();
        });
        comm.barrier();
        assertThat(comm.log).containsExactly("barrier()", "[send(send 2 x INT32, peer 1)]", "barrier()");
    }

    /** A recording is read when something went wrong, so what went wrong is in it. */
    @Test
    void callsThatFailAreRecordedWithTheirOutcome(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(CommunicationEvent.NAME);
            recording.start();
            for (Throwable failure : List.of(
                    new CommTimeoutException("rank 1 is late"),
                    new IllegalCallerException("no"),
                    new StackOverflowError())) {
                Recorder comm = new Recorder();
                comm.barrier();
                comm.failure = failure;
                assertThatThrownBy(() -> comm.allReduce(X, X, ReduceOp.SUM)).isSameAs(failure);
                Recorder other = new Recorder();
                other.failure = failure;
                assertThatThrownBy(() -> other.group(g -> {
                            g.send(X, 1);
                            g.recv(HostArray.of(1), 1);
                        }))
                        .isSameAs(failure);
            }
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().equals(CommunicationEvent.NAME))
                        .map(event -> event.getString("operation") + " " + event.getString("outcome")))
                .containsExactly(
                        "barrier ",
                        "allReduce CommTimeoutException: rank 1 is late",
                        "send CommTimeoutException: rank 1 is late",
                        "recv CommTimeoutException: rank 1 is late",
                        "barrier ",
                        "allReduce IllegalCallerException: no",
                        "send IllegalCallerException: no",
                        "recv IllegalCallerException: no",
                        "barrier ",
                        "allReduce StackOverflowError: null",
                        "send StackOverflowError: null",
                        "recv StackOverflowError: null");
    }

    /** Shrinking comes after what is under way, also when that has failed; then only close is left. */
    @Test
    void shrunk() {
        Recorder comm = new Recorder();
        comm.timeout(Duration.ofSeconds(7));
        comm.gate = new CountDownLatch(1);
        Request request = comm.barrierAsync();
        comm.failure = new RankFailedException(1, "rank 1 died");
        comm.gate.countDown();
        assertThatThrownBy(comm::shrink).isSameAs(comm.failure);
        assertThatThrownBy(request::await).isSameAs(comm.failure);
        assertThatThrownBy(comm::barrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("out of step");
        comm.failure = null;
        Communicator rest = comm.shrink();
        assertThat(comm.log).containsExactly("shrink");
        assertThat(rest.timeout()).isEqualTo(Duration.ofSeconds(7));
        rest.barrier();
        assertThatThrownBy(comm::barrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("barrier on rank 0 of 2: this communicator was shrunk; close it and use the one that shrink"
                        + " returned");
        assertThatThrownBy(() -> comm.group(g -> comm.shrink())).hasMessageContaining("the body of a group");
        comm.close();
        assertThatThrownBy(comm::shrink)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shrink on rank 0 of 2")
                .hasMessageContaining("is closed");
    }

    @Test
    void interruptedAwait() {
        Recorder comm = new Recorder();
        comm.gate = new CountDownLatch(1);
        Request request = comm.barrierAsync();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> request.await(Duration.ofSeconds(10)))
                .isInstanceOf(CommException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        comm.gate.countDown();
        request.await();
    }

    /** The way from the public method to the engine and back allocates nothing. */
    @Test
    void blockingCallsAllocateNothing() {
        Recorder comm = new Recorder();
        comm.silent = true;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                comm.allReduce(X, X, ReduceOp.SUM);
                comm.broadcast(X, 1);
                comm.send(X, 1);
                comm.barrier();
            }
            best = Math.min(best, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(best).isLessThan(1000);
    }
}
