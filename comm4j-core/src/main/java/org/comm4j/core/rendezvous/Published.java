// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.util.HashMap;
import java.util.Map;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/**
 * The values that were published, which stay for whoever comes later: as many as fit, so that none can take all memory
 * of their host.
 */
final class Published {
    /** What the host keeps, in bytes. */
    static final long LIMIT = 256L << 20;

    /** What a value takes besides its bytes and those of its key, about. */
    private static final int EACH = 128;

    private final Map<String, byte[]> values = new HashMap<>();
    private long bytes;

    /**
     * Adds one.
     *
     * @throws IllegalStateException if there is one of this key
     * @throws CommException if there is no room
     */
    void add(int rank, String key, byte[] value) {
        if (values.containsKey(key)) {
            throw new IllegalStateException(
                    "rank " + rank + ": '" + key + "' was published before; a key is published once, by one rank");
        }
        long more = value.length + 2L * key.length() + EACH;
        if (bytes + more > LIMIT) {
            throw new CommException("rank " + rank + ": there is no room to publish '" + key + "': the " + values.size()
                    + " values that were published before stay until the job ends, and take " + bytes + " of "
                    + LIMIT + " bytes; use exchange, which keeps nothing");
        }
        values.put(key, value);
        bytes += more;
    }

    /** Returns null while there is none. */
    byte @Nullable [] get(String key) {
        return values.get(key);
    }
}
