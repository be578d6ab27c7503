// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of one communicator end it. From NCCL 2.31 on, destroying one waits for all ranks of the host to do the same, also for one that has aborted its part
 * and never comes. So ranks tell each other before, where they have a {@link World} on one host.
 */
final class Farewell {
    private static final int FIRST_THAT_WAITS = 23100;

    /** Communicators that are closed in different orders on different ranks cost this. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Destroying takes NCCL a good part of a second by itself. */
    private static final long LEAST_LIMIT = Duration.ofSeconds(10).toNanos();

    private static final byte[] DESTROYS = {1};
    private static final byte[] ABORTS = {0};

    private final Peers peers;
    private final String name;
    private final int rank;
    private final int size;
    /** Null where nobody is told. */
    private final @Nullable World world;

    /** @param name the same on all ranks of the communicator, and no other one's */
    Farewell(Peers peers, String name, int rank, int size) {
        World known = peers.world();
        boolean told =
                known != null && size > 1 && known.localSize() == known.size() && Library.version() >= FIRST_THAT_WAITS;
        this.peers = peers;
        // A split of a split of a split has a long one.
        this.name =
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
        this.rank = rank;
        this.size = size;
        this.world = told ? known : null;
    }

    /** This rank aborts its part. */
    void aborts() {
        if (world != null) {
            publish(world, ABORTS);
        }
    }

    /** This rank is about to destroy its part; false if another one has aborted its own, or has died, so that this one has to abort, too. */
    boolean isInOrder() {
        if (world == null) {
            return true;
        }
        publish(world, DESTROYS);
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int each = 0; each < size; each++) {
            long left = end - System.nanoTime();
            try {
                if (each != rank && left > 0 && world.lookup(key(each), Duration.ofNanos(left))[0] == ABORTS[0]) {
                    return false;
                }
            } catch (CommTimeoutException e) {
                return true;
            } catch (CommException e) {
                return peers.failedRanks().isEmpty();
            } catch (IllegalStateException worldIsClosed) {
                return true;
            }
        }
        return true;
    }

    /**
     * Destroys this rank's part. Where that waits for others it is left alone when one of them dies, or at the limit: it goes on in a thread of its own, and cannot be
     * aborted meanwhile.
     *
     * @param timeoutNanos the communicator's limit; 0 for none
     */
    void destroy(String what, Device device, long timeoutNanos, Runnable call) {
        if (world == null) {
            call.run();
            return;
        }
        long limit = timeoutNanos == 0 ? 0 : Math.max(timeoutNanos, LEAST_LIMIT);
        try {
            Library.call(what, device, peers, limit, call, () -> {});
        } catch (CommException e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, what, e);
        }
    }

    private void publish(World all, byte[] how) {
        try {
            all.publish(key(rank), how);
        } catch (IllegalStateException | CommException saidBeforeOrNobodyListens) {
            return;
        }
    }

    private String key(int of) {
        return "comm4j-nccl-end " + of + " " + name;
    }
}
