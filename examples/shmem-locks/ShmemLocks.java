// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.Pgas;
import org.comm4j.core.PgasLock;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.World;

/** Accounts on all PEs: everybody moves money between any two of them, under a lock, so that none gets lost. */
class ShmemLocks {
    private static final int TRANSFERS = 200;
    private static final long START = 1000;

    public static void main(String[] args) {
        try (World world = World.join();
                Pgas shmem = world.pgas();
                SymmetricBuffer account = shmem.allocate(DataType.INT64, 1);
                PgasLock lock = shmem.newLock()) {
            int me = shmem.myPe();
            int n = shmem.nPes();
            shmem.p(account, 0, START, me);
            shmem.barrierAll();
            SplittableRandom random = new SplittableRandom(me);
            int refused = 0;
            for (int i = 0; i < TRANSFERS; i++) {
                int from = random.nextInt(n);
                int to = random.nextInt(n);
                long amount = random.nextLong(1, START);
                lock.lock();
                long there = shmem.g(account, 0, from);
                if (there < amount) {
                    refused++;
                } else {
                    shmem.p(account, 0, there - amount, from);
                    // The two may be the same.
                    shmem.quiet();
                    shmem.p(account, 0, shmem.g(account, 0, to) + amount, to);
                }
                // What was put under the lock is there before another PE gets it.
                lock.unlock();
            }
            shmem.barrierAll();
            System.out.println(
                    "PE " + me + ": " + shmem.g(account, 0, me) + " left, " + refused + " transfers were refused");
            if (me == 0) {
                long sum = 0;
                for (int pe = 0; pe < n; pe++) {
                    sum += shmem.g(account, 0, pe);
                }
                System.out.println("all " + n + " PEs, " + shmem.engine() + ": " + sum
                        + (sum == n * START ? ", nothing was lost" : " instead of " + n * START));
            }
            shmem.barrierAll();
        }
    }
}
