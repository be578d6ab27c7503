// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntToLongFunction;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.CheckedMode;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.DeviceArray;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the communicator of NVSHMEM has beyond the contract of all engines: the direct way, and its end. */
class SymmetricCommunicator {
    private static NvshmemCommunicator comm;
    private static Nvshmem nvshmem;

    @BeforeAll
    static void begin() {
        nvshmem = Pes.current();
        comm = nvshmem.communicator();
        comm.timeout(PesRun.WAIT);
    }

    @AfterAll
    static void end() {
        comm.close();
    }

    private static int rank() {
        return comm.rank();
    }

    private static int size() {
        return comm.size();
    }

    private static SymmetricArray symmetric(long count, IntToLongFunction value) {
        SymmetricArray array = nvshmem.allocate(DataType.INT64, count);
        array.copyFrom(values(count, value));
        return array;
    }

    private static HostArray values(long count, IntToLongFunction value) {
        HostArray values = HostArray.allocate(DataType.INT64, count);
        for (int i = 0; i < count; i++) {
            values.setLong(i, value.applyAsLong(i));
        }
        return values;
    }

    private static void expect(DeviceArray array, IntToLongFunction value) {
        HostArray expected = values(array.count(), value);
        HostArray actual = array.toHost();
        long at = actual.segment().mismatch(expected.segment());
        assertThat(at).as("first wrong byte of " + array + " on rank " + rank()).isEqualTo(-1);
    }

    @Test
    void collectivesOfSymmetricArraysAreTheTeams() {
        int n = 1000;
        int all = size();
        assertThat(comm.team()).isEqualTo(nvshmem.world());
        for (int round = 0; round < 3; round++) {
            long more = round;
            try (SymmetricArray one = symmetric(n, i -> i + more + rank());
                    SymmetricArray other = nvshmem.allocate(DataType.INT64, n);
                    SymmetricArray each = symmetric((long) n * all, i -> 7L * i + more + rank());
                    SymmetricArray every = nvshmem.allocate(DataType.INT64, (long) n * all)) {
                long ranks = (long) all * (all - 1) / 2;
                comm.allReduce(one, other, ReduceOp.SUM);
                expect(other, i -> all * (i + more) + ranks);
                comm.allReduce(other, other, ReduceOp.MAX);
                expect(other, i -> all * (i + more) + ranks);
                comm.allGather(one, every);
                expect(every, i -> i % n + more + i / n);
                comm.reduceScatter(each, other, ReduceOp.SUM);
                expect(other, i -> all * (7L * (i + (long) n * rank()) + more) + ranks);
                comm.allToAll(each, every);
                expect(every, i -> 7L * (i % n + (long) n * rank()) + more + i / n);
                comm.broadcast(rank() == all - 1 ? one : null, other, all - 1);
                expect(other, i -> i + more + all - 1);
                comm.broadcast(one, 0);
                expect(one, i -> i + more);
                // What NVSHMEM cannot do is done nevertheless.
                comm.allReduce(one, other, ReduceOp.AVG);
                expect(other, i -> i + more);
                SymmetricArray mine = every.slice((long) n * rank(), n);
                mine.copyFrom(values(n, i -> i + 5L * rank()));
                comm.allGather(mine, every);
                expect(every, i -> i % n + 5L * (i / n));
            }
        }
        if (Pes.simulated()) {
            assertThat(Simulation.count("nvshmemx_int64_sum_reduce_on_stream")).isPositive();
        }
    }

    @Test
    void symmetricMemoryInAPartOfTheRanks() {
        try (Communicator part = comm.split(rank() % 2, -rank());
                SymmetricArray one = symmetric(100, i -> rank())) {
            assertThat(part).isNotNull();
            assertThat(((NvshmemCommunicator) part).team()).isNull();
            assertThat(((NvshmemCommunicator) part).pe(part.rank())).isEqualTo(rank());
            part.allReduce(one, one, ReduceOp.SUM);
            long expected = 0;
            for (int r = rank() % 2; r < size(); r += 2) {
                expected += r;
            }
            long sum = expected;
            expect(one, i -> sum);
        }
    }

    @Test
    void symmetricMemoryOnSomeRanksIsFoundInCheckedMode() {
        if (!CheckedMode.ON || size() == 1) {
            return;
        }
        try (SymmetricArray one = symmetric(100, i -> i);
                DeviceArray plain = nvshmem.device().allocate(DataType.INT64, 100)) {
            DeviceArray mine = rank() == 0 ? plain : one;
            assertThatThrownBy(() -> comm.allReduce(mine, mine, ReduceOp.SUM))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("symmetric");
            SymmetricArray half = one.slice(rank() == 0 ? 0 : 50, 50);
            assertThatThrownBy(() -> comm.allReduce(half, half, ReduceOp.SUM))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("offset");
            comm.allReduce(one, one, ReduceOp.SUM);
            expect(one, i -> (long) size() * i);
        }
    }

    /** The heap is of all PEs. */
    @Test
    void doesNotGoOnWithoutPes() {
        assertThat(comm.failedRanks()).isEmpty();
        assertThatThrownBy(comm::shrink)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("shrink on rank " + comm.rank() + " of " + comm.size())
                .hasMessageContaining("one symmetric heap of all PEs");
        comm.barrier();
    }

    /**
     * Who waits in vain for a rank's symmetric memory gives up before the team's collective starts: NVSHMEM works on.
     */
    @Test
    void waitInVainConcernsOneCommunicator() {
        if (size() == 1) {
            return;
        }
        SymmetricArray one = symmetric(100, i -> i);
        try (NvshmemCommunicator other = nvshmem.communicator()) {
            if (rank() > 0) {
                other.timeout(Duration.ofMillis(50));
                assertThatThrownBy(() -> other.allReduce(one, one, ReduceOp.SUM))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("allReduce on rank " + rank() + " of " + size());
            }
            comm.barrier();
        }
        comm.allReduce(one, one, ReduceOp.SUM);
        expect(one, i -> (long) size() * i);
        one.close();
    }

    @Test
    void takesMemoryOfItsGpuOnly() {
        HostArray host = HostArray.allocate(DataType.INT64, 1);
        assertThatThrownBy(() -> comm.allReduce(host, host, ReduceOp.SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rank " + rank())
                .hasMessageContaining("DeviceArray");
        DeviceArray small = comm.allocate(DataType.FLOAT8_E4M3, 4);
        assertThatThrownBy(() -> comm.allReduce(small, small, ReduceOp.SUM))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("FLOAT8_E4M3");
        comm.barrier();
    }

    @Test
    void oneEventForEachCall(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("calls.jfr");
        DeviceArray x = comm.allocate(DataType.FLOAT32, 10);
        try (Recording recording = new Recording()) {
            recording.enable(CommunicationEvent.NAME);
            recording.start();
            comm.allReduce(x, x, ReduceOp.SUM);
            comm.barrier();
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file))
                .filteredOn(event -> event.getEventType().getName().equals(CommunicationEvent.NAME))
                .extracting(event ->
                        event.getString("engine") + " " + event.getString("operation") + " " + event.getLong("bytes"))
                .containsExactlyInAnyOrder("nvshmem allReduce 40", "nvshmem barrier 0");
    }

    /** The engine makes its own Nvshmem, and ends it. */
    @Test
    void engineOwnsItsNvshmem() {
        end();
        Pes.close();
        assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.FINALIZED);
        try (Communicator own = Engine.named("nvshmem").communicator(Pes.world())) {
            assertThat(own.engine()).isEqualTo("nvshmem");
            DeviceArray one = (DeviceArray) own.allocate(DataType.INT64, 1);
            one.fill(1);
            own.allReduce(one, one, ReduceOp.SUM);
            expect(one, i -> size());
            assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.INITIALIZED);
        }
        assertThat(Nvshmem.state()).isEqualTo(Nvshmem.State.FINALIZED);
        begin();
    }
}
