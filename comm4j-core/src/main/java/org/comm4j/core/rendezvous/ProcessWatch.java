// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A watch over processes of this machine, which notices within a second that one of them is ending. Linux closes the
 * sockets of a process at its very end: with a GPU that is seconds after it was killed, and never while another process
 * has the same sockets. The state of its threads in /proc tells at once.
 */
final class ProcessWatch implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(200);

    /** So often in a row a process is seen ending: what it has sent before is read meanwhile. */
    private static final int SIGNS = 3;

    private static final Path PROC = Path.of("/proc");

    /** Bits of a thread's flags in Linux: it is ending, or was killed by a signal. */
    private static final long EXITING = 0x4 | 0x400;

    private static final int FLAGS_FIELD = 9;

    /** A thread's pending signals, by number from the lowest bit on. */
    private static final int PENDING_FIELD = 31;

    private static final long KILL = 1L << 8;

    private static final int START_FIELD = 22;

    private final Duration period;
    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private final ByteBuffer text = ByteBuffer.allocateDirect(1024);
    private @Nullable Future<?> polling;
    private boolean closed;

    ProcessWatch() {
        this(PERIOD);
    }

    ProcessWatch(Duration period) {
        this.period = period;
    }

    /** This process as others of the same machine know it; null where the system has no /proc. */
    static Message.@Nullable ProcessId self() {
        try {
            ByteBuffer stat = ByteBuffer.wrap(Files.readAllBytes(PROC.resolve("self/stat")));
            return new Message.ProcessId(namespace(), ProcessHandle.current().pid(), field(stat, START_FIELD));
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Where numbers of processes mean the same: a boot of a machine, and a namespace on it. */
    private static String namespace() throws IOException {
        return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip() + " "
                + Files.readSymbolicLink(PROC.resolve("self/ns/pid"));
    }

    /**
     * Watches a process; without effect if this one cannot see it, as in another container.
     *
     * @param ended what to do once when the process is ending
     * @return ends the watch
     */
    synchronized AutoCloseable watch(Message.ProcessId process, Runnable ended) {
        Watched each = find(process, ended);
        if (each == null || closed) {
            HubServer.closeQuietly(each);
            return () -> {};
        }
        watched.add(each);
        if (polling == null) {
            polling = Connection.repeat(period, () -> watched.forEach(Watched::poll));
        }
        return each;
    }

    private @Nullable Watched find(Message.ProcessId process, Runnable ended) {
        try {
            if (!process.namespace().equals(namespace())) {
                return null;
            }
            Path folder = PROC.resolve(Long.toString(process.pid()));
            Watched each = new Watched(folder, FileChannel.open(folder.resolve("stat")), ended);
            if (each.start() == process.start()) {
                return each;
            }
            each.close();
        } catch (IOException | UnsupportedOperationException e) {
            // Gone or hidden: its connection tells.
        }
        return null;
    }

    /** Ends all watches. */
    @Override
    public synchronized void close() {
        closed = true;
        if (polling != null) {
            polling.cancel(false);
        }
        watched.forEach(Watched::close);
    }

    /** Field {@code number}, counted from 1, of the text in proc(5)'s form of stat; 0 if it is none. */
    static long field(ByteBuffer stat, int number) {
        // The second field is a program's name in brackets, with any characters.
        int at = stat.limit() - 1;
        while (at >= 0 && stat.get(at) != ')') {
            at--;
        }
        int field = 2;
        for (at++; at < stat.limit() && field < number; at++) {
            if (stat.get(at) == ' ') {
                field++;
            }
        }
        long value = 0;
        for (; at < stat.limit() && stat.get(at) >= '0' && stat.get(at) <= '9'; at++) {
            value = 10 * value + stat.get(at) - '0';
        }
        return value;
    }

    private static boolean isEnding(ByteBuffer stat) {
        return (field(stat, FLAGS_FIELD) & EXITING) != 0 || (field(stat, PENDING_FIELD) & KILL) != 0;
    }

    /** A process, by its open file in /proc: that belongs to no later process of the same number. */
    private final class Watched implements AutoCloseable {
        private final Path folder;
        private final FileChannel stat;
        private final Runnable ended;
        private int signs;

        Watched(Path folder, FileChannel stat, Runnable ended) {
            this.folder = folder;
            this.stat = stat;
            this.ended = ended;
        }

        long start() throws IOException {
            ByteBuffer now = ByteBuffer.allocate(1024);
            stat.read(now, 0);
            return field(now.flip(), START_FIELD);
        }

        void poll() {
            signs = isEnding() ? signs + 1 : 0;
            if (signs == SIGNS) {
                close();
                ended.run();
            }
        }

        private boolean isEnding() {
            try {
                text.clear();
                stat.read(text, 0);
                return ProcessWatch.isEnding(text.flip()) && areThreadsEnding();
            } catch (IOException e) {
                // There is no such process any more.
                return true;
            }
        }

        /** A first thread that has ended leaves the others running. */
        private boolean areThreadsEnding() {
            String[] threads = new File(folder.toFile(), "task").list();
            for (String thread : threads == null ? new String[0] : threads) {
                try {
                    byte[] each = Files.readAllBytes(
                            folder.resolve("task").resolve(thread).resolve("stat"));
                    if (!ProcessWatch.isEnding(ByteBuffer.wrap(each))) {
                        return false;
                    }
                } catch (IOException e) {
                    // It has ended.
                }
            }
            return true;
        }

        @Override
        public void close() {
            watched.remove(this);
            HubServer.closeQuietly(stat);
        }
    }
}
