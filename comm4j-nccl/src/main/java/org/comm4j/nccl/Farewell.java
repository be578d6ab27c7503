// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.comm4j.ffi.NativeCallException;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of one communicator end it. From NCCL 2.31 on, destroying one waits for all ranks of the host to do the same, also for one that has aborted its part
 * and never comes. So ranks tell each other before: those of one process directly, others where they have a {@link World} on one host. What waits for a rank that tells
 * nobody has a limit.
 */
final class Farewell {
    private static final int FIRST_THAT_WAITS = 23100;

    /** Communicators that are closed in different orders on different ranks cost this. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Destroying takes NCCL a good part of a second by itself. */
    private static final long LEAST_LIMIT = Duration.ofSeconds(10).toNanos();

    private static final byte[] DESTROYS = {1};
    private static final byte[] ABORTS = {0};

    private final Neighbours.Member member;
    private final Peers peers;
    private final String name;
    private final int rank;
    private final int size;
    /** Null where no other process is told. */
    private final @Nullable World world;

    Farewell(Neighbours.Member member, Peers peers, int rank, int size) {
        World known = peers.world();
        boolean told = known != null
                && !member.areAll(size)
                && known.localSize() == known.size()
                && Library.version() >= FIRST_THAT_WAITS;
        this.member = member;
        this.peers = peers;
        // A split of a split of a split has a long one.
        this.name = UUID.nameUUIDFromBytes(member.name().getBytes(StandardCharsets.UTF_8))
                .toString();
        this.rank = rank;
        this.size = size;
        this.world = told ? known : null;
    }

    /** This rank aborts its part. */
    void aborts() {
        member.aborts();
        if (world != null) {
            publish(world, ABORTS);
        }
    }

    /** This rank is about to destroy its part; false if another one has aborted its own, or has died, so that this one has to abort, too. */
    boolean isInOrder() {
        return Library.version() < FIRST_THAT_WAITS
                || (member.isInOrder()
                        && (world == null || isInOrder(world))
                        && peers.failedRanks().isEmpty());
    }

    private boolean isInOrder(World all) {
        publish(all, DESTROYS);
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int each = 0; each < size; each++) {
            long left = end - System.nanoTime();
            try {
                if (each != rank && left > 0 && all.lookup(key(each), Duration.ofNanos(left))[0] == ABORTS[0]) {
                    return false;
                }
            } catch (CommException | IllegalStateException tooLateOrNobodyListens) {
                return true;
            }
        }
        return true;
    }

    /**
     * How long NCCL may wait for others when it ends a communicator.
     *
     * @param timeoutNanos the communicator's limit; 0 for none
     */
    static long limit(long timeoutNanos) {
        return timeoutNanos == 0 ? 0 : Math.max(timeoutNanos, LEAST_LIMIT);
    }

    /**
     * Destroys this rank's part. Where that waits for others it is left alone when one of them dies, or at the limit: it goes on in a thread of its own, and cannot be
     * aborted meanwhile.
     *
     * @param timeoutNanos the communicator's limit; 0 for none
     */
    void destroy(String what, Device device, long timeoutNanos, Runnable call) {
        // An interrupt ends the wait, but not one that came before: it would leave alone what takes no time.
        boolean interrupted = Thread.interrupted();
        try {
            Library.call(what, device, peers, limit(timeoutNanos), call, () -> {});
        } catch (NativeCallException | CommException e) {
            System.getLogger("org.comm4j.nccl").log(System.Logger.Level.WARNING, what, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
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
