// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;

/**
 * Questions to NCCL's own service about a running job: which communicators there are, which ranks lag behind or are
 * gone (RAS, reliability, availability, serviceability). Every process of a job answers for the whole job, on TCP port
 * {@value #PORT} of loopback unless {@code NCCL_RAS_ADDR} says otherwise. Each question is one connection; any process
 * may ask, also one without NCCL.
 */
public final class Ras {
    /** The port on which NCCL answers unless {@code NCCL_RAS_ADDR} names another. */
    public static final int PORT = 28028;

    private static final String HELLO = "CLIENT PROTOCOL ";
    private static final String ANSWER = "SERVER PROTOCOL ";
    private static final String ERROR = "ERROR: ";
    private static final String CLOSED = "the connection was closed";
    private static final int PROTOCOL = 2;
    private static final int LONGEST_LINE = 4096;
    /** Less would be none at all to a socket. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final InetSocketAddress address;
    private final Duration timeout;

    private Ras(InetSocketAddress address, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
    }

    /** Returns the service that {@code NCCL_RAS_ADDR} ({@code host:port}) names, else that of this machine. */
    public static Ras local(Duration timeout) {
        nonNull(timeout, "local", "timeout");
        String given = System.getenv("NCCL_RAS_ADDR");
        return at(given == null || given.isBlank() ? defaultAddress() : address(given), timeout);
    }

    /**
     * Returns the service at an address.
     *
     * @param timeout how long the service may take to ask all processes of the job, a millisecond at least; the whole
     *     answer, late as it may be, has come after twice that, or there is none
     */
    public static Ras at(InetSocketAddress address, Duration timeout) {
        nonNull(address, "at", "address");
        nonNull(timeout, "at", "timeout");
        if (timeout.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("a timeout is a millisecond at least, not " + timeout);
        }
        return new Ras(address, timeout);
    }

    private static InetSocketAddress defaultAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
    }

    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new InetSocketAddress(
                    text.substring(0, Math.max(0, colon)).replaceAll("[\\[\\]]", ""),
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("NCCL_RAS_ADDR is '" + text + "', which is not host:port", e);
        }
    }

    /** Returns a summary for people. */
    public String status() {
        return ask("STATUS", false);
    }

    /** All that NCCL knows, for people. */
    public String verboseStatus() {
        return ask("VERBOSE STATUS", false);
    }

    /** All that NCCL knows, as JSON. */
    public String statusJson() {
        return ask("VERBOSE STATUS", true);
    }

    /**
     * Returns the answer to any other command of NCCL's, such as {@code DIAGNOSTICS} (NCCL 2.31).
     *
     * @param command one line
     * @throws CommTimeoutException if the answer does not come in time
     * @throws CommException if nobody answers there, or not as NCCL does, or one that does not know the command
     */
    public String ask(String command, boolean json) {
        if (command.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("a command is one line");
        }
        try (Socket socket = new Socket()) {
            InputStream in = connect(socket, json);
            send(socket.getOutputStream(), command);
            // After this NCCL waits for another command.
            byte[] start = in.readNBytes(ERROR.length());
            if (Arrays.equals(start, ERROR.getBytes(StandardCharsets.UTF_8))) {
                throw new CommException("RAS at " + address + " answers '" + ERROR + line(in) + "' to " + command);
            }
            if (start.length == 0) {
                throw new IOException(CLOSED);
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.write(start);
            in.transferTo(answer);
            return answer.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw failed(command, e);
        }
    }

    private CommException failed(String command, IOException e) {
        if (e instanceof SocketTimeoutException) {
            CommTimeoutException late = new CommTimeoutException(
                    "RAS at " + address + " has not answered " + command + " within " + millis() + " ms");
            late.initCause(e);
            return late;
        }
        return new CommException(
                "RAS at " + address + " does not answer " + command
                        + ": is an NCCL job running there, and is its NCCL_RAS_ENABLE not 0? (" + e.getMessage() + ")",
                e);
    }

    private int millis() {
        return (int) Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.convert(timeout));
    }

    /**
     * Has {@code listener} called, in a thread of its own, with each line that NCCL says about processes that come, go
     * and die, as it happens ({@code MONITOR}; NCCL 2.29.2), until the result is closed or the job ends.
     *
     * @param groups {@code lifecycle}, {@code trace}, both with a comma between, or {@code all}
     * @throws CommTimeoutException if the answer does not come in time
     * @throws CommException if nobody answers there, or an NCCL that cannot do this
     */
    public Monitor monitor(String groups, boolean json, Consumer<String> listener) {
        String command = "MONITOR " + groups;
        if (command.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("a command is one line");
        }
        Socket socket = new Socket();
        try {
            InputStream in = connect(socket, json);
            expectOk(socket.getOutputStream(), in, command);
            // Nothing may happen for long.
            socket.setSoTimeout(0);
            return new Monitor(socket, listener);
        } catch (IOException e) {
            CommResources.closeQuietly(socket);
            throw failed(command, e);
        } catch (RuntimeException e) {
            CommResources.closeQuietly(socket);
            throw e;
        }
    }

    /** What {@link #monitor} started. */
    public static final class Monitor implements AutoCloseable {
        private final Socket socket;
        private final Thread thread;

        private Monitor(Socket socket, Consumer<String> listener) {
            this.socket = socket;
            this.thread = Thread.ofVirtual().name("comm4j ras monitor").start(() -> read(listener));
        }

        private void read(Consumer<String> listener) {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    listener.accept(line);
                }
            } catch (IOException e) {
                // Closed, here or there: there is nothing more to tell.
                return;
            }
        }

        /** Whether more may come: it was not closed, and the job is there. */
        public boolean isRunning() {
            return thread.isAlive();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new CommException("close of a RAS monitor", e);
            }
        }
    }

    /** Connects, and agrees on how to talk; what the service says from then on. */
    private InputStream connect(Socket socket, boolean json) throws IOException {
        socket.connect(address, millis());
        OutputStream out = socket.getOutputStream();
        // The service itself gives up in time and says what is missing.
        InputStream in = new Answer(socket, System.nanoTime() + 2 * TimeUnit.MILLISECONDS.toNanos(millis()));
        send(out, HELLO + PROTOCOL);
        String hello = line(in);
        if (!hello.startsWith(ANSWER)) {
            throw new CommException("RAS at " + address + " answers '" + hello + "': that is not NCCL");
        }
        expectOk(out, in, "TIMEOUT " + Math.max(1, millis() / 1000));
        if (json) {
            expectOk(out, in, "SET FORMAT json");
        }
        return in;
    }

    /** What comes until a certain time: a socket has a limit for each piece only. */
    private static final class Answer extends InputStream {
        private final Socket socket;
        private final InputStream in;
        private final long end;

        Answer(Socket socket, long end) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            awaitInTime();
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            awaitInTime();
            return in.read(bytes, offset, length);
        }

        private void awaitInTime() throws IOException {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("too late");
            }
            socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, left));
        }
    }

    private void expectOk(OutputStream out, InputStream in, String command) throws IOException {
        send(out, command);
        String answer = line(in);
        if (!answer.equals("OK")) {
            throw new CommException("RAS at " + address + " answers '" + answer + "' to " + command);
        }
    }

    private static void send(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException(CLOSED);
            }
            if (line.length() == LONGEST_LINE) {
                throw new IOException("the answer has no end");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    @Override
    public String toString() {
        return "Ras[" + address + "]";
    }
}
