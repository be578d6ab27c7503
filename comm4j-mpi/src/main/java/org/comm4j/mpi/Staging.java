// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.DeviceMemory;

/**
 * Host memory that data of devices go through, which the device copies to and from at full speed. It is used again and
 * again; what MPI may still use is never given back here.
 */
final class Staging {
    private static final long LEAST = 64 << 10;

    private final List<HostArray> free = new ArrayList<>();
    private boolean closed;

    /** Returns bytes of host memory for all elements of {@code memory}, or more. */
    synchronized HostArray take(DeviceMemory memory) {
        free.removeIf(each -> !each.isAlive());
        HostArray best = null;
        for (HostArray each : free) {
            if (each.count() >= memory.byteSize() && (best == null || each.count() < best.count())) {
                best = each;
            }
        }
        if (best == null) {
            // Of twice the size at least, so that growing messages do not leave one for each size.
            return memory.pinned(Math.max(LEAST, 2 * Long.highestOneBit(Math.max(1, memory.byteSize()))));
        }
        free.remove(best);
        return best;
    }

    /** Returns such bytes as elements of a type. */
    static HostArray elements(HostArray bytes, DataType type, long count) {
        return bytes.slice(0, count * type.bytes()).view(type);
    }

    /** Takes back what MPI has finished with. */
    synchronized void giveBack(HostArray bytes) {
        if (closed) {
            close(bytes);
        } else {
            free.add(bytes);
        }
    }

    synchronized void close() {
        closed = true;
        free.forEach(Staging::close);
        free.clear();
    }

    private static void close(HostArray bytes) {
        if (bytes instanceof AutoCloseable closeable && bytes.isAlive()) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new CommException("host memory for copies cannot be given back: " + e.getMessage(), e);
            }
        }
    }
}
