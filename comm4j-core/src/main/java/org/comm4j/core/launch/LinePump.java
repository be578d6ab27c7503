// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Carries one output stream of one rank to where all ranks' output goes: whole lines, each with the rank's prefix.
 * Memory is bounded: a line longer than {@link #LONGEST} comes in pieces of that length, each on a line of its own.
 */
final class LinePump {

    /** The longest line, in bytes, that stays one. */
    static final int LONGEST = 64 << 10;

    private static final int CHUNK = 16 << 10;

    /** Where several pumps write. What can no longer be written is dropped, so that the ranks need not stop. */
    static final class Sink {
        private final OutputStream out;
        private boolean broken;

        Sink(OutputStream out) {
            this.out = out;
        }

        synchronized void write(byte[] bytes, int length) {
            if (!broken) {
                try {
                    out.write(bytes, 0, length);
                    out.flush();
                } catch (IOException e) {
                    broken = true;
                }
            }
        }
    }

    private final InputStream in;
    private final boolean raw;
    private final byte[] prefix;
    private final Sink sink;
    private final Thread thread;
    private final byte[] line = new byte[LONGEST];
    private int length;
    private volatile boolean writing;
    private volatile long lastRead = System.nanoTime();

    /**
     * Begins.
     *
     * @param raw whether the bytes pass as they are, at once
     * @param prefix what stands before each line otherwise
     */
    LinePump(String name, InputStream in, boolean raw, byte[] prefix, Sink sink) {
        this.in = in;
        this.raw = raw;
        this.prefix = prefix;
        this.sink = sink;
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /**
     * Waits until everything has been carried. If nothing more comes for {@code idleNanos} although the rank has ended,
     * somebody else holds the stream open, and that is not waited for. A slow reader of our output is.
     */
    void await(long idleNanos) throws InterruptedException {
        long start = System.nanoTime();
        while (thread.isAlive()) {
            thread.join(50);
            long now = System.nanoTime();
            if (!writing && Math.min(now - start, now - lastRead) > idleNanos) {
                return;
            }
        }
    }

    private void run() {
        byte[] chunk = new byte[CHUNK];
        ByteArrayOutputStream batch = new ByteArrayOutputStream(2 * CHUNK);
        try (in) {
            for (int read; (read = in.read(chunk)) >= 0; ) {
                lastRead = System.nanoTime();
                if (raw) {
                    write(chunk, read);
                    continue;
                }
                split(chunk, read, batch);
                write(batch);
            }
        } catch (IOException e) {
            // The rank is gone; what it wrote before was read.
        }
        if (length > 0) {
            emit(batch, length, '\n');
            write(batch);
        }
    }

    private void split(byte[] chunk, int read, ByteArrayOutputStream batch) {
        for (int i = 0; i < read; i++) {
            if (chunk[i] == '\n') {
                emit(batch, length, '\n');
            } else if (chunk[i] == '\r' && prefix.length == 0) {
                // A line that is to be overwritten, such as a progress bar: seen at once, or it would be of no use.
                emit(batch, length, '\r');
            } else {
                line[length++] = chunk[i];
                if (length == LONGEST) {
                    emit(batch, wholeCharacters(), '\n');
                }
            }
        }
    }

    /** Ends the pending line after {@code count} bytes; what is left begins the next one. */
    private void emit(ByteArrayOutputStream batch, int count, char end) {
        batch.writeBytes(prefix);
        batch.write(line, 0, count);
        batch.write(end);
        System.arraycopy(line, count, line, 0, length - count);
        length -= count;
    }

    /** How many bytes of the pending line end with a whole character of UTF-8. */
    private int wholeCharacters() {
        for (int start = length - 1; start >= length - 4; start--) {
            int lead = line[start] & 0xff;
            if (lead < 0x80) {
                return length;
            }
            if (lead >= 0xc0) {
                int needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
                return length - start < needed ? start : length;
            }
        }
        return length;
    }

    private void write(ByteArrayOutputStream batch) {
        write(batch.toByteArray(), batch.size());
        batch.reset();
    }

    private void write(byte[] bytes, int count) {
        writing = true;
        sink.write(bytes, count);
        writing = false;
    }
}
