// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What one rank may do at the rendezvous: the same whether the {@link Hub} is in this JVM or behind TCP. */
public interface Membership extends AutoCloseable {

    /** Makes a value known to all ranks, once per key. */
    void publish(String key, byte[] value);

    /** Waits until somebody has published the key. */
    byte[] lookup(String key, Duration timeout);

    /** Gives this rank's value and waits for those of all others; in rank order. */
    List<byte[]> exchange(String key, byte[] mine, Duration timeout);

    /**
     * Gives this rank's value to others and waits until each of them has given its own or is gone.
     *
     * @param ranks among whom, in ascending order, this one included; the same for all
     * @return the values by rank, the same for all, without those who are gone
     */
    SortedMap<Integer, byte[]> agree(String key, int[] ranks, byte[] mine, Duration timeout);

    /** The ranks known to have died, in ascending order; never waits. */
    List<Integer> failedRanks();

    /** Returns how a rank died, to continue "rank 2 ..."; null unless that is known. Never waits. */
    @Nullable
    String fate(int rank);

    /** Tells everybody what ended this rank, to continue "rank 2 ...", also after it has left. */
    void fail(String how);

    /** Tells everybody that the job ends with this exit code; returns when they have been told. */
    void abort(int exitCode, String reason);

    /** Leaves in peace. Idempotent. */
    @Override
    void close();
}
