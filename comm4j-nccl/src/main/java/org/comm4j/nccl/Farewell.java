// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.comm4j.ffi.NativeCallException;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of one communicator end it. From NCCL 2.31 on, destroying one waits for all ranks of the host to do the same, also for one that has aborted its part
 * and never comes. So ranks tell each other before: those of one process directly, others where they have a {@link World}. What waits for a rank that tells
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
    /** The other ranks of the host, of other processes, who hear this one, and are heard. */
    private final int[] others;
    /** Null if there are none. */
    private final @Nullable World world;

    /** @param name the same on all ranks of the communicator, and no other one's */
    Farewell(Neighbours.Member member, String name, Peers peers, int rank, int size) {
        this.member = member;
        this.peers = peers;
        // A split of a split of a split has a long one.
        this.name =
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
        this.rank = rank;
        this.others = member.areAll(size) || Library.version() < FIRST_THAT_WAITS
                ? new int[0]
                : IntStream.range(0, size)
                        .filter(each -> each != rank && peers.isNear(each))
                        .toArray();
        this.world = others.length > 0 ? peers.world() : null;
    }

    /** What NCCL takes for one host: a name and a boot, unless the user says something else. */
    static long host() {
        String id = System.getenv("NCCL_HOSTID");
        try {
            if (id == null) {
                id = Files.readString(Path.of("/proc/sys/kernel/hostname"))
                        + Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            }
        } catch (IOException e) {
            // Nobody's then, so that nothing is known of the other ranks.
            return UUID.randomUUID().getLeastSignificantBits();
        }
        return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).getLeastSignificantBits();
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
        for (int each : others) {
            long left = end - System.nanoTime();
            try {
                if (left > 0 && all.lookup(key(each), Duration.ofNanos(left))[0] == ABORTS[0]) {
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
        try {
            Library.call(what, device, peers, limit(timeoutNanos), call, () -> {});
        } catch (NativeCallException | CommException e) {
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
