// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.kernel.KernelCompileException;
import org.jspecify.annotations.Nullable;

/** What goes wrong in NVIDIA's compilers, with their logs. */
final class CompilerLog {
    /** A log that is longer says no more. */
    private static final int MOST_LOG = 16_384;

    private CompilerLog() {}

    /**
     * @param kernel as it is called
     * @param stage what was being done: {@code libNVVM verifies}
     * @param log of the library; may be empty
     */
    static KernelCompileException of(String kernel, String stage, String log, @Nullable Throwable cause) {
        String text = log.strip();
        return new KernelCompileException(
                "Kernel " + kernel + " cannot be compiled: " + stage + " failed"
                        + (cause == null ? "" : ": " + cause.getMessage())
                        + (text.isEmpty() ? "" : "\n" + text.substring(0, Math.min(text.length(), MOST_LOG))),
                cause);
    }

    /** One of the functions of a library that give a log. */
    @FunctionalInterface
    interface Call {
        void run(MemorySegment cell);
    }

    /** A log by its two functions; empty if there is none. */
    static String log(Call size, Call content) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            size.run(cell);
            long bytes = cell.get(ValueLayout.JAVA_LONG, 0);
            if (bytes <= 1) {
                return "";
            }
            MemorySegment text = arena.allocate(bytes + 1);
            content.run(text);
            return text.getString(0).strip();
        } catch (NativeCallException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** Options as C wants them. */
    static MemorySegment strings(Arena arena, List<String> texts) {
        MemorySegment array = arena.allocate(ValueLayout.ADDRESS, Math.max(texts.size(), 1));
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        return array;
    }
}
