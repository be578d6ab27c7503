// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * A lock that one PE at a time holds, given to those who wait in the order in which they came ({@code shmem_set_lock}).
 * Not reentrant; one thread of each PE uses it at a time.
 *
 * <p>Those who wait form a queue, each looking at a word of its own memory only; the queue's end is on one PE.
 */
public final class PgasLock implements AutoCloseable {
    static final int WORDS = 3;
    /** Element 0, on one PE: who is last in the queue, plus 1; 0 if nobody. */
    private static final int TAIL = 0;
    /** Element 1: who is next after this PE, plus 1. */
    private static final int NEXT = 1;
    /** Element 2: whether this PE must wait. */
    private static final int WAITING = 2;

    private final Pgas shmem;
    private final SymmetricBuffer words;
    private final int home;
    private boolean held;

    /** @param words zeroed, {@link #WORDS} of {@code INT64} */
    PgasLock(Pgas shmem, SymmetricBuffer words) {
        this.shmem = shmem;
        this.words = words;
        // Not all of them at one PE.
        this.home = (int) (words.offset() / 128 % shmem.nPes());
    }

    /**
     * Takes the lock, waiting until it is this PE's turn ({@code shmem_set_lock}).
     *
     * @throws IllegalStateException if this PE holds it
     * @throws org.comm4j.core.CommTimeoutException after {@link Pgas#timeout()}; this PE's place in the queue remains,
     *     so the lock cannot be used any more
     */
    public void lock() {
        checkHeld("lock", false);
        prepare();
        long before = shmem.atomicSwap(words, TAIL, me(), home);
        if (before != 0) {
            shmem.atomicSet(words, NEXT, me(), (int) (before - 1));
            long ignored = shmem.waitUntil(words, WAITING, Comparison.EQ, 0);
        }
        held = true;
    }

    /** Takes the lock if nobody holds it, and says whether; the opposite of what {@code shmem_test_lock} returns. */
    public boolean tryLock() {
        checkHeld("tryLock", false);
        prepare();
        held = shmem.atomicCompareSwap(words, TAIL, 0, me(), home) == 0;
        return held;
    }

    /**
     * Gives the lock to who waits longest, after {@link Pgas#quiet}: what was put under the lock is seen by the next
     * one ({@code shmem_clear_lock}).
     *
     * @throws IllegalStateException if this PE does not hold it
     */
    public void unlock() {
        checkHeld("unlock", true);
        shmem.quiet();
        held = false;
        if (shmem.atomicFetch(words, NEXT, shmem.myPe()) == 0) {
            if (shmem.atomicCompareSwap(words, TAIL, me(), 0, home) == me()) {
                return;
            }
            // Somebody has come and is about to say so.
            long ignored = shmem.waitUntil(words, NEXT, Comparison.NE, 0);
        }
        int next = (int) (shmem.atomicFetch(words, NEXT, shmem.myPe()) - 1);
        shmem.atomicSet(words, WAITING, 0, next);
    }

    /** Returns whether this PE holds it. */
    public boolean isHeld() {
        return held;
    }

    private long me() {
        return shmem.myPe() + 1L;
    }

    private void prepare() {
        shmem.atomicSet(words, NEXT, 0, shmem.myPe());
        shmem.atomicSet(words, WAITING, 1, shmem.myPe());
    }

    private void checkHeld(String operation, boolean expected) {
        if (held != expected) {
            throw new IllegalStateException(operation + " on PE " + shmem.myPe() + " of " + shmem.nPes() + ": this PE "
                    + (held ? "holds the lock already" : "does not hold the lock"));
        }
    }

    /** Frees its memory, as {@link SymmetricBuffer#close} does. */
    @Override
    public void close() {
        words.close();
    }

    @Override
    public String toString() {
        return "PgasLock[on PE " + home + (held ? ", held]" : "]");
    }
}
