// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.core.Buffer;
import org.jspecify.annotations.Nullable;

/** The memory that a communicator has allocated and that was not given back: singly, or all of it at the end. */
public final class Allocations {
    private final String where;
    private volatile boolean ended;
    /** Calls that give each buffer back. */
    private final Map<Buffer, Runnable> owned = Collections.synchronizedMap(new IdentityHashMap<>());

    /** @param where whose memory it is, for messages: "rank 0 of 2" */
    public Allocations(String where) {
        this.where = where;
    }

    /**
     * Adds a buffer, and returns it.
     *
     * @param free gives the memory back, after which the buffer is not alive; an {@link IllegalStateException} if the
     *     memory is in use
     */
    public <B extends Buffer> B add(B buffer, Runnable free) {
        owned.put(buffer, free);
        if (ended) {
            freeAll();
            throw new IllegalStateException("allocate on " + where + ": it was closed meanwhile");
        }
        return buffer;
    }

    /**
     * Gives a buffer back.
     *
     * @throws IllegalArgumentException if it is none of these
     * @throws IllegalStateException if it was freed, or its memory is in use
     */
    public void free(Buffer buffer) {
        Runnable giveBack = owned.get(buffer);
        if (giveBack == null || !buffer.isAlive()) {
            throw refusal(where, buffer);
        }
        try {
            giveBack.run();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "free on " + where + ": " + buffer + " is in use by an operation; await its end first ("
                            + e.getMessage() + ")",
                    e);
        }
        owned.remove(buffer);
    }

    /** Returns the exception for a buffer that cannot be freed: it is null, was freed, or is somebody else's. */
    public static RuntimeException refusal(String where, @Nullable Buffer buffer) {
        String operation = "free on " + where;
        if (buffer == null) {
            return new NullPointerException(operation + ": buffer is null");
        }
        return buffer.isAlive()
                ? new IllegalArgumentException(operation + ": " + buffer + " is not what this communicator's allocate"
                        + " returned; a slice or view of that is freed with it")
                : new IllegalStateException(operation + ": the memory of " + buffer + " was freed");
    }

    /** Gives back everything. What cannot be is still here when this throws. */
    void freeAll() {
        ended = true;
        List<Map.Entry<Buffer, Runnable>> all;
        synchronized (owned) {
            all = new ArrayList<>(owned.entrySet());
        }
        for (Map.Entry<Buffer, Runnable> each : all) {
            if (each.getKey().isAlive()) {
                each.getValue().run();
            }
            owned.remove(each.getKey());
        }
    }
}
