// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recording that asks for it has one event for each call; no other has any. Needs ranks that are threads of this JVM.
 */
public abstract class EventContract extends Contract {
    @TempDir
    Path folder;

    protected EventContract(ContractEngine engine) {
        super(engine);
    }

    @RankCounts({2, 3})
    void oneEventForEachCall(int ranks) throws IOException {
        List<RecordedEvent> events = recorded(ranks, true);
        for (int r = 0; r < ranks; r++) {
            int rank = r;
            List<RecordedEvent> mine =
                    events.stream().filter(e -> e.getInt("rank") == rank).toList();
            assertThat(mine)
                    .extracting(e -> e.getString("operation"))
                    .containsExactly("allReduce", "broadcast", "barrier", "send", "recv", "allGather");
            for (RecordedEvent event : mine) {
                assertThat(event.getInt("size")).isEqualTo(ranks);
                assertThat(event.getString("engine")).isNotBlank();
                assertThat(event.getString("communicator")).isNotBlank();
                assertThat(event.getDuration()).isPositive();
            }
            expect(mine.get(0), -1, "FLOAT32", "SUM", 40);
            expect(mine.get(1), ranks - 1, "INT64", "", 24);
            expect(mine.get(2), -1, "", "", 0);
            expect(mine.get(3), (rank + 1) % ranks, "INT64", "", 24);
            expect(mine.get(4), (rank + ranks - 1) % ranks, "INT64", "", 24);
            expect(mine.get(5), -1, "INT64", "", 24L * ranks);
        }
    }

    private static void expect(RecordedEvent event, int peer, String type, String op, long bytes) {
        assertThat(event.getInt("peer")).as("peer of %s", event).isEqualTo(peer);
        assertThat(event.getString("dataType")).as("type of %s", event).isEqualTo(type);
        assertThat(event.getString("reduceOp")).as("reduction of %s", event).isEqualTo(op);
        assertThat(event.getLong("bytes")).as("bytes of %s", event).isEqualTo(bytes);
    }

    @RankCounts({2, 3})
    void noEventUnlessAsked(int ranks) throws IOException {
        assertThat(recorded(ranks, false)).isEmpty();
    }

    /** The events of six calls of each rank, in the order of their starts. */
    private List<RecordedEvent> recorded(int ranks, boolean enabled) throws IOException {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            if (enabled) {
                recording.enable(CommunicationEvent.NAME);
            }
            recording.start();
            probe(ranks, p -> {
                Buffer floats = p.memory(DataType.FLOAT32, 10);
                Buffer longs = p.memory(DataType.INT64, 3);
                Buffer others = p.memory(DataType.INT64, 3);
                p.comm.allReduce(floats, floats, ReduceOp.SUM);
                p.comm.broadcast(longs, ranks - 1);
                p.comm.barrier();
                p.comm.group(g -> {
                    g.send(longs, (p.rank + 1) % ranks);
                    g.recv(others, (p.rank + ranks - 1) % ranks);
                });
                p.comm.allGatherAsync(longs, p.memory(DataType.INT64, 3L * ranks))
                        .await();
            });
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(CommunicationEvent.NAME))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }
}
