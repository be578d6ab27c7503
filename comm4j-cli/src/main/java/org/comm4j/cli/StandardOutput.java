// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * {@code System.out} that remembers why something could not be written, of which {@link PrintStream} only keeps that it
 * happened.
 */
final class StandardOutput extends FilterOutputStream {
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

    StandardOutput(OutputStream to) {
        super(to);
    }

    static StandardOutput install() {
        Charset charset = System.out.charset();
        StandardOutput standard = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        System.setOut(new PrintStream(standard, true, charset));
        return standard;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure.compareAndSet(null, e);
            throw e;
        }
    }

    /** Why output was lost; null if it was not, or if nobody wanted more of it, as {@code head}. */
    @Nullable
    String lost() {
        IOException e = failure.get();
        String message = e == null ? null : String.valueOf(e.getMessage());
        return message == null || message.toLowerCase(Locale.ROOT).contains("pipe") ? null : message;
    }
}
