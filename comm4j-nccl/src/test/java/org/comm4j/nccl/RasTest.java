// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client of NCCL's status service, against a service of our own. */
class RasTest {
    private final List<String> commands = new CopyOnWriteArrayList<>();

    /** Answers one client as NCCL does; {@code hello} instead of its greeting, {@code end} to the question. */
    private Ras serving(ServerSocket server, String hello, String end) {
        Thread.ofPlatform().daemon().start(() -> {
            try (Socket socket = server.accept();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    commands.add(line);
                    boolean question =
                            !line.startsWith("CLIENT") && !line.startsWith("TIMEOUT") && !line.startsWith("SET");
                    String answer = line.startsWith("CLIENT") ? hello : question ? end : "OK\n";
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                    if (question) {
                        return;
                    }
                }
            } catch (IOException e) {
                commands.add(e.toString());
            }
        });
        return Ras.at(address(server), Duration.ofSeconds(2));
    }

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @Test
    void asksForText() throws IOException {
        try (ServerSocket server = server()) {
            Ras ras = serving(server, "SERVER PROTOCOL 2\n", "Job summary\n===\nall ranks\n");
            assertThat(ras.status()).isEqualTo("Job summary\n===\nall ranks\n");
            assertThat(commands).containsExactly("CLIENT PROTOCOL 2", "TIMEOUT 2", "STATUS");
        }
    }

    @Test
    void asksForJson() throws IOException {
        try (ServerSocket server = server()) {
            Ras ras = serving(server, "SERVER PROTOCOL 2\n", "{\"nranks\": 4}");
            assertThat(ras.statusJson()).isEqualTo("{\"nranks\": 4}");
            assertThat(commands).contains("SET FORMAT json", "VERBOSE STATUS");
        }
    }

    /**
     * Whoever says OK to MONITOR goes on to tell what happens; an NCCL that does not know a command stays on the line.
     */
    @Test
    void monitors() throws Exception {
        try (ServerSocket server = server()) {
            Ras ras = serving(server, "SERVER PROTOCOL 2\n", "OK\n[now] PEER_DEAD: Process 7\nand more\n");
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            try (Ras.Monitor monitor = ras.monitor("lifecycle", false, heard::add)) {
                assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("[now] PEER_DEAD: Process 7");
                assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("and more");
                for (int i = 0; i < 500 && monitor.isRunning(); i++) {
                    Thread.sleep(10);
                }
                assertThat(monitor.isRunning()).isFalse();
            }
            assertThat(commands).contains("MONITOR lifecycle");
        }
        try (ServerSocket server = server()) {
            Ras ras = serving(server, "SERVER PROTOCOL 2\n", "ERROR: Unknown command MONITOR all\n");
            assertThatThrownBy(() -> ras.monitor("all", true, line -> {}))
                    .isInstanceOf(CommException.class)
                    .hasMessageContaining("Unknown command");
        }
    }

    @Test
    void commandsThatNcclDoesNotKnow() throws IOException {
        try (ServerSocket server = server()) {
            Ras ras = serving(server, "SERVER PROTOCOL 2\n", "ERROR: Unknown command DIAGNOSTICS\n");
            assertThatThrownBy(() -> ras.ask("DIAGNOSTICS", false))
                    .isInstanceOf(CommException.class)
                    .hasMessageContaining("answers 'ERROR: Unknown command DIAGNOSTICS'");
        }
    }

    @Test
    void whoeverIsNotNcclIsNotAsked() throws IOException {
        try (ServerSocket server = server()) {
            Ras ras = serving(server, "220 mail\n", "");
            assertThatThrownBy(ras::status).isInstanceOf(CommException.class).hasMessageContaining("220 mail");
        }
        try (ServerSocket server = server()) {
            assertThatThrownBy(() ->
                            Ras.at(address(server), Duration.ofMillis(100)).status())
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("100 ms");
        }
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        assertThatThrownBy(() -> Ras.at(nobody, Duration.ofSeconds(1)).status())
                .isInstanceOf(CommException.class)
                .hasMessageContaining("is an NCCL job running");
    }

    /** A limit is for the whole answer: each piece of this one comes soon after the last, and there is no end. */
    @Test
    @Timeout(20)
    void anAnswerThatNeverEnds() throws IOException {
        for (String start : List.of("SERVER PROTOCOL 2\nOK\n", "S")) {
            try (ServerSocket server = server()) {
                Thread.ofPlatform().daemon().start(() -> dribble(server, start));
                Ras ras = Ras.at(address(server), Duration.ofMillis(200));
                assertThatThrownBy(ras::status)
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("200 ms");
            }
        }
    }

    /** Says something more every few milliseconds. */
    private static void dribble(ServerSocket server, String start) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write(start.getBytes(StandardCharsets.UTF_8));
            while (true) {
                socket.getOutputStream().write('x');
                Thread.sleep(5);
            }
        } catch (IOException | InterruptedException theClientHasLeft) {
            return;
        }
    }

    @Test
    void aServiceThatHangsUp() throws IOException {
        try (ServerSocket server = server()) {
            Ras ras = serving(server, "SERVER PROTOCOL 2\n", "");
            assertThatThrownBy(ras::status)
                    .isExactlyInstanceOf(CommException.class)
                    .hasMessageContaining("STATUS")
                    .hasMessageContaining("the connection was closed");
        }
    }

    @Test
    void aMonitorThatGetsNoAnswer() throws IOException {
        try (ServerSocket server = server()) {
            Ras ras = Ras.at(address(server), Duration.ofMillis(100));
            assertThatThrownBy(() -> ras.monitor("all", false, line -> {}))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("MONITOR all within 100 ms");
        }
    }

    @Test
    void limits() throws IOException {
        try (ServerSocket server = server()) {
            for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofSeconds(-1))) {
                assertThatThrownBy(() -> Ras.at(address(server), none)).isInstanceOf(IllegalArgumentException.class);
            }
            serving(server, "SERVER PROTOCOL 2\n", "all ranks\n");
            assertThat(Ras.at(address(server), Duration.ofSeconds(Long.MAX_VALUE))
                            .status())
                    .isEqualTo("all ranks\n");
        }
    }

    private static InetSocketAddress address(ServerSocket server) {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    @Test
    void addresses() {
        assertThat(Ras.address("localhost:1234").getPort()).isEqualTo(1234);
        assertThat(Ras.address("[::1]:28028").getAddress().isLoopbackAddress()).isTrue();
        assertThatThrownBy(() -> Ras.address("somewhere"))
                .hasMessageContaining("NCCL_RAS_ADDR")
                .hasMessageContaining("host:port");
    }
}
