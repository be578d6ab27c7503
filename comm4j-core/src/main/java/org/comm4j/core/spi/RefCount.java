// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The users of a native object, so that no call meets it destroyed. Closing refuses new users and never waits; the last
 * user destroys the object. The owner, who closes, is no user.
 *
 * <p>A call that puts work into a queue <em>enters</em> the queue's count. Memory that such work uses needs no count of
 * its own: the call enters, notes the queue at the memory, and only then looks whether the memory is open; whoever
 * closes the memory first marks it closed and then looks whether a noted queue {@linkplain #isEntered is entered}. One
 * of the two sees the other.
 *
 * <p>Nothing here allocates, waits or takes a lock, so that nested and repeated uses by one thread are fine, also when
 * somebody closes in between.
 */
public final class RefCount {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(RefCount.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The sign. */
    private static final long CLOSED = Long.MIN_VALUE;

    private static final long USER = 1;
    /** A user who has entered. */
    private static final long ENTERED = (1L << 32) + USER;

    private final Runnable destroy;
    private volatile long state;

    /**
     * An open object without users.
     *
     * @param destroy runs once, on the thread of the last user, or of the owner when there is none; no user's lock
     *     should be held there
     */
    public RefCount(Runnable destroy) {
        this.destroy = destroy;
    }

    /** Makes the caller a user until {@link #release}; returns false, and changes nothing, after {@link #close}. */
    public boolean acquire() {
        return add(USER);
    }

    /**
     * Makes the caller a user who is entered until {@link #exit}; returns false, and changes nothing, after {@link
     * #close}.
     */
    public boolean enter() {
        return add(ENTERED);
    }

    private boolean add(long user) {
        long now;
        do {
            now = state;
            if (now < 0) {
                return false;
            }
        } while (!STATE.weakCompareAndSet(this, now, now + user));
        return true;
    }

    /**
     * Makes the caller a user, also after {@link #close}, as long as there is another one; returns false if the object
     * is destroyed.
     */
    public boolean retain() {
        long now;
        do {
            now = state;
            if (now == CLOSED) {
                return false;
            }
        } while (!STATE.weakCompareAndSet(this, now, now + USER));
        return true;
    }

    /** Ends what {@link #acquire} or {@link #retain} began. */
    public void release() {
        subtract(USER);
    }

    /** Ends what {@link #enter} began. */
    public void exit() {
        subtract(ENTERED);
    }

    private void subtract(long user) {
        if ((long) STATE.getAndAdd(this, -user) == CLOSED + user) {
            destroy.run();
        }
    }

    /** Refuses new users, and destroys the object unless somebody uses it; returns false if it was closed before. */
    public boolean close() {
        long before = (long) STATE.getAndBitwiseOr(this, CLOSED);
        if (before == 0) {
            destroy.run();
        }
        return before >= 0;
    }

    /** Returns whether {@link #close} was not called yet. */
    public boolean isOpen() {
        return state >= 0;
    }

    /** Returns whether it is closed and nobody uses it. */
    public boolean isDestroyed() {
        return state == CLOSED;
    }

    /** Returns whether somebody is between {@link #enter} and {@link #exit}. */
    public boolean isEntered() {
        return (state & ~CLOSED) >>> 32 != 0;
    }

    /** Returns the number of users, entered or not. */
    public int users() {
        return (int) state;
    }

    @Override
    public String toString() {
        return (isOpen() ? "open" : "closed") + ", used by " + users();
    }
}
