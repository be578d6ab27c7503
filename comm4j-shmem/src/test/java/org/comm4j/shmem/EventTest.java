// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flight recordings of calls. {@link AllocationCases} shows that they make no objects otherwise. */
@Timeout(60)
class EventTest {
    private static final int COUNT = 1000;

    /** Both PEs, as threads, do some of everything. */
    private static void someOfEverything() {
        World.threads(2, world -> {
            try (OpenShmem shmem = OpenShmem.init(world, OpenShmemOptions.defaults("embedded"));
                    SymmetricArray x = shmem.allocate(DataType.FLOAT32, COUNT);
                    SymmetricArray y = shmem.allocate(DataType.FLOAT32, COUNT);
                    SymmetricArray all = shmem.allocate(DataType.FLOAT32, 2 * COUNT);
                    SymmetricArray signals = shmem.allocate(DataType.UINT64, 1);
                    SymmetricArray counters = shmem.allocate(DataType.INT32, 2)) {
                int next = 1 - shmem.myPe();
                shmem.put(y, x, next);
                shmem.get(HostArray.allocate(DataType.FLOAT32, 10), y, next);
                shmem.iput(y, x, 2, 1, 7, next);
                shmem.p(y, 3, 1.5, next);
                double ignored = shmem.gDouble(y, 3, next);
                shmem.putSignal(y, x, signals, 0, 1, SignalOp.ADD, next);
                shmem.signalWaitUntil(signals, 0, Comparison.EQ, 1);
                shmem.atomicAdd(counters, 0, 1, next);
                shmem.atomicAdd(y, 0, 1.0, next);
                shmem.waitUntilAll(counters.slice(0, 1), null, Comparison.EQ, 1);
                try (Context context = shmem.newContext()) {
                    context.putNbi(y, x, 3, next);
                    context.quiet();
                }
                shmem.world().reduce(y, x, ReduceOp.MAX);
                shmem.world().broadcast(y, x, 500, 1);
                shmem.world().fcollect(all, x);
                shmem.world().collect(all, x, 10L * shmem.myPe());
                shmem.barrierAll();
                shmem.syncAll();
                shmem.world().sync();
            }
        });
    }

    private interface Body {
        void run() throws IOException;
    }

    private static List<RecordedEvent> recorded(Path folder, boolean enabled) throws IOException {
        return recorded(folder, enabled, EventTest::someOfEverything);
    }

    private static List<RecordedEvent> recorded(Path folder, boolean enabled, Body body) throws IOException {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            if (enabled) {
                recording.enable(CommunicationEvent.NAME);
            }
            recording.start();
            body.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(CommunicationEvent.NAME))
                .toList();
    }

    @Test
    void oneEventForEachCall(@TempDir Path folder) throws IOException {
        List<RecordedEvent> events = recorded(folder, true);
        for (int me = 0; me < 2; me++) {
            int pe = me;
            int next = 1 - me;
            assertThat(events.stream()
                            .filter(event -> event.getInt("rank") == pe)
                            .sorted(Comparator.comparing(RecordedEvent::getStartTime)))
                    .extracting(event -> event.getString("operation") + " " + event.getString("dataType") + " "
                            + event.getString("reduceOp") + " " + event.getLong("bytes") + " " + event.getInt("peer"))
                    .containsExactly(
                            "put FLOAT32  4000 " + next,
                            "get FLOAT32  40 " + next,
                            "iput FLOAT32  28 " + next,
                            "p FLOAT32  4 " + next,
                            "gDouble FLOAT32  4 " + next,
                            "putSignal FLOAT32  4000 " + next,
                            "signalWaitUntil UINT64  8 " + pe,
                            "atomicAdd INT32  4 " + next,
                            "atomicFetchAdd FLOAT32  4 " + next,
                            "waitUntilAll INT32  4 " + pe,
                            "putNbi FLOAT32  12 " + next,
                            "quiet   0 -1",
                            "reduce FLOAT32 MAX 4000 -1",
                            "broadcast FLOAT32  2000 1",
                            "fcollect FLOAT32  8000 -1",
                            "collect FLOAT32  40 -1",
                            "barrierAll   0 -1",
                            "syncAll   0 -1",
                            "sync   0 -1");
        }
        assertThat(events).allSatisfy(event -> {
            assertThat(event.getString("engine")).isEqualTo("embedded");
            assertThat(event.getInt("size")).isEqualTo(2);
            assertThat(event.getString("communicator")).contains("of 2");
        });
    }

    /** PE 1 does not come, and does not signal. */
    private static void waitInVain() {
        World.threads(2, world -> {
            try (OpenShmem shmem = OpenShmem.init(world, OpenShmemOptions.defaults("embedded"));
                    SymmetricArray x = shmem.allocate(DataType.INT64, 2)) {
                shmem.timeout(Duration.ofMillis(100));
                if (shmem.myPe() == 0) {
                    for (ThrowingCallable call : List.<ThrowingCallable>of(
                            () -> shmem.waitUntil(x, 0, Comparison.EQ, 1),
                            () -> shmem.waitUntilAny(x, null, Comparison.EQ, 1),
                            () -> shmem.world().reduce(x, x, ReduceOp.SUM))) {
                        assertThatThrownBy(call).isInstanceOf(CommTimeoutException.class);
                    }
                }
                world.barrier();
            }
        });
    }

    @Test
    void whatFailsIsRecordedWithItsOutcome(@TempDir Path folder) throws IOException {
        assertThat(recorded(folder, true, EventTest::waitInVain).stream()
                        .filter(event -> event.getInt("rank") == 0)
                        .map(event -> event.getString("operation") + " "
                                + event.getString("outcome").split(":", 2)[0]))
                .containsExactly(
                        "waitUntil CommTimeoutException",
                        "waitUntilAny CommTimeoutException",
                        "reduce CommTimeoutException");
    }

    @Test
    void noneThatNobodyAskedFor(@TempDir Path folder) throws IOException {
        assertThat(recorded(folder, false)).isEmpty();
    }
}
