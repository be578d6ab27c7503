// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.spi.HostCall;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.comm4j.ffi.ExitGuard;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/** The NCCL that this process has loaded: its version, and how its errors read. */
final class Library {
    /** The oldest version that this module is made for, as a number. */
    static final int OLDEST = 22800;

    private static final String STUCK = "NCCL goes on waiting in a thread of its own (a communicator with"
            + " CommConfig.blocking(false) can be given up entirely)";

    private static volatile int version;

    private Library() {}

    /** The version as a number, 22809 for 2.28.9; loads the library if need be. */
    static int version() {
        int known = version;
        if (known == 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment cell = arena.allocate(ValueLayout.JAVA_INT);
                LibNccl.ncclGetVersion(cell);
                known = cell.get(ValueLayout.JAVA_INT, 0);
            }
            if (known < OLDEST) {
                throw new UnsupportedOperationException(
                        "NCCL " + NcclVersion.of(OLDEST) + " or newer is needed; loaded: " + NcclVersion.of(known)
                                + " (" + LibNccl.library().file() + ")");
            }
            version = known;
        }
        return known;
    }

    /** Version and file, for messages. */
    static String describe() {
        return version == 0
                ? String.valueOf(LibNccl.library().version())
                : NcclVersion.of(version) + " (" + LibNccl.library().file() + ")";
    }

    /**
     * Makes a call that blocks inside NCCL until the other ranks come.
     *
     * @param timeoutNanos the limit; 0 for none
     * @param late what to do when {@code body} ended well after it was given up
     */
    static void call(String what, Device device, Peers peers, long timeoutNanos, Runnable body, Runnable late) {
        Runnable onDevice = () -> {
            // Whoever waits may have given it up when the JVM ends.
            try (ExitGuard _ = ExitGuard.open()) {
                device.makeCurrent();
                body.run();
            }
        };
        HostCall.run(what, STUCK, peers, timeoutNanos, onDevice, late);
    }

    /** What NCCL said last, in this process, to whatever call; empty if nothing. */
    static String lastError() {
        @Nullable String text = LibNccl.ncclGetLastError(NcclComm.NULL);
        return text == null || text.isBlank() ? "" : text.strip();
    }
}
