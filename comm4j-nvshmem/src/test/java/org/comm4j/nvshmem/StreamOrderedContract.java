// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.PeerAccess;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.cuda.Stream;
import org.comm4j.cuda.StreamOrdered;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations of a communicator in the order of a stream. */
class StreamOrderedContract {
    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();
    private final Communicator comm = shmem.communicator();
    private final StreamOrdered there = (StreamOrdered) comm;
    private final Stream stream = shmem.device().newStream();
    private final GroupedOperations ordered = there.on(stream);

    @AfterEach
    void end() {
        there.synchronize(stream);
        stream.close();
        comm.close();
        shmem.barrierAll();
    }

    private DeviceArray numbers(DataType type, int count) {
        HostArray values = HostArray.allocate(type, count);
        for (int i = 0; i < count; i++) {
            values.setLong(i, (long) me * 1000 + i);
        }
        DeviceArray array = (DeviceArray) comm.allocate(type, count);
        array.copyFrom(values);
        return array;
    }

    private long sum(long i) {
        return 1000L * n * (n - 1) / 2 + n * i;
    }

    /** Many are put in before anything is waited for, of one piece and of several. */
    @Test
    void reductionsFollowEachOther() {
        for (int count : new int[] {0, 1, 7, 3000, 40_000}) {
            DeviceArray x = numbers(DataType.INT64, count);
            DeviceArray y = numbers(DataType.INT64, count);
            for (int i = 0; i < 5; i++) {
                ordered.allReduce(x, y, ReduceOp.SUM);
            }
            ordered.allReduce(y, x, ReduceOp.MAX);
            there.synchronize(stream);
            for (DeviceArray result : new DeviceArray[] {x, y}) {
                HostArray host = result.toHost();
                for (int i = 0; i < count; i += Math.max(1, count / 17)) {
                    assertThat(host.getLong(i)).as("%d of %d", i, count).isEqualTo(sum(i));
                }
            }
        }
    }

    @Test
    void recordedOnesAreMadeAgain() {
        DeviceArray x = numbers(DataType.INT64, 9);
        ordered.allReduce(x, x, ReduceOp.SUM);
        there.synchronize(stream);
        x.copyFrom(HostArray.of(1L, 1, 1, 1, 1, 1, 1, 1, 1));
        try (Graph graph = Graph.capture(stream, () -> ordered.allReduce(x, x, ReduceOp.SUM));
                GraphExec exec = graph.instantiate()) {
            exec.launch(stream);
            exec.launch(stream);
            there.synchronize(stream);
        }
        assertThat(x.toHost().getLong(8)).isEqualTo((long) n * n);
    }

    /** What waits on the host comes after the reduction in the stream, and before the next one. */
    @Test
    void otherOperationsAreInOrder() {
        DeviceArray x = numbers(DataType.INT64, 4);
        DeviceArray all = (DeviceArray) comm.allocate(DataType.INT64, 4L * n);
        DeviceArray average = (DeviceArray) comm.allocate(DataType.FLOAT64, 2);
        average.copyFrom(HostArray.of(1.0 + me, 2));
        ordered.allReduce(x, x, ReduceOp.SUM);
        ordered.allGather(x, all);
        ordered.allReduce(all, all, ReduceOp.SUM);
        ordered.allReduce(average, average, ReduceOp.AVG);
        ordered.group(g -> {
            g.send(x, (me + 1) % n);
            g.recv(all.slice(0, 4), (me + n - 1) % n);
        });
        there.synchronize(stream);
        assertThat(all.toHost().getLong(3)).isEqualTo(sum(3));
        assertThat(all.toHost().getLong(4L * n - 1)).isEqualTo(n == 1 ? sum(3) : n * sum(3));
        assertThat(average.toHost().getDouble(0)).isEqualTo((n + 1) / 2.0);
    }

    @Test
    void wrongBuffersAreNamed() {
        DeviceArray x = numbers(DataType.INT64, 4);
        assertThatThrownBy(() -> ordered.allReduce(x, x.slice(0, 3), ReduceOp.SUM))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ordered.allReduce(HostArray.of(1L), HostArray.of(1L), ReduceOp.SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory of its GPU");
    }

    /** Each PE writes to the memory of all, and the next call tells what a kernel has reported. */
    @Test
    void memoryOfPeersIsReached() {
        PeerMemory memory = ((PeerAccess) comm).peerMemory(n + 1);
        if (memory == null) {
            assertThat(((NvshmemCommunicator) comm).team() == null || shmem.outOfReach() != null)
                    .isTrue();
            return;
        }
        assertThat(memory.rank()).isEqualTo(me);
        assertThat(memory.parts()).hasSize(n).allMatch(part -> part.count() == n + 1);
        assertThat(((DeviceArray) memory.parts().get(me)).toHost().getLong(n)).isZero();
        for (int pe = 0; pe < n; pe++) {
            ((DeviceArray) memory.parts().get(pe)).slice(me, 1).copyFrom(HostArray.of(100L * me + pe));
        }
        shmem.barrierAll();
        HostArray own = ((DeviceArray) memory.parts().get(me)).toHost();
        for (int pe = 0; pe < n; pe++) {
            assertThat(own.getLong(pe)).isEqualTo(100L * pe + me);
        }
        memory.report().setLong(0, n);
        assertThatThrownBy(() -> there.synchronize(stream))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessageContaining("for numbers of PE " + (n - 1));
        memory.report().setLong(0, 0);
    }
}
