// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.time.Duration;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;

/**
 * Two PEs of {@link LitmusTest}: PE 0 stores data, then a flag, in every way that orders the two, as often as it can;
 * PE 1 looks for the data of flags that it sees.
 */
final class LitmusProgram {
    /** So many go without an answer. */
    private static final int WINDOW = 64;

    private enum Way {
        PUT_FENCE_P,
        PUT_FENCE_SIGNAL,
        PUT_SIGNAL,
        P_FENCE_ATOMIC,
        PUT_NBI_QUIET_P,
        IPUT_FENCE_ATOMIC,
        GET_AFTER_SIGNAL
    }

    private LitmusProgram() {}

    public static void main(String[] args) {
        long nanos = Duration.ofMillis(Long.parseLong(args[0])).toNanos();
        try (World world = World.join();
                OpenShmem shmem = OpenShmem.init(world)) {
            shmem.timeout(Duration.ofSeconds(30));
            try (SymmetricArray data = shmem.allocate(DataType.INT64, 2 * WINDOW);
                    SymmetricArray flags = shmem.allocate(DataType.INT64, WINDOW);
                    SymmetricArray answer = shmem.allocate(DataType.INT64, 2)) {
                long stamp = 0;
                for (Way way : Way.values()) {
                    long begin = stamp;
                    stamp = shmem.myPe() == 0
                            ? write(shmem, way, data, flags, answer, stamp, System.nanoTime() + nanos)
                            : read(shmem, way, data, flags, answer, stamp);
                    System.out.println(way + " " + (stamp - begin) * WINDOW + " rounds");
                    shmem.barrierAll();
                }
            }
        }
    }

    private static long write(
            OpenShmem shmem,
            Way way,
            SymmetricArray data,
            SymmetricArray flags,
            SymmetricArray answer,
            long begin,
            long end) {
        HostArray[] sources = new HostArray[WINDOW];
        SymmetricArray[] places = new SymmetricArray[WINDOW];
        for (int i = 0; i < WINDOW; i++) {
            sources[i] = HostArray.allocate(DataType.INT64, 2);
            places[i] = data.slice(2L * i, 2);
        }
        for (long stamp = begin + 1; ; stamp++) {
            for (int i = 0; i < WINDOW; i++) {
                HostArray source = sources[i];
                source.setLong(0, stamp);
                source.setLong(1, stamp);
                SymmetricArray place = places[i];
                switch (way) {
                    case PUT_FENCE_P -> {
                        shmem.put(place, source, 1);
                        shmem.fence();
                        shmem.p(flags, i, stamp, 1);
                    }
                    case PUT_FENCE_SIGNAL -> {
                        shmem.put(place, source, 1);
                        shmem.fence();
                        shmem.signal(flags, i, stamp, SignalOp.SET, 1);
                    }
                    case PUT_SIGNAL -> shmem.putSignal(place, source, flags, i, stamp, SignalOp.SET, 1);
                    case P_FENCE_ATOMIC -> {
                        shmem.p(place, 0, stamp, 1);
                        shmem.p(place, 1, stamp, 1);
                        shmem.fence();
                        shmem.atomicSet(flags, i, stamp, 1);
                    }
                    case PUT_NBI_QUIET_P -> {
                        shmem.putNbi(place, source, 1);
                        shmem.quiet();
                        shmem.p(flags, i, stamp, 1);
                    }
                    case IPUT_FENCE_ATOMIC -> {
                        shmem.iput(place, source, 1, 1, 2, 1);
                        shmem.fence();
                        long ignored = shmem.atomicSwap(flags, i, stamp, 1);
                    }
                    case GET_AFTER_SIGNAL -> {
                        place.setLong(0, stamp);
                        place.setLong(1, stamp);
                        shmem.fence();
                        shmem.signal(flags, i, stamp, SignalOp.SET, 1);
                    }
                }
            }
            boolean last = System.nanoTime() > end;
            shmem.atomicSet(answer, 1, last ? -stamp : stamp, 1);
            long ignored = shmem.waitUntil(answer, 0, Comparison.EQ, stamp);
            if (last) {
                return stamp;
            }
        }
    }

    private static long read(
            OpenShmem shmem, Way way, SymmetricArray data, SymmetricArray flags, SymmetricArray answer, long begin) {
        // The last way ended with this.
        long before = -begin;
        for (long stamp = begin + 1; ; stamp++) {
            for (int i = 0; i < WINDOW; i++) {
                long ignored = shmem.waitUntil(flags, i, Comparison.EQ, stamp);
                boolean there = way == Way.GET_AFTER_SIGNAL;
                long first = there ? shmem.g(data, 2L * i, 0) : data.getLong(2L * i);
                long second = there ? shmem.g(data, 2L * i + 1, 0) : data.getLong(2L * i + 1);
                if (first != stamp || second != stamp) {
                    throw new AssertionError(way + ": the flag of window " + stamp
                            + " has come before its data, which is " + first + ", " + second);
                }
            }
            long said = shmem.waitUntil(answer, 1, Comparison.NE, before);
            before = said;
            boolean last = said < 0;
            shmem.atomicSet(answer, 0, stamp, 0);
            if (last) {
                return stamp;
            }
        }
    }
}
