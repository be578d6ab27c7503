// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A native object that belongs to a device, given back exactly once: when its handle is closed, or its device, and everybody to
 * whom it was lent has returned it. It does not know its handle, so that a forgotten handle can be noticed.
 */
final class Resource {
    private static final AtomicLong NEXT = new AtomicLong();

    private final Device device;
    private final String what;
    private final Runnable free;
    /** In the order in which they were made. */
    final long number;
    /** One for the handle while it is open, one for each lending. */
    private final AtomicInteger holders = new AtomicInteger(1);

    private volatile boolean open = true;
    private boolean retired;

    private Resource(Device device, String what, Runnable free) {
        this.device = device;
        this.what = what;
        this.free = free;
        this.number = NEXT.getAndIncrement();
    }

    /**
     * @param what for messages: "stream"
     * @param free gives the native object back; the device's context is current then
     * @param handle what the user closes; reported if it is lost without that
     */
    static Resource own(Device device, String what, Runnable free, Object handle) {
        Resource resource = new Resource(device, what, () -> {
            device.enter();
            free.run();
        });
        device.add(resource);
        Leaks.watch(handle, resource);
        return resource;
    }

    /** A thing that somebody else gives back; it can only be used as long as the device is open. */
    static Resource foreign(Device device, String what) {
        return foreign(device, what, () -> {});
    }

    /** @param leave what to do when the handle is closed, which may be after the device */
    static Resource foreign(Device device, String what, Runnable leave) {
        return new Resource(device, what, leave);
    }

    boolean isOpen() {
        return open && device.isOpen();
    }

    /** @throws IllegalStateException after close */
    void check() {
        if (!open) {
            throw new IllegalStateException("this " + this + " was closed");
        }
        device.check();
    }

    /** @throws IllegalStateException inside of a callback in a stream; it is open as before then */
    void close() {
        synchronized (this) {
            if (!open) {
                return;
            }
            HostCallbacks.checkOutside();
            open = false;
        }
        giveBack();
    }

    /** Nobody can borrow it from now on, as it is about to go; false if somebody has borrowed it, and nothing has changed. */
    synchronized boolean retire() {
        if (holders.get() > 1) {
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
            holders.incrementAndGet();
        }
        try {
            device.retainContext();
        } catch (Throwable e) {
            giveBack();
            throw e;
        }
        return once(this, () -> {
            try {
                giveBack();
            } finally {
                device.releaseContext();
            }
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

    private void giveBack() {
        if (holders.decrementAndGet() == 0) {
            device.remove(this);
            if (!device.isAbandoned()) {
                free.run();
            }
        }
    }

    @Override
    public String toString() {
        return what + " on " + device;
    }
}
