// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a rank and the rendezvous: a Unix-domain socket on one machine, TCP between machines. Only
 * threads of the rendezvous itself may read and write: an interrupt closes a channel.
 */
final class Connection implements AutoCloseable {

    /** Ends what takes too long. Its thread is there only while something is under way. */
    private static final class Clock {
        static final ScheduledThreadPoolExecutor TIMER = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("comm4j-rendezvous-clock").factory());

        static {
            TIMER.setRemoveOnCancelPolicy(true);
            TIMER.setKeepAliveTime(1, TimeUnit.SECONDS);
            TIMER.allowCoreThreadTimeOut(true);
        }
    }

    private final SocketChannel channel;
    private final String peer;
    private final DataInputStream in;
    private final OutputStream out;

    Connection(SocketChannel channel) throws IOException {
        this.channel = channel;
        boolean local = isLocal();
        peer = local ? "a process of this machine" : Invitation.text(channel.getRemoteAddress());
        if (!local) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        }
        in = new DataInputStream(new BufferedInputStream(new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return channel.read(ByteBuffer.wrap(bytes, offset, length));
            }
        }));
        out = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b});
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }
        };
    }

    /**
     * Connects.
     *
     * @throws ClosedByInterruptException if this thread is interrupted
     * @throws IOException if that is not possible within {@code limit}
     */
    static Connection connect(SocketAddress address, Duration limit) throws IOException {
        if (address instanceof UnixDomainSocketAddress) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            return connect(channel, address);
        }
        SocketChannel channel = SocketChannel.open();
        Thread deadline = later(limit, () -> HubServer.closeQuietly(channel));
        try {
            InetSocketAddress at = (InetSocketAddress) address;
            return connect(channel, new InetSocketAddress(at.getHostString(), at.getPort()));
        } finally {
            deadline.interrupt();
        }
    }

    private static Connection connect(SocketChannel channel, SocketAddress address) throws IOException {
        boolean connected = false;
        try {
            channel.connect(address);
            // Whoever knocks often enough at a port of this machine that nobody listens on may be connected to himself.
            if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
                throw new IOException("nobody listens there");
            }
            Connection connection = new Connection(channel);
            connected = true;
            return connection;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (AsynchronousCloseException e) {
            throw new IOException("no connection", e);
        } catch (RuntimeException e) {
            // A host without an address.
            throw new IOException(e.toString(), e);
        } finally {
            if (!connected) {
                HubServer.closeQuietly(channel);
            }
        }
    }

    /**
     * Does something later in a thread of its own, unless that is interrupted: a rank has no use for more than that.
     */
    static Thread later(Duration delay, Runnable action) {
        return Thread.ofPlatform().daemon().name("comm4j-rendezvous-patience").start(() -> {
            try {
                Thread.sleep(delay);
                action.run();
            } catch (InterruptedException e) {
                // Not needed any more.
            }
        });
    }

    /** Does something later, unless it is cancelled. */
    static Future<?> after(Duration delay, Runnable action) {
        return Clock.TIMER.schedule(action, Hub.nanos(delay), TimeUnit.NANOSECONDS);
    }

    /** Does something again and again, until it is cancelled. */
    static Future<?> repeat(Duration period, Runnable action) {
        long nanos = Hub.nanos(period);
        return Clock.TIMER.scheduleWithFixedDelay(action, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Whether both ends are on this machine, and the kernel says whose the other one is. */
    boolean isLocal() throws IOException {
        return channel.getLocalAddress() instanceof UnixDomainSocketAddress;
    }

    /** The user of the process at the other end of a local connection if it is not this process's; null if it is. */
    @Nullable
    String stranger() throws IOException {
        if (!channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
            // A system whose kernel does not say; there the folder's permissions have to do.
            return null;
        }
        UserPrincipal user =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        return user.equals(myself()) ? null : user.getName();
    }

    /** The user as whom this process runs. */
    static UserPrincipal myself() throws IOException {
        Path process = Path.of("/proc/self");
        if (Files.exists(process)) {
            return Files.getOwner(process);
        }
        Path probe = Files.createTempFile("comm4j-", ".probe");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    /** Who is at the other end, for messages. */
    String peer() {
        return peer;
    }

    DataInputStream in() {
        return in;
    }

    /** Sends what a connection begins with. */
    void open() throws IOException {
        out.write(Message.preamble());
    }

    /** Sends; a connection that is broken is left to its reader, who finds out too. */
    synchronized void send(Message message) {
        try {
            message.write(out);
        } catch (IOException e) {
            // Dealt with by the reader.
        }
    }

    @Override
    public void close() {
        HubServer.closeQuietly(channel);
    }
}
