// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.comm4j.cuda.DeviceArray;

/**
 * The memory, windows and other things that were made with a communicator, and are closed with it. It is for any thread
 * and takes no other lock: memory is forgotten by whoever frees it, which may be a thread that frees something else
 * meanwhile.
 */
final class CommResources {
    private final Set<AutoCloseable> open = new LinkedHashSet<>();
    private boolean closed;
    /** Copied when written. */
    private volatile Window[] windows = {};

    /** Adds what is to be closed with the communicator; false if that is closed, so that the caller has to close it. */
    synchronized boolean add(AutoCloseable resource) {
        if (closed) {
            return false;
        }
        open.add(resource);
        if (resource instanceof Window window) {
            Window[] more = Arrays.copyOf(windows, windows.length + 1);
            more[windows.length] = window;
            windows = more;
        }
        return true;
    }

    /** Forgets something; false if it is not here any more. */
    synchronized boolean remove(AutoCloseable resource) {
        if (resource instanceof Window) {
            windows = Arrays.stream(windows).filter(each -> each != resource).toArray(Window[]::new);
        }
        return open.remove(resource);
    }

    synchronized boolean contains(AutoCloseable resource) {
        return open.contains(resource);
    }

    /** The windows that are open; not to be written. */
    Window[] windows() {
        return windows;
    }

    /** Closes what NCCL would otherwise miss: all but memory. */
    void closeRegistrations() {
        for (AutoCloseable each : copy()) {
            if (!(each instanceof DeviceArray)) {
                closeQuietly(each);
            }
        }
    }

    /** Closes everything; NCCL's communicator is gone. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        copy().forEach(CommResources::closeQuietly);
    }

    private synchronized List<AutoCloseable> copy() {
        return new ArrayList<>(open);
    }

    static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, "close of " + resource, e);
        }
    }
}
