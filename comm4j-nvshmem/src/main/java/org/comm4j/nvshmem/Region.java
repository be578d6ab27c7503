// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemxRegionAttrs;

/**
 * A stretch of this PE's calls, from {@link Nvshmem#region} to {@link #close}, in which transports may treat operations
 * as its hints say ({@code nvshmemx_region_start}, {@code _stop}; NVSHMEM 3.8). Hints change how fast operations are,
 * not what they do.
 */
public final class Region implements AutoCloseable {
    /** What the program knows of the operations in a region. */
    public enum Hint {
        /** Many puts and gets come together, and may be sent together ({@code NVSHMEMX_REGION_HINT_BATCH_RMA}). */
        BATCH_RMA(LibNvshmem.NVSHMEMX_REGION_HINT_BATCH_RMA);

        private final int bit;

        Hint(int bit) {
            this.bit = bit;
        }
    }

    private final Session session;
    private final long handle;
    private boolean closed;

    private Region(Session session, long handle) {
        this.session = session;
        this.handle = handle;
    }

    private static int bits(Hint... hints) {
        int bits = LibNvshmem.NVSHMEMX_REGION_HINT_NONE;
        for (Hint hint : hints) {
            bits |= hint.bit;
        }
        return bits;
    }

    static Region start(Session session, Hint... hints) {
        Library.require("region", session.where(), 3, 8);
        session.enter("region");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(NvshmemxRegionAttrs.LAYOUT);
            attributes.set(JAVA_INT, NvshmemxRegionAttrs.hints, bits(hints));
            MemorySegment cell = arena.allocate(JAVA_LONG);
            LibNvshmem.nvshmemx_region_start(cell, attributes);
            return new Region(session, cell.get(JAVA_LONG, 0));
        } catch (NativeCallException e) {
            throw new NvshmemException("region on " + session.where(), e);
        } finally {
            session.leave();
        }
    }

    static boolean isActive(Session session, Hint... hints) {
        Library.require("isRegionActive", session.where(), 3, 8);
        session.enter("isRegionActive");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_INT);
            LibNvshmem.nvshmemx_region_is_active(bits(hints), cell);
            return cell.get(JAVA_INT, 0) != 0;
        } catch (NativeCallException e) {
            throw new NvshmemException("isRegionActive on " + session.where(), e);
        } finally {
            session.leave();
        }
    }

    /** Ends it; a second time, or after {@link Nvshmem#close}, this does nothing. */
    @Override
    public synchronized void close() {
        if (closed || !session.isOpen()) {
            return;
        }
        session.enter("close of a region");
        try {
            closed = true;
            LibNvshmem.nvshmemx_region_stop(handle);
        } catch (NativeCallException e) {
            throw new NvshmemException("close of a region on " + session.where(), e);
        } finally {
            session.leave();
        }
    }
}
