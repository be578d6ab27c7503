// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations that are recorded once and run several times. */
class GraphContract {
    private static final int LAUNCHES = 20;
    private static final int COUNT = 300;

    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();
    private final int next = (me + 1) % n;
    private final int previous = (me + n - 1) % n;
    private Stream stream;

    @BeforeEach
    void stream() {
        stream = shmem.device().newStream();
    }

    @AfterEach
    void end() {
        shmem.synchronize(stream);
        stream.close();
        shmem.barrierAll();
    }

    @Test
    void putsAndSignals() {
        try (SymmetricArray from = shmem.allocate(DataType.INT32, COUNT);
                SymmetricArray to = shmem.allocate(DataType.INT32, COUNT);
                SymmetricArray back = shmem.allocate(DataType.INT32, COUNT);
                SymmetricArray signal = shmem.allocate(DataType.UINT64, 1);
                SymmetricArray sum = shmem.allocate(DataType.INT64, 1)) {
            shmem.barrierAll();
            try (Graph graph = Graph.capture(stream, () -> {
                        shmem.putSignal(to, from, signal, 0, 1, SignalOp.SET, next, stream);
                        shmem.signalWaitUntil(signal, 0, Comparison.EQ, 1, stream);
                        signal.fill(0, stream);
                        shmem.get(back, to, next, stream);
                        shmem.atomicAdd(sum, 0, 2, next, stream);
                        shmem.barrierAll(stream);
                    });
                    GraphExec exec = graph.instantiate()) {
                for (int launch = 0; launch < LAUNCHES; launch++) {
                    from.copyFrom(Data.bits(DataType.INT32, COUNT, me, launch));
                    shmem.barrierAll();
                    exec.launch(stream);
                    shmem.synchronize(stream);
                    Data.assertSame(to.toHost(), Data.bits(DataType.INT32, COUNT, previous, launch), "put " + launch);
                    Data.assertSame(back.toHost(), Data.bits(DataType.INT32, COUNT, me, launch), "get " + launch);
                    assertThat(shmem.g(sum, 0, me)).isEqualTo(2L * launch + 2);
                    shmem.barrierAll();
                }
            }
        }
    }

    @Test
    void whatIsBegunEndsInTheGraph() {
        try (SymmetricArray from = shmem.allocate(DataType.INT32, COUNT);
                SymmetricArray to = shmem.allocate(DataType.INT32, COUNT)) {
            shmem.quiet();
            shmem.barrierAll();
            try (Graph graph = Graph.capture(stream, () -> {
                        shmem.putNbi(to, from, next, stream);
                        shmem.quiet(stream);
                        shmem.barrierAll(stream);
                    });
                    GraphExec exec = graph.instantiate()) {
                for (int launch = 0; launch < LAUNCHES; launch++) {
                    from.copyFrom(Data.bits(DataType.INT32, COUNT, me, launch));
                    shmem.barrierAll();
                    exec.launch(stream);
                    shmem.synchronize(stream);
                    Data.assertSame(to.toHost(), Data.bits(DataType.INT32, COUNT, previous, launch), "put " + launch);
                    shmem.barrierAll();
                }
            }
        }
    }

    @Test
    void collectives() {
        Team team = shmem.world();
        try (SymmetricArray x = shmem.allocate(DataType.FLOAT64, COUNT);
                SymmetricArray sum = shmem.allocate(DataType.FLOAT64, COUNT);
                SymmetricArray inPlace = shmem.allocate(DataType.FLOAT64, COUNT);
                SymmetricArray all = shmem.allocate(DataType.FLOAT64, (long) n * COUNT)) {
            shmem.barrierAll();
            try (Graph graph = Graph.capture(stream, () -> {
                        team.reduce(sum, x, ReduceOp.SUM, stream);
                        team.reduce(inPlace, inPlace, ReduceOp.SUM, stream);
                        team.fcollect(all, x, stream);
                        team.sync(stream);
                    });
                    GraphExec exec = graph.instantiate()) {
                for (int launch = 0; launch < LAUNCHES; launch++) {
                    x.fill(10.0 * me + launch);
                    inPlace.fill(me - launch);
                    shmem.barrierAll();
                    exec.launch(stream);
                    shmem.synchronize(stream);
                    assertThat(inPlace.toHost().getDouble(COUNT - 1)).isEqualTo(0.5 * n * (n - 1) - n * launch);
                    assertThat(sum.toHost().getDouble(COUNT - 1)).isEqualTo(5.0 * n * (n - 1) + n * launch);
                    HostArray got = all.toHost();
                    for (int pe = 0; pe < n; pe++) {
                        assertThat(got.getDouble((long) pe * COUNT + 7)).isEqualTo(10.0 * pe + launch);
                    }
                    shmem.barrierAll();
                }
            }
        }
    }

    /** What waits or allocates is refused before anything is done, so that all go on after it. */
    @Test
    void whatIsNotPutIntoTheStreamIsRefused() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 2);
                NvshmemCommunicator comm = shmem.communicator()) {
            Map<String, ThrowingCallable> calls = Map.of(
                    "put",
                    () -> shmem.put(x, x, me),
                    "g",
                    () -> shmem.g(x, 0, me),
                    "quiet",
                    shmem::quiet,
                    "syncAll",
                    shmem::syncAll,
                    "sync",
                    shmem.world()::sync,
                    "allocate",
                    () -> shmem.allocate(DataType.INT32, 4),
                    "free",
                    x::close,
                    "synchronize",
                    () -> shmem.synchronize(stream),
                    "allReduce",
                    () -> comm.allReduce(x, x, ReduceOp.SUM),
                    "close",
                    shmem::close);
            Graph.capture(
                            stream,
                            () -> calls.forEach((name, call) -> assertThatThrownBy(call)
                                    .as(name)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("recording a stream")))
                    .close();
            assertThat(x.isAlive()).isTrue();
            x.fill(1);
            comm.allReduce(x, x, ReduceOp.SUM);
            assertThat(x.toHost().getInt(0)).isEqualTo(n);
        }
    }

    /** A graph would keep the address of a variable of C. */
    @Test
    void singleValuesAreRefused() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 2)) {
            AtomicReference<Throwable> put = new AtomicReference<>();
            AtomicReference<Throwable> get = new AtomicReference<>();
            Graph.capture(stream, () -> {
                        try {
                            shmem.p(x, 0, 1, next, stream);
                        } catch (IllegalStateException e) {
                            put.set(e);
                        }
                        try {
                            long ignored = shmem.g(x, 0, next, stream);
                        } catch (IllegalStateException e) {
                            get.set(e);
                        }
                        x.slice(1, 1).fill(3, stream);
                    })
                    .close();
            assertThat(put.get())
                    .hasMessageContaining("p on PE " + me)
                    .hasMessageContaining("the stream is being recorded");
            assertThat(get.get()).hasMessageContaining("get an array of one element");
            shmem.p(x, 0, 1, next, stream);
            assertThat(shmem.g(x, 0, next, stream)).isEqualTo(1);
            assertThatThrownBy(() -> shmem.p(x, 5, 1, next, stream)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
