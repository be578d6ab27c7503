// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.junit.jupiter.api.Test;

/**
 * Several PEs on one GPU without MPS, where a kernel that waits for another PE's never ends: what needs that is refused
 * before the library ends the process, everything else works.
 */
class SharedGpuContract {
    private static final int COUNT = 1000;

    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();
    private final int next = (me + 1) % n;
    private final int last = (me + n - 1) % n;

    private static int[] values(int pe) {
        return IntStream.range(0, COUNT).map(i -> 1000 * pe + i).toArray();
    }

    @Test
    void thisIsSuchAPlace() {
        assertThat(LibNvshmem.nvshmemx_init_status()).isEqualTo(LibNvshmem.NVSHMEM_STATUS_LIMITED_MPG);
    }

    @Test
    void putsAndGetsAndBarriersWork() {
        try (Stream stream = Pes.device().newStream();
                SymmetricArray mine = shmem.allocate(DataType.INT32, COUNT);
                SymmetricArray theirs = shmem.allocate(DataType.INT32, COUNT)) {
            mine.copyFrom(HostArray.of(values(me)));
            shmem.barrierAll();
            shmem.put(theirs, mine, next);
            shmem.barrierAll();
            assertThat(theirs.toHost().toIntArray()).containsExactly(values(last));
            shmem.barrierAll();
            shmem.get(theirs, mine, next, stream);
            stream.synchronize();
            assertThat(theirs.toHost().toIntArray()).containsExactly(values(next));
            shmem.barrierAll();
        }
    }

    @Test
    void theCommunicatorWorks() throws Exception {
        try (NvshmemCommunicator communicator = shmem.communicator();
                SymmetricArray all = shmem.allocate(DataType.INT32, COUNT)) {
            all.copyFrom(HostArray.of(values(me)));
            communicator.allReduce(all, all, ReduceOp.SUM);
            assertThat(all.toHost().toIntArray())
                    .containsExactly(IntStream.range(0, COUNT)
                            .map(i -> n * i + 1000 * n * (n - 1) / 2)
                            .toArray());
            communicator.barrier();
        }
    }

    @Test
    void whatWaitsInAKernelIsRefused() {
        Team world = shmem.world();
        try (Stream stream = Pes.device().newStream();
                SymmetricArray array = shmem.allocate(DataType.INT32, COUNT);
                SymmetricArray other = shmem.allocate(DataType.INT32, COUNT);
                SymmetricArray more = shmem.allocate(DataType.INT32, (long) n * COUNT);
                SymmetricArray signal = shmem.allocate(DataType.UINT64, 1)) {
            Map<String, ThrowingCallable> calls = Map.of(
                    "reduce", () -> world.reduce(array, array, ReduceOp.SUM, stream),
                    "reduceScatter", () -> world.reduceScatter(array, more, ReduceOp.SUM, stream),
                    "broadcast", () -> world.broadcast(array, array, 0, stream),
                    "fcollect", () -> world.fcollect(more, array, stream),
                    "allToAll", () -> world.allToAll(other, array, stream),
                    "barrier", () -> world.barrier(stream),
                    "sync", () -> world.sync(stream),
                    "splitStrided", () -> world.splitStrided(0, 1, n),
                    "signalWaitUntil", () -> shmem.signalWaitUntil(signal, 0, Comparison.GE, 1, stream),
                    "waitUntil", () -> shmem.waitUntil(array, 0, Comparison.EQ, 7, stream));
            calls.forEach((name, call) -> assertThatThrownBy(call)
                    .as(name)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(" on PE " + me + " of " + n)
                    .hasMessageContaining("several PEs share this GPU")
                    .hasMessageContaining("nvidia-cuda-mps-control"));
            shmem.barrierAll();
        }
    }
}
