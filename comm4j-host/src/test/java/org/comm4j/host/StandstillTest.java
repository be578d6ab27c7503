// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that hangs says where, by itself and when it is ended. */
@Timeout(60)
class StandstillTest {
    @Test
    void ranksThatAllSendSayWhomTheyWaitFor(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("Ring.java"), """
            import org.comm4j.core.*;

            void main() {
                World world = World.join();
                Communicator ring = world.communicator();
                // Larger than what is sent before it is received.
                HostArray x = HostArray.allocate(DataType.FLOAT64, 1 << 20);
                ring.send(x, (ring.rank() + 1) % ring.size());
                ring.recv(x, (ring.rank() + 1) % ring.size());
            }
            """);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .source(file)
                .jvmOptions("-XX:TieredStopAtLevel=1", "-Dorg.comm4j.core.standstill=1000")
                .output(new ByteArrayOutputStream(), err)
                .timeout(Duration.ofSeconds(8))
                .run();
        List<String> lines = err.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(code).as(lines.toString()).isEqualTo(124);
        for (int rank = 0; rank < 2; rank++) {
            String waits = "rank %d of 2 has waited \\d s in send, for rank %d of 2 \\(Ring.java:8\\)"
                    .formatted(rank, 1 - rank);
            String mine = "\\[" + rank + "] ";
            // Once by itself, once in the report.
            assertThat(lines).anyMatch(l -> l.matches(mine + waits)).anyMatch(l -> l.matches(mine + "  " + waits));
            assertThat(lines).anyMatch(l -> l.matches(mine + " +at Ring.main\\(Ring.java:8\\)"));
        }
    }
}
