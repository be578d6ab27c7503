// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.comm4j.core.spi.RefCount;

/**
 * A native object that belongs to a device, given back exactly once: when its handle is closed, or its device, and
 * nobody uses it: neither a call that is under way nor somebody to whom it was lent. It does not know its handle, so
 * that a forgotten handle can be noticed. The context stays as long as there is such an object.
 */
final class Resource {
    private static final AtomicLong NEXT = new AtomicLong();

    private final Device device;
    private final String what;
    private final Runnable free;
    private final RefCount users = new RefCount(this::giveBack);
    /** False if somebody else gives it back; it keeps the context only while a call uses it then. */
    private final boolean owned;
    /** In the order in which they were made. */
    final long number;

    /** Users to whom it was lent; guarded by this object, as the next. */
    private int lent;

    private boolean retired;

    private Resource(Device device, String what, boolean owned, Runnable free) {
        this.device = device;
        this.what = what;
        this.owned = owned;
        this.free = free;
        this.number = NEXT.getAndIncrement();
    }

    /**
     * Owns a native object that was just made; the caller has the device acquired since before.
     *
     * @param what for messages: "stream"
     * @param free gives the native object back; the device's context is current then
     * @param handle what the user closes; reported if it is lost without that
     */
    static Resource own(Device device, String what, Runnable free, Object handle) {
        Resource resource = new Resource(device, what, true, free);
        device.retain();
        device.add(resource);
        Leaks.watch(handle, resource);
        return resource;
    }

    /** A thing that somebody else gives back; it can only be used as long as the device is open. */
    static Resource foreign(Device device, String what) {
        return foreign(device, what, () -> {});
    }

    /** @param leave what to do when the handle is closed and no call uses it any more, which may be after the device */
    static Resource foreign(Device device, String what, Runnable leave) {
        return new Resource(device, what, false, leave);
    }

    boolean isOpen() {
        return users.isOpen() && device.isOpen();
    }

    /** @throws IllegalStateException after close */
    void check() {
        if (!users.isOpen()) {
            throw closed();
        }
        device.check();
    }

    private IllegalStateException closed() {
        return new IllegalStateException(users.isOpen() ? device + " was closed" : "this " + this + " was closed");
    }

    // ---- calls ----

    /**
     * Begins a call of the driver that uses the native object, which stays until {@link #release}.
     *
     * @throws IllegalStateException after close
     */
    void acquire() {
        if (!tryAcquire()) {
            throw closed();
        }
    }

    /** As {@link #acquire}; false after close. */
    boolean tryAcquire() {
        if (!users.acquire()) {
            return false;
        }
        if (owned ? device.isOpen() : device.users().acquire()) {
            return true;
        }
        users.release();
        return false;
    }

    void release() {
        users.release();
        if (!owned) {
            device.users().release();
        }
    }

    /**
     * Keeps the native object until {@link #letGo}, also when its device was closed, for somebody who keeps the
     * context; false if it was closed.
     */
    boolean tryHold() {
        return users.acquire();
    }

    void letGo() {
        users.release();
    }

    /** As {@link #acquire}, for a call that puts work into this stream: {@link #isEntered} until {@link #exit}. */
    void enter() {
        if (users.enter()) {
            if (owned ? device.isOpen() : device.users().enter()) {
                return;
            }
            users.exit();
        }
        throw closed();
    }

    void exit() {
        users.exit();
        if (!owned) {
            device.users().exit();
        }
    }

    /** Whether a call is putting work into this stream. */
    boolean isEntered() {
        return users.isEntered();
    }

    /** Whether a call that is under way uses it; not counting what is lent. */
    synchronized boolean isInCall() {
        return users.users() > lent;
    }

    // ---- the end ----

    /** @throws IllegalStateException inside of a callback in a stream; it is open as before then */
    void close() {
        if (users.isOpen()) {
            HostCallbacks.checkOutside();
            users.close();
        }
    }

    /** Whether it was closed and the last user has gone. */
    boolean isGone() {
        return users.isDestroyed();
    }

    /**
     * Nobody can borrow it from now on, as it is about to go; false if somebody has borrowed it, and nothing has
     * changed.
     */
    synchronized boolean retire() {
        if (lent > 0) {
            return false;
        }
        retired = true;
        return true;
    }

    /** It stays after all. */
    synchronized void unretire() {
        retired = false;
    }

    /** Keeps the native object, and its context, until the result runs, once. */
    Runnable keep() {
        synchronized (this) {
            check();
            if (retired) {
                throw new IllegalStateException("this " + this + " is being freed");
            }
            acquire();
            lent++;
        }
        return once(this, () -> {
            synchronized (this) {
                lent--;
            }
            release();
        });
    }

    /** Giving back twice would take from others what they hold; and a callback in a stream cannot give back. */
    static Runnable once(Object what, Runnable giveBack) {
        AtomicBoolean isKept = new AtomicBoolean(true);
        return () -> {
            HostCallbacks.checkOutside();
            if (!isKept.compareAndSet(true, false)) {
                throw new IllegalStateException("this " + what + " was given back already");
            }
            giveBack.run();
        };
    }

    /** By the last user. */
    private void giveBack() {
        try {
            if (owned && !device.isAbandoned()) {
                device.enter();
                free.run();
            } else if (!device.isAbandoned()) {
                leave();
            }
        } finally {
            if (owned) {
                device.remove(this);
                device.users().release();
            }
        }
    }

    /** A device whose context is gone has done by itself what is to be done. */
    private void leave() {
        boolean isHeld = device.users().retain();
        try {
            free.run();
        } finally {
            if (isHeld) {
                device.users().release();
            }
        }
    }

    @Override
    public String toString() {
        return what + " on " + device;
    }
}
