// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUevent;

/**
 * A mark in the work of a stream: {@link Stream#record} sets it, {@link Stream#await} makes another stream wait for it,
 * also one of another device. Recording again moves the mark.
 */
public final class Event implements AutoCloseable {
    private final Device device;
    private final CUevent handle;
    private final boolean timing;
    private final Resource resource;

    private Event(Device device, CUevent handle, boolean timing) {
        this.device = device;
        this.handle = handle;
        this.timing = timing;
        this.resource = Resource.own(
                device, "event", () -> Cuda.run("close an event", () -> LibCuda.cuEventDestroy(handle)), this);
    }

    static Event create(Device device, boolean timing) {
        int flags = timing ? LibCuda.CU_EVENT_DEFAULT : LibCuda.CU_EVENT_DISABLE_TIMING;
        device.acquire();
        try {
            return new Event(
                    device,
                    new CUevent(device.longFrom("create an event", cell -> LibCuda.cuEventCreate(cell, flags))),
                    timing);
        } finally {
            device.release();
        }
    }

    /** Returns the driver's event, for calls of other libraries; {@link #acquire} it for their time. */
    public CUevent handle() {
        resource.check();
        return handle;
    }

    /**
     * Begins a call of another library that uses the event, which is there until {@link #release}, whoever closes this.
     *
     * @throws IllegalStateException after close
     */
    public CUevent acquire() {
        resource.acquire();
        return handle;
    }

    /** Ends what {@link #acquire} began. */
    public void release() {
        resource.release();
    }

    /** The driver's event, which the caller has acquired. */
    CUevent mark() {
        return handle;
    }

    public Device device() {
        return device;
    }

    /** Returns whether {@link #millisSince} works. */
    public boolean measuresTime() {
        return timing;
    }

    /**
     * Returns whether the work before the mark is done; true if it was never recorded ({@code cuEventQuery}).
     *
     * @throws CudaException also for what went wrong in that work, and if the mark was put into a graph
     */
    public boolean isDone() {
        resource.acquire();
        try {
            device.enter();
            return LibCuda.cuEventQuery(handle) != LibCuda.CUDA_ERROR_NOT_READY;
        } catch (NativeCallException e) {
            throw CudaException.of("query of " + this, e);
        } finally {
            resource.release();
        }
    }

    /**
     * Waits until the work before the mark is done ({@code cuEventSynchronize}).
     *
     * @throws CudaException also for what went wrong in that work, and if the mark was put into a graph
     */
    public void synchronize() {
        if (Thread.currentThread().isVirtual()) {
            Polling.until(this::isDone, Duration.ZERO, this);
            return;
        }
        resource.acquire();
        try {
            device.run("wait for an event", () -> LibCuda.cuEventSynchronize(handle));
        } finally {
            resource.release();
        }
    }

    /**
     * Waits until the work before the mark is done, but not longer than {@code timeout}; {@link Duration#ZERO} means no
     * limit.
     *
     * @throws CommTimeoutException when the time is over; nothing is undone
     */
    public void synchronize(Duration timeout) {
        nonNull(timeout, "synchronize", "timeout");
        resource.check();
        Polling.until(this::isDone, timeout, this);
    }

    /**
     * Returns the time in milliseconds between two marks, with a resolution of about half a microsecond ({@code
     * cuEventElapsedTime}).
     *
     * @param start recorded before this one, on the same device; both must be done
     * @throws IllegalArgumentException if one of the two was not made by {@link Device#newTimingEvent}
     * @throws CudaException if one was not recorded, or is not done yet
     */
    public float millisSince(Event start) {
        nonNull(start, "millisSince", "start");
        resource.check();
        start.resource.check();
        if (!timing || !start.timing) {
            throw new IllegalArgumentException("millisSince: " + (timing ? start : this)
                    + " was made without timing; make it with newTimingEvent()");
        }
        if (!device.isSame(start.device)) {
            throw new IllegalArgumentException("millisSince: " + start + " is not on the device of " + this);
        }
        start.resource.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_FLOAT);
            resource.acquire();
            try {
                device.run(
                        "measure the time between two events (both must be recorded and done)",
                        () -> LibCuda.cuEventElapsedTime(cell, start.handle, handle));
            } finally {
                resource.release();
            }
            return cell.get(JAVA_FLOAT, 0);
        } finally {
            start.resource.release();
        }
    }

    public boolean isOpen() {
        return resource.isOpen();
    }

    /**
     * Gives the event back, when calls that are under way do not need it any more; work that waits for it is not
     * affected ({@code cuEventDestroy}).
     */
    @Override
    public void close() {
        resource.close();
    }

    @Override
    public String toString() {
        return "Event[" + device + (isOpen() ? "]" : ", closed]");
    }
}
