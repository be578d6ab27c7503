// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import org.comm4j.core.DataType;
import org.comm4j.core.World;

/** Times of put and quiet, and of get, of PE 0 while PE 1 waits in a barrier; the same loops as {@code put-get.c}. */
final class PutGetProgram {
    private static final int BLOCKS = 40;
    private static final int[] BYTES = {8, 4096, 65536, 1 << 20};
    private static final int[] CALLS = {200, 200, 50, 10};
    /** So long each size is tried before the first block that counts, until it is compiled. */
    private static final long WARM_NANOS = 700_000_000L;

    private PutGetProgram() {}

    /** Runs the loops; with any argument the process ends without MPI_Finalize. */
    public static void main(String[] args) {
        try (World world = World.join();
                OpenShmem shmem = OpenShmem.init(world)) {
            SymmetricArray there = shmem.allocate(DataType.INT64, (1 << 20) / 8);
            SymmetricArray local = shmem.allocate(DataType.INT64, (1 << 20) / 8);
            local.fill(shmem.myPe() + 1);
            there.fill(shmem.myPe() + 1);
            shmem.barrierAll();
            for (boolean get : new boolean[] {false, true}) {
                for (int size = 0; size < BYTES.length; size++) {
                    if (shmem.myPe() == 0) {
                        measure(shmem, there, local, BYTES[size], CALLS[size], get);
                    }
                    shmem.barrierAll();
                }
            }
            // PE 0 has put its ones, and has got them back.
            if (there.getLong(0) != 1 || local.getLong(local.count() - 1) != shmem.myPe() + 1) {
                throw new AssertionError("PE " + shmem.myPe() + " has " + there.getLong(0));
            }
            if (args.length > 0) {
                // MPICH 4.0 over UCX's TCP does not always come back from MPI_Finalize; put-get.c leaves it out, too.
                shmem.barrierAll();
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
        }
    }

    private static void measure(
            OpenShmem shmem, SymmetricArray there, SymmetricArray local, int bytes, int calls, boolean get) {
        long count = bytes / Long.BYTES;
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < WARM_NANOS) {
            long ignored = nanos(shmem, there, local, count, calls, get);
        }
        long least = Long.MAX_VALUE;
        for (int block = 0; block < BLOCKS; block++) {
            least = Math.min(least, nanos(shmem, there, local, count, calls, get));
        }
        String what = get ? "get" : "put";
        System.out.println(what + " " + bytes + " " + String.format("%.3f", least / 1e3 / calls));
    }

    private static long nanos(
            OpenShmem shmem, SymmetricArray there, SymmetricArray local, long count, int calls, boolean get) {
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            if (get) {
                shmem.get(local, 0, there, 0, count, 1);
            } else {
                shmem.put(there, 0, local, 0, count, 1);
                shmem.quiet();
            }
        }
        return System.nanoTime() - begin;
    }
}
