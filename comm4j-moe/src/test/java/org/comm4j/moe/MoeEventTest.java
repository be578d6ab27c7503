// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each call is an event of a flight recording, with its bytes, and with what it threw. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MoeEventTest {
    @Test
    void callsAreRecorded(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(CommunicationEvent.NAME);
            recording.start();
            World.threads(2, MoeEventTest::calls);
            recording.stop();
            recording.dump(file);
        }
        assertThat(Files.size(file)).isPositive();
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(CommunicationEvent.NAME)
                        && event.getString("engine").equals("moe on CPU"))
                .toList();
        for (int rank = 0; rank < 2; rank++) {
            int each = rank;
            List<RecordedEvent> own = events.stream()
                    .filter(event -> event.getInt("rank") == each)
                    .toList();
            assertThat(own.stream().map(event -> event.getString("operation")))
                    .containsExactlyElementsOf(
                            rank == 0
                                    ? List.of("dispatch", "combine", "dispatchSend", "receive", "placement", "dispatch")
                                    : List.of("dispatch", "combine", "dispatchSend", "receive", "placement"));
            assertThat(own.get(0).getLong("bytes")).isEqualTo(3 * 8 * Float.BYTES);
            assertThat(own.get(1).getLong("bytes")).isEqualTo(3 * 8 * Float.BYTES);
            assertThat(own.get(0).getString("outcome")).isEmpty();
            assertThat(own.get(0).getInt("size")).isEqualTo(2);
        }
        assertThat(events.stream().map(event -> event.getString("outcome")))
                .anyMatch(outcome -> outcome.startsWith("CommTimeoutException: dispatch: rank 0 waits for rank 1"));
    }

    private static void calls(World world) {
        MoeShape shape = MoeShape.experts(4).perToken(1).hidden(8).tokens(3).input(DataType.FLOAT32);
        try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
            pe.timeout(Duration.ofSeconds(30));
            try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT)) {
                HostArray x = HostArray.allocate(DataType.FLOAT32, 24);
                HostArray chosen = HostArray.of(0, 1, 2);
                ep.combine(Sums.into(x), ep.dispatch(x, chosen, 3));
                Routed routed = ep.dispatchSend(Tokens.of(x, chosen, 3));
                routed.receive();
                routed.close();
                ep.placement(ep.placement());
                pe.barrier();
                if (pe.myPe() == 0) {
                    ep.timeout(Duration.ofMillis(50));
                    assertThatThrownBy(() -> ep.dispatch(x, chosen, 3)).isInstanceOf(CommTimeoutException.class);
                }
                pe.barrier();
            }
        }
    }
}
