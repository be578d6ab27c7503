// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.foreign.MemorySegment;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * Copies from global to shared memory that go on while the thread does ({@code cp.async}). A thread puts its copies
 * into groups and waits for groups; what it has waited for is seen by itself, and by others after a barrier. Until then
 * neither the source may be written nor the target be read.
 *
 * <p>On the CPU, where threads wait for each other at all, a copy happens when it is waited for and not before: a
 * kernel that forgets to wait finds the old content.
 */
public final class AsyncCopy {
    private AsyncCopy() {}

    /** 4 bytes ({@code cp.async.ca} of PTX). Both are at multiples of 4 bytes; {@code shared} is of this block. */
    @InlinePtx(value = GLOBAL + "cp.async.ca.shared.global [$1], [g], 4; }", shared = 1)
    public static void copy4(Ptr shared, Ptr global) {
        copy(shared, global, 4, 4);
    }

    /** 8 bytes ({@code cp.async.ca} of PTX). Both are at multiples of 8 bytes; {@code shared} is of this block. */
    @InlinePtx(value = GLOBAL + "cp.async.ca.shared.global [$1], [g], 8; }", shared = 1)
    public static void copy8(Ptr shared, Ptr global) {
        copy(shared, global, 8, 8);
    }

    /**
     * 16 bytes, past the L1 cache ({@code cp.async.cg} of PTX). Both are at multiples of 16 bytes; {@code shared} is of
     * this block.
     */
    @InlinePtx(value = GLOBAL + "cp.async.cg.shared.global [$1], [g], 16; }", shared = 1)
    public static void copy16(Ptr shared, Ptr global) {
        copy(shared, global, 16, 16);
    }

    /**
     * Writes 4 bytes of which the first {@code bytes}, 0 to 4, are copied and the others 0; with 0 nothing is read
     * ({@code cp.async.ca} of PTX with a source's size). Both are at multiples of 4 bytes.
     */
    @InlinePtx(value = GLOBAL + "cp.async.ca.shared.global [$1], [g], 4, $3; }", shared = 1)
    public static void copy4(Ptr shared, Ptr global, int bytes) {
        copy(shared, global, 4, bytes);
    }

    /**
     * Writes 8 bytes of which the first {@code bytes}, 0 to 8, are copied and the others 0; with 0 nothing is read
     * ({@code cp.async.ca} of PTX with a source's size). Both are at multiples of 8 bytes.
     */
    @InlinePtx(value = GLOBAL + "cp.async.ca.shared.global [$1], [g], 8, $3; }", shared = 1)
    public static void copy8(Ptr shared, Ptr global, int bytes) {
        copy(shared, global, 8, bytes);
    }

    /**
     * Writes 16 bytes of which the first {@code bytes}, 0 to 16, are copied and the others 0; with 0 nothing is read
     * ({@code cp.async.cg} of PTX with a source's size). Both are at multiples of 16 bytes.
     */
    @InlinePtx(value = GLOBAL + "cp.async.cg.shared.global [$1], [g], 16, $3; }", shared = 1)
    public static void copy16(Ptr shared, Ptr global, int bytes) {
        copy(shared, global, 16, bytes);
    }

    /**
     * Makes a group of this thread's copies since the last one, maybe of none ({@code cp.async.commit_group} of PTX).
     */
    @InlinePtx("cp.async.commit_group;")
    public static void commit() {
        KernelThread.current().copies().commit();
    }

    /**
     * Waits until at most the {@code pending} latest groups of this thread are still going on ({@code
     * cp.async.wait_group} of PTX). {@code pending} is a constant.
     */
    @InlinePtx(value = "cp.async.wait_group $1;", constants = 1)
    public static void waitFor(int pending) {
        KernelThread.current().copies().waitFor(pending);
    }

    /** Waits for all copies of this thread, in groups or not ({@code cp.async.wait_all} of PTX). */
    @InlinePtx("cp.async.wait_all;")
    public static void waitAll() {
        KernelThread.current().copies().waitAll();
    }

    private static final String GLOBAL = "{ .reg .b64 g; cvta.to.global.u64 g, $2; ";

    private static void copy(Ptr shared, Ptr global, int size, int bytes) {
        shared.checkAligned(0, size);
        if (bytes < 0 || bytes > size) {
            throw new IllegalArgumentException(bytes + " bytes of a copy of " + size);
        }
        if (bytes > 0) {
            global.checkAligned(0, size);
        }
        KernelThread.current().copies().add(() -> {
            MemorySegment target = shared.segment.asSlice(shared.offset, size);
            if (bytes > 0) {
                MemorySegment.copy(global.segment, global.offset, target, 0, bytes);
            }
            target.asSlice(bytes).fill((byte) 0);
            KernelThread.current().copied(shared.segment, shared.offset, size, false);
        });
    }
}
