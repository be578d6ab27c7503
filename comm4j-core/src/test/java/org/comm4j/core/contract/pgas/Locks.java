// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.concurrent.TimeUnit;
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

    /** PEs that come one after the other, the last one first, get it one after the other. */
    static void inOrder(Pgas shmem) throws ReflectiveOperationException {
        int me = shmem.myPe();
        int n = shmem.nPes();
        try (PgasLock lock = shmem.newLock();
                SymmetricBuffer order = shmem.allocate(DataType.INT64, 1L + n)) {
            if (me == 0) {
                lock.lock();
            }
            shmem.barrierAll();
            if (me > 0) {
                if (me < n - 1) {
                    awaitLastInQueue(shmem, lock, me + 1);
                }
                lock.lock();
                shmem.p(order, 1 + shmem.atomicFetchInc(order, 0, 0), me, 0);
                lock.unlock();
            } else {
                if (n > 1) {
                    awaitLastInQueue(shmem, lock, 1);
                }
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

    /** Looks into the lock: nothing that it offers tells who waits. */
    private static void awaitLastInQueue(Pgas shmem, PgasLock lock, int pe) throws ReflectiveOperationException {
        SymmetricBuffer words = (SymmetricBuffer) field(lock, "words");
        int tail = (int) field(lock, "TAIL");
        int home = (int) field(lock, "home");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (shmem.atomicFetch(words, tail, home) != pe + 1L) {
            if (System.nanoTime() > end) {
                throw new AssertionError("PE " + pe + " has not come to the queue");
            }
            Thread.yield();
        }
    }

    private static Object field(PgasLock lock, String name) throws ReflectiveOperationException {
        Field field = PgasLock.class.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(lock);
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
