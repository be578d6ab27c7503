// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.nccl.NcclBody.contents;
import static org.comm4j.nccl.NcclBody.sumOfRanks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How communicators come to be and end, when something goes wrong meanwhile, over simulated GPUs. */
@Timeout(20)
class LifeCycleTest {
    private static final CommConfig NONBLOCKING = CommConfig.DEFAULT.blocking(false);

    @BeforeEach
    void needsTheSimulation() {
        Simulation.require();
    }

    private static <T> CompletableFuture<T> inAnotherThread(Supplier<T> body) {
        return CompletableFuture.supplyAsync(body, task -> Thread.ofPlatform().start(task));
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
    }

    // ---- made ----

    /** Out of memory, say, after NCCL has made its communicators: none of them is left. */
    @ParameterizedTest
    @ValueSource(strings = {"cuStreamCreateWithPriority", "cuMemAlloc_v2"})
    void nothingIsLeftOfCommunicatorsThatCannotBeTakenOver(String function) {
        try (Device first = Device.of(0);
                Device second = Device.of(1);
                Device third = Device.of(2)) {
            Nccl.initAll(first, second, third).forEach(NcclCommunicator::close);
            long comms = Simulation.get("comms");
            long streams = Simulation.get("streams");
            Simulation.fail(function, 2, 1);
            assertThatThrownBy(() -> Nccl.initAll(first, second, third)).isInstanceOf(RuntimeException.class);
            assertThat(Simulation.get("comms")).isEqualTo(comms);
            assertThat(Simulation.get("streams")).isLessThanOrEqualTo(streams + 1);
        }
    }

    /** The limit is one for the whole of it, not only from where all have met. */
    @Test
    void aRankOfTheWorldThatStaysAwayIsMissedAtTheLimit() {
        World.threads(2, world -> {
            if (world.rank() == 0) {
                try (Device device = Device.of(0)) {
                    assertThatThrownBy(
                                    () -> Nccl.communicator(world, device, CommConfig.DEFAULT, Duration.ofMillis(200)))
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageContaining("rank 1");
                }
            }
            world.barrier();
        });
        World.threads(1, world -> {
            try (Device device = Device.of(0)) {
                Nccl.communicator(world, device, CommConfig.DEFAULT, Duration.ZERO)
                        .close();
                Nccl.communicator(world, device, CommConfig.DEFAULT, Duration.ofSeconds(Long.MAX_VALUE))
                        .close();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoeverAbortsEndsTheMakingOfAnotherOne(boolean early) {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(3, NONBLOCKING, comm -> {
            comm.barrier();
            if (comm.rank() == 0) {
                comm.timeout(Duration.ZERO);
                CompletableFuture<Void> aborter = CompletableFuture.runAsync(() -> {
                    sleep(early ? 50 : 300);
                    comm.abort();
                });
                // Rank 1 never comes.
                assertThatThrownBy(() -> comm.shrink(Shrink.DEFAULT, 2))
                        .isInstanceOf(CommException.class)
                        .hasMessageContaining("shrink(DEFAULT, [2]) on rank 0 of 3")
                        .hasMessageContaining("aborted");
                aborter.join();
                over.countDown();
            }
            over.await();
        });
    }

    @Test
    void oneThreadThatForgetsACommunicatorIsToldSo() {
        try (Device first = Device.of(0);
                Device second = Device.of(1)) {
            List<NcclCommunicator> comms = Nccl.initAll(first, second);
            NcclCommunicator comm = comms.getFirst();
            comm.timeout(Duration.ofMillis(200));
            assertThatThrownBy(() -> Nccl.split(List.of(comm), new int[1], new int[1], null))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("split of 1 communicators")
                    .hasMessageContaining("200 ms");
            assertThatThrownBy(comm::barrier)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("out of step");
        }
    }

    // ---- out of use ----

    @Test
    void onlyWhatIsSuspendedIsResumed() {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            assertThatThrownBy(comm::resume)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("resume on rank " + comm.rank() + " of 2")
                    .hasMessageContaining("not suspended");
            comm.suspend();
            assertThatThrownBy(() -> comm.shrink(Shrink.ABORT, 1 - comm.rank())).hasMessageContaining("suspended");
            comm.resume();
            comm.barrier();
            comm.finish();
            assertThatThrownBy(comm::resume).hasMessageContaining("finished");
            assertThatThrownBy(comm::barrier).hasMessageContaining("finished");
            assertThatThrownBy(() -> comm.shrink(Shrink.DEFAULT, 1 - comm.rank()))
                    .hasMessageContaining("finished");
        });
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            comm.revoke();
            assertThatThrownBy(comm::resume).hasMessageContaining("revoked");
            assertThatThrownBy(() -> comm.split(0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("shrink or close it");
        });
    }

    /**
     * What waits inside NCCL for a rank that never comes: nothing goes on beside it, and it is let out before it is
     * aborted.
     */
    @Test
    void aShrinkInVainIsAFailure() {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(3, CommConfig.DEFAULT, comm -> {
            comm.barrier();
            if (comm.rank() == 0) {
                comm.timeout(Duration.ofMillis(200));
                assertThatThrownBy(() -> comm.shrink(Shrink.DEFAULT, 2)).isInstanceOf(CommTimeoutException.class);
                assertThatThrownBy(comm::barrier)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("out of step");
                long revokes = Simulation.count("ncclCommRevoke");
                over.countDown();
                comm.close();
                assertThat(Simulation.count("ncclCommRevoke")).isEqualTo(revokes + 1);
            }
            over.await();
        });
    }

    // ---- ended ----

    /** Whoever waits for a request while another thread aborts hears of that, and of nothing else. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestWhoseCommunicatorIsAborted(boolean blocking) {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(2, CommConfig.DEFAULT.blocking(blocking), comm -> {
            for (int i = 0; i < 100; i++) {
                NcclCommunicator part = comm.split(0, 0);
                if (part == null) {
                    throw new AssertionError("a color has members");
                }
                if (comm.rank() == 0) {
                    DeviceArray x = part.allocate(DataType.FLOAT32, 4);
                    Request request = part.allReduceAsync(x, x, ReduceOp.SUM);
                    CompletableFuture<Throwable> waiting = inAnotherThread(() -> {
                        try {
                            request.await();
                            return new AssertionError("it has ended");
                        } catch (RuntimeException e) {
                            return e;
                        }
                    });
                    part.abort();
                    assertThat(waiting.join())
                            .isInstanceOf(CommException.class)
                            .hasMessageContaining("allReduce")
                            .hasMessageContaining("aborted");
                    assertThat(request.isDone()).isTrue();
                } else {
                    part.abort();
                }
                part.close();
            }
            over.countDown();
        });
    }

    @Test
    void whatAnEndedCommunicatorOwnedIsOfNoUse() {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            for (boolean aborted : new boolean[] {true, false}) {
                NcclCommunicator part = comm.split(0, 0);
                if (part == null) {
                    throw new AssertionError("a color has members");
                }
                Window window = part.registerWindow(part.allocate(DataType.INT8, 4096));
                DeviceCommunicator kernels = part.deviceCommunicator(DeviceRequirements.NONE.lsaBarriers(1));
                comm.barrier();
                if (aborted) {
                    part.abort();
                } else {
                    part.close();
                }
                assertThat(window.isOpen()).isFalse();
                assertThat(kernels.isOpen()).isFalse();
                assertThatThrownBy(window::handle)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("its memory or communicator");
                assertThatThrownBy(kernels::struct)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("its communicator");
                assertThatThrownBy(kernels::resources).isInstanceOf(IllegalStateException.class);
                window.close();
                kernels.close();
                part.close();
                comm.barrier();
            }
        });
    }

    /** A question waits for whoever holds the communicator, and hears that it is closed. */
    @Test
    void questionsDoNotMeetTheEnd() {
        try (Device device = Device.of(0);
                Stream stream = device.newStream()) {
            NcclCommunicator comm = Nccl.initAll(device).getFirst();
            CompletableFuture<RankTeam> question;
            CompletableFuture<MemoryStatistics> statistics;
            comm.lock.lock();
            try {
                question = inAnotherThread(comm::worldTeam);
                statistics = inAnotherThread(comm::memoryStatistics);
                sleep(100);
                assertThat(question).isNotDone();
                assertThat(statistics).isNotDone();
                comm.close();
            } finally {
                comm.lock.unlock();
            }
            assertThatThrownBy(question::join).hasRootCauseInstanceOf(IllegalStateException.class);
            assertThatThrownBy(statistics::join).hasRootCauseInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> comm.synchronize(stream)).isInstanceOf(IllegalStateException.class);
        }
    }

    /**
     * Ranks that live threads made and used, closed by one that did neither: it does not wait for those that it has yet
     * to close.
     */
    @Test
    void oneThreadClosesWhatOthersDrive() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(3);
        List<NcclCommunicator> comms = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> ranks = CompletableFuture.runAsync(() -> World.threads(3, world -> {
            try (Device device = Device.of(world.rank())) {
                NcclCommunicator comm = Nccl.communicator(world, device);
                comm.barrier();
                comms.add(comm);
                made.countDown();
                closed.await();
            }
        }));
        made.await();
        long start = System.nanoTime();
        comms.forEach(NcclCommunicator::close);
        // With a wait for each other rank and phase it is 20 s.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        closed.countDown();
        ranks.join();
    }

    /** Closing memory does not wait for anybody who waits with the communicator's lock, nor does allocating. */
    @Test
    void memoryComesAndGoesWhileACollectiveWaits() {
        CountDownLatch allocated = new CountDownLatch(2);
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            // The simulation counts the bytes of all ranks.
            allocated.countDown();
            allocated.await();
            if (comm.rank() == 0) {
                CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> comm.allReduce(x, x, ReduceOp.SUM));
                while (!comm.lock.isLocked()) {
                    Thread.onSpinWait();
                }
                try {
                    long bytes = Simulation.get("bytes");
                    DeviceArray more = comm.allocate(DataType.FLOAT32, 4);
                    more.close();
                    assertThat(more.isAlive()).isFalse();
                    assertThat(Simulation.get("bytes")).isEqualTo(bytes);
                } finally {
                    over.countDown();
                }
                waiting.join();
            } else {
                over.await();
                comm.allReduce(x, x, ReduceOp.SUM);
            }
        });
    }

    /** What NCCL has given is given back when no array can be made of it. */
    @Test
    void memoryThatCannotBeAnArrayIsGivenBack() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            long bytes = Simulation.get("bytes");
            Simulation.fail("cuPointerGetAttribute", 1, 1);
            assertThatThrownBy(() -> comm.allocate(DataType.FLOAT32, 4)).isInstanceOf(RuntimeException.class);
            assertThat(Simulation.get("bytes")).isEqualTo(bytes);
            expectSum(comm);
        });
    }

    /** A graph that cannot be closed does not keep the communicator open. */
    @Test
    void aGraphThatCannotBeClosed() {
        try (Device device = Device.of(0);
                Stream stream = device.newStream()) {
            long comms = Simulation.get("comms");
            NcclCommunicator comm = Nccl.initAll(device).getFirst();
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            Graph graph = Graph.capture(stream, () -> comm.allReduce(x, x, ReduceOp.SUM, stream));
            Simulation.fail("cuGraphDestroy", 1, 1);
            comm.close();
            assertThat(graph.isOpen()).isFalse();
            assertThat(comm.health.isOpen()).isFalse();
            assertThat(x.isAlive()).isFalse();
            assertThat(Simulation.get("comms")).isEqualTo(comms);
        }
    }

    /**
     * What a call leaves by an error, too: a group of NCCL belongs to the thread, and would take all that comes after
     * it.
     */
    @Test
    void anErrorInTheMiddleOfAGroupEndsIt() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            assertThatThrownBy(() -> Submission.asOne(() -> {
                        throw new StackOverflowError("as a test");
                    }))
                    .isInstanceOf(StackOverflowError.class);
            expectSum(comm);
        });
    }

    // ---- waiting ----

    private static Throwable thrown(Runnable body) {
        try {
            body.run();
            return new AssertionError("it has ended");
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** Whoever waits with a limit of its own hears of a death as well, and not only at the limit. */
    @Test
    void aRankThatDiesEndsAnyWaitForARequest() {
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicReference<Throwable> limited = new AtomicReference<>();
        AtomicReference<Throwable> unlimited = new AtomicReference<>();
        assertThatThrownBy(() -> World.threads(2, world -> {
                    Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device);
                    if (comm.rank() == 1) {
                        waiting.await();
                        throw new IllegalStateException("this rank dies");
                    }
                    DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
                    Request request = comm.allReduceAsync(x, x, ReduceOp.SUM);
                    CompletableFuture<Throwable> one = inAnotherThread(() -> {
                        waiting.countDown();
                        return thrown(() -> request.await(Duration.ofSeconds(15)));
                    });
                    limited.set(one.join());
                    unlimited.set(inAnotherThread(() -> thrown(request::await)).join());
                    comm.abort();
                    comm.close();
                }))
                .hasMessageContaining("this rank dies");
        assertThat(limited.get())
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("allReduce")
                .hasMessageContaining("rank 1 is gone");
        assertThat(unlimited.get()).isInstanceOf(RankFailedException.class);
    }

    /** After some milliseconds whoever waits sleeps: one look at the device between two naps. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoeverWaitsLongSleeps(boolean limited) {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            if (comm.rank() == 0) {
                Request request = comm.allReduceAsync(x, x, ReduceOp.SUM);
                CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                    if (limited) {
                        request.await(Duration.ofSeconds(15));
                    } else {
                        request.await();
                    }
                });
                sleep(100);
                long queries = Simulation.count("cuEventQuery");
                long start = System.nanoTime();
                sleep(200);
                long naps = (System.nanoTime() - start) / 100_000;
                assertThat(Simulation.count("cuEventQuery") - queries).isLessThan(naps + 100);
                over.countDown();
                waiting.join();
            } else {
                over.await();
                comm.allReduce(x, x, ReduceOp.SUM);
            }
        });
    }

    /** The limit of one wait is no failure: the work goes on. */
    @Test
    void whatIsLateCanBeWaitedForAgain() {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            x.fill(1);
            try (Stream stream = comm.device().newStream()) {
                if (comm.rank() == 1) {
                    over.await();
                }
                comm.allReduce(x, x, ReduceOp.SUM, stream);
                if (comm.rank() == 0) {
                    for (int i = 0; i < 2; i++) {
                        assertThatThrownBy(() -> comm.synchronize(stream, Duration.ofMillis(50)))
                                .isInstanceOf(CommTimeoutException.class)
                                .hasMessageContaining("not done after 50 ms")
                                .hasMessageContaining("wait again");
                    }
                    over.countDown();
                }
                comm.synchronize(stream);
                assertThat(contents(x)).containsOnly(2);
                expectSum(comm);
            }
        });
    }

    /** Nothing waits without a limit for what was waited for in vain. */
    @Test
    void whatIsStillLateIsAborted() {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            if (comm.rank() == 0) {
                Stream stream = comm.device().newStream();
                comm.barrier(stream);
                assertThatThrownBy(() -> comm.synchronize(stream, Duration.ofMillis(50)))
                        .isInstanceOf(CommTimeoutException.class);
                long destroyed = Simulation.count("ncclCommDestroy");
                over.countDown();
                comm.close();
                assertThat(Simulation.count("ncclCommDestroy")).isEqualTo(destroyed);
            } else {
                over.await();
                comm.abort();
            }
        });
    }

    // ---- where calls are refused ----

    /** A recording takes what is put into streams; all else is refused before anything is done. */
    @Test
    void whatWaitsIsRefusedInARecording() {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4096);
            Window window = comm.registerWindow(x);
            Request request = comm.barrierAsync();
            Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
            calls.put("allReduce", () -> comm.allReduce(x, x, ReduceOp.SUM));
            calls.put("barrier", comm::barrier);
            calls.put("group", () -> comm.group(g -> g.broadcast(x, 0)));
            calls.put("barrierAsync", comm::barrierAsync);
            calls.put("await of barrier", request::await);
            calls.put("synchronize", () -> comm.synchronize(comm.own));
            calls.put("allocate", () -> comm.allocate(DataType.FLOAT32, 4));
            calls.put("register", () -> comm.register(x));
            calls.put("registerWindow", () -> comm.registerWindow(x));
            calls.put("close of Window", window::close);
            calls.put("deviceCommunicator", () -> comm.deviceCommunicator(DeviceRequirements.NONE));
            calls.put("split", () -> comm.split(0, 0));
            calls.put("shrink", () -> comm.shrink(Shrink.DEFAULT, 1 - comm.rank()));
            calls.put("suspend", comm::suspend);
            calls.put("finish", comm::finish);
            calls.put("close", comm::close);
            try (Stream stream = comm.device().newStream()) {
                Graph.capture(stream, () -> {
                            x.fill(1, stream);
                            calls.forEach((name, call) -> assertThatThrownBy(call)
                                    .as(name)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining(name)
                                    .hasMessageContaining("recording a stream"));
                        })
                        .close();
            }
            assertThat(window.isOpen()).isTrue();
            request.await();
            expectSum(comm);
        });
    }

    /** What is called on the communicator in a group's body would run before the group. */
    @Test
    void theBodyOfAGroupIsForItsOperations() {
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            List<ThrowingCallable> calls = List.of(
                    () -> comm.allReduce(x, x, ReduceOp.SUM),
                    () -> comm.allReduce(x, x, ReduceOp.SUM, comm.own),
                    comm::barrier,
                    () -> comm.group(g -> g.broadcast(x, 0)),
                    () -> comm.split(0, 0));
            comm.group(g -> {
                for (ThrowingCallable call : calls) {
                    assertThatThrownBy(call)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("the body of a group is running");
                }
                g.broadcast(x, 0);
            });
            expectSum(comm);
        });
    }

    /** What was interrupted before does not leave alone what takes no time. */
    @Test
    void anInterruptedThreadClosesToTheEnd() {
        try (Device device = Device.of(0)) {
            long comms = Simulation.get("comms");
            for (int i = 0; i < 20; i++) {
                NcclCommunicator comm = Nccl.initAll(device).getFirst();
                Thread.currentThread().interrupt();
                comm.close();
                assertThat(Thread.interrupted()).isTrue();
                assertThat(Simulation.get("comms")).isEqualTo(comms);
            }
        }
    }

    /** What NCCL has against it is told, and the rest goes on. */
    @Test
    void aFailureOfTheEnd() {
        try (Device device = Device.of(0)) {
            NcclCommunicator comm = Nccl.initAll(device).getFirst();
            comm.allocate(DataType.FLOAT32, 10);
            Simulation.fail("ncclCommDestroy", LibNccl.ncclSystemError, 1);
            long aborts = Simulation.count("ncclCommAbort");
            comm.close();
            comm.close();
            // What is gone, perhaps, is not ended again.
            assertThat(Simulation.count("ncclCommAbort")).isEqualTo(aborts);
        }
    }

    // ---- arguments ----

    @Test
    void limitsThatAreNone() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            assertThatThrownBy(() -> comm.timeout(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("timeout on rank 0 of 1 (GPU 0)");
            assertThatThrownBy(() -> comm.timeout(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("timeout on rank 0 of 1 (GPU 0)")
                    .hasMessageContaining("negative");
            assertThatThrownBy(() -> comm.synchronize(comm.own, Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("synchronize on rank 0");
            assertThatThrownBy(() -> comm.synchronize(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("synchronize on rank 0");
            assertThatThrownBy(() -> comm.barrierAsync().await(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("barrier on rank 0");
            List<UniqueId> ids = List.of(UniqueId.create());
            assertThatThrownBy(() -> Nccl.communicator(comm.device(), 2, 1, ids, NONBLOCKING, Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("communicator on rank 1 of 2");
            assertThatThrownBy(() -> Nccl.communicator(comm.device(), 2, 1, ids, NONBLOCKING, null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("communicator on rank 1 of 2");
        });
    }

    @Test
    void aConfigurationThatIsNone() {
        try (Device device = Device.of(0)) {
            List<UniqueId> ids = List.of(UniqueId.create());
            List<ThrowingCallable> calls = List.of(
                    () -> Nccl.communicator(device, 1, 0, ids, null, Duration.ZERO),
                    () -> Nccl.join(device, ids.getFirst(), 2, 1, null, Duration.ZERO),
                    () -> Nccl.initAll((CommConfig) null, device),
                    () -> World.threads(1, world -> Nccl.communicator(world, device, null)));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call)
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("config is null; CommConfig.DEFAULT");
            }
        }
    }

    // ---- several ids, revoked, suspended, finished ----

    private static void expectSum(NcclCommunicator comm) {
        DeviceArray x = comm.allocate(DataType.FLOAT32, 3);
        x.fill(comm.rank() + 1);
        comm.allReduce(x, x, ReduceOp.SUM);
        assertThat(contents(x)).containsOnly(sumOfRanks(comm.size()));
    }

    /** Thousands of ranks start faster with several ids, of which all ranks have all. */
    @Test
    void severalIds() {
        List<UniqueId> ids = List.of(UniqueId.create(), UniqueId.create(), UniqueId.create());
        World.threads(3, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(
                            device, 3, world.rank(), ids, CommConfig.DEFAULT, Duration.ofSeconds(20))) {
                assertThat(comm.rank()).isEqualTo(world.rank());
                expectSum(comm);
                assertThatThrownBy(
                                () -> Nccl.communicator(device, 2, 0, ids, CommConfig.DEFAULT, Duration.ofSeconds(20)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("3 ids for 2 ranks");
            }
        });
        assertThat(Simulation.get("lastIds")).isEqualTo(3);
    }

    /** Another thread ends what a rank waits for; what is left of the communicator is enough for its successors. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void revoked(boolean blocking) {
        CountDownLatch over = new CountDownLatch(2);
        Simulation.ranks(3, CommConfig.DEFAULT.blocking(blocking), comm -> {
            comm.barrier();
            if (comm.rank() == 2) {
                over.await();
                return;
            }
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            comm.allReduce(x, x, ReduceOp.SUM, comm.own);
            assertThat(comm.own.isDone()).isFalse();
            CompletableFuture.runAsync(comm::revoke).join();
            // The stream is free, and nothing can be added.
            comm.synchronize(comm.own, Duration.ofSeconds(20));
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, comm.own))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("revoked");
            assertThatThrownBy(comm::barrier).hasMessageContaining("revoked");
            assertThatThrownBy(() -> comm.group(g -> g.broadcast(x, 0))).hasMessageContaining("revoked");
            assertThatThrownBy(comm::resume)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("revoked");
            assertThatThrownBy(comm::barrier).hasMessageContaining("revoked");
            try (NcclCommunicator rest = comm.shrink(Shrink.DEFAULT, 2)) {
                expectSum(rest);
            }
            over.countDown();
        });
    }

    /** Only what was suspended can be resumed: a failure, a revocation and the end are for good. */
    @Test
    void resumedOutOfTurn() {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            assertThatThrownBy(comm::resume)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not suspended");
            comm.suspend();
            comm.resume();
            assertThatThrownBy(comm::resume).hasMessageContaining("not suspended");
            expectSum(comm);
            NcclCommunicator finished = Objects.requireNonNull(comm.split(0, 0));
            finished.finish();
            assertThatThrownBy(finished::resume).hasMessageContaining("finished");
            assertThatThrownBy(finished::barrier).hasMessageContaining("finished");
            finished.close();
            comm.suspend();
            assertThatThrownBy(comm::suspend).hasMessageContaining("resume it first");
            comm.resume();
            if (comm.rank() == 1) {
                over.await();
                return;
            }
            comm.timeout(Duration.ofMillis(50));
            assertThatThrownBy(comm::barrier).isInstanceOf(CommTimeoutException.class);
            assertThatThrownBy(comm::resume).hasMessageContaining("out of step");
            assertThatThrownBy(comm::barrier).hasMessageContaining("out of step");
            over.countDown();
        });
    }

    @Test
    void whatNcclHolds() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            assertThat(comm.memoryStatistics()).isEqualTo(new MemoryStatistics(1000, false, 3000, 4000));
            comm.abort();
            assertThatThrownBy(comm::memoryStatistics).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(comm::suspend).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(comm::resume).hasMessageContaining("aborted");
            assertThatThrownBy(comm::revoke).hasMessageContaining("aborted");
            assertThatThrownBy(comm::error).hasMessageContaining("aborted");
        });
    }
}
