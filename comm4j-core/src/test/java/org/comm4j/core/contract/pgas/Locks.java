// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.Pgas;
import org.comm4j.core.PgasLock;
import org.comm4j.core.SymmetricBuffer;

/** Locks. */
final class Locks {
    private Locks() {}

    static void exclude(Pgas shmem) {
        try (PgasLock lock = shmem.newLock();
                SymmetricBuffer count = shmem.allocate(DataType.INT64, 1)) {
            int rounds = 100;
            for (int i = 0; i < rounds; i++) {
                lock.lock();
                shmem.p(count, 0, shmem.g(count, 0, 0) + 1, 0);
                lock.unlock();
            }
            shmem.barrierAll();
            assertThat(shmem.g(count, 0, 0)).isEqualTo((long) rounds * shmem.nPes());
            shmem.barrierAll();
        }
    }

    /** PEs that come one after the other get it one after the other. */
    static void inOrder(Pgas shmem) throws InterruptedException {
        int me = shmem.myPe();
        int n = shmem.nPes();
        try (PgasLock lock = shmem.newLock();
                SymmetricBuffer turn = shmem.allocate(DataType.INT64, 1);
                SymmetricBuffer order = shmem.allocate(DataType.INT64, 1L + n)) {
            if (me == 0) {
                lock.lock();
            }
            shmem.barrierAll();
            for (int pe = n - 1; pe > 0; pe--) {
                if (pe == me) {
                    if (pe > 1) {
                        // Long after this PE has come to the queue.
                        Thread.ofPlatform().start(() -> {
                            try {
                                Thread.sleep(50);
                            } catch (InterruptedException e) {
                                return;
                            }
                            shmem.p(turn, 0, 1, me - 1);
                        });
                    }
                    lock.lock();
                    shmem.p(order, 1 + shmem.atomicFetchInc(order, 0, 0), me, 0);
                    lock.unlock();
                } else if (pe == me + 1 && me > 0) {
                    long ignored = shmem.waitUntil(turn, 0, Comparison.EQ, 1);
                }
            }
            if (me == 0) {
                Thread.sleep(60L * n);
                lock.unlock();
            }
            shmem.barrierAll();
            if (me == 0) {
                for (int i = 1; i < n; i++) {
                    assertThat(order.toHost().getLong(i)).isEqualTo(n - i);
                }
            }
            shmem.barrierAll();
        }
    }

    static void tried(Pgas shmem) {
        try (PgasLock lock = shmem.newLock()) {
            if (shmem.myPe() == 0) {
                assertThat(lock.tryLock()).isTrue();
                assertThat(lock.isHeld()).isTrue();
                assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(lock::tryLock).isInstanceOf(IllegalStateException.class);
            }
            shmem.barrierAll();
            if (shmem.myPe() != 0) {
                assertThat(lock.tryLock()).isFalse();
                assertThatThrownBy(lock::unlock)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("does not hold the lock");
            }
            shmem.barrierAll();
            if (shmem.myPe() == 0) {
                lock.unlock();
            }
            shmem.barrierAll();
        }
    }
}
