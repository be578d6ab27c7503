// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flight recordings of one-sided operations and of those of teams. {@link CallCostTest} shows that they cost nothing
 * otherwise.
 */
class EventSuite {
    private static final int COUNT = 1000;

    private Nvshmem nvshmem;
    private int me;
    private int next;

    @BeforeEach
    void current() {
        nvshmem = Pes.current();
        me = nvshmem.myPe();
        next = (me + 1) % nvshmem.nPes();
    }

    private static List<RecordedEvent> recorded(Path folder, boolean enabled, Runnable body) throws IOException {
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

    private void someOfEverything(
            SymmetricArray x, SymmetricArray y, SymmetricArray signals, SymmetricArray counters, Stream stream) {
        nvshmem.put(y, x, next, stream);
        nvshmem.get(y, x, 10, next);
        nvshmem.p(y, 3, 1.5, next, stream);
        nvshmem.putSignal(y, x, signals, 0, 1, SignalOp.ADD, next, stream);
        nvshmem.signalWaitUntil(signals, 0, Comparison.EQ, 1, stream);
        nvshmem.atomicAdd(counters, 0, 1, next, stream);
        nvshmem.world().reduce(y, x, ReduceOp.SUM, stream);
        nvshmem.world().broadcast(y, x, 500, 0, stream);
        nvshmem.barrierAll(stream);
        nvshmem.synchronize(stream);
        nvshmem.syncAll();
    }

    @Test
    void oneEventForEachCall(@TempDir Path folder) throws IOException {
        try (SymmetricArray x = nvshmem.allocate(DataType.FLOAT32, COUNT);
                SymmetricArray y = nvshmem.allocate(DataType.FLOAT32, COUNT);
                SymmetricArray signals = nvshmem.allocate(DataType.UINT64, 1);
                SymmetricArray counters = nvshmem.allocate(DataType.INT32, 1);
                Stream stream = Pes.device().newStream()) {
            List<RecordedEvent> events =
                    recorded(folder, true, () -> someOfEverything(x, y, signals, counters, stream));
            assertThat(events)
                    .extracting(event -> event.getString("operation") + " " + event.getString("dataType") + " "
                            + event.getString("reduceOp") + " " + event.getLong("bytes") + " " + event.getInt("peer"))
                    .containsExactly(
                            "put FLOAT32  4000 " + next,
                            "get FLOAT32  40 " + next,
                            "p FLOAT32  4 " + next,
                            "putSignal FLOAT32  4000 " + next,
                            "signalWaitUntil UINT64  8 " + me,
                            "atomicAdd INT32  4 " + next,
                            "reduce FLOAT32 SUM 4000 -1",
                            "broadcast FLOAT32  2000 0",
                            "barrierAll   0 -1",
                            "syncAll   0 -1",
                            "wait for syncAll   0 -1");
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getString("engine")).isEqualTo("nvshmem");
                assertThat(event.getInt("rank")).isEqualTo(me);
                assertThat(event.getInt("size")).isEqualTo(nvshmem.nPes());
                assertThat(event.getDuration()).isPositive();
            });
            assertThat(events.get(0).getString("stream")).isEqualTo(stream.toString());
            assertThat(events.get(1).getString("stream")).isEmpty();
            assertThat(events.get(6).getString("communicator"))
                    .isEqualTo(nvshmem.world().toString());
        }
    }

    @Test
    void noneThatNobodyAskedFor(@TempDir Path folder) throws IOException {
        try (SymmetricArray x = nvshmem.allocate(DataType.FLOAT32, COUNT);
                SymmetricArray y = nvshmem.allocate(DataType.FLOAT32, COUNT);
                SymmetricArray signals = nvshmem.allocate(DataType.UINT64, 1);
                SymmetricArray counters = nvshmem.allocate(DataType.INT32, 1);
                Stream stream = Pes.device().newStream()) {
            assertThat(recorded(folder, false, () -> someOfEverything(x, y, signals, counters, stream)))
                    .isEmpty();
        }
    }
}
