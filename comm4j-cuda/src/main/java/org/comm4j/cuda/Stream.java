// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.ffi.NativeAccess;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;

/**
 * A queue of work for a device: what is put in runs in order, while other streams run beside it. Putting in returns at
 * once. Several threads may use one stream; the order in which their calls arrive is the program's business.
 */
public final class Stream implements AutoCloseable {
    private final Device device;
    private final CUstream handle;
    private final Tail tail;
    private final Resource resource;
    /** The device's own object for its default stream, which nobody closes. */
    private final boolean permanent;
    /** Whether closing destroys it. */
    private final boolean owned;

    /** A stream that somebody else closes. */
    private Stream(Device device, CUstream handle, boolean permanent) {
        this.device = device;
        this.handle = handle;
        Tail end = new Tail(device, handle);
        this.tail = end;
        this.permanent = permanent;
        this.owned = false;
        this.resource = Resource.foreign(device, "stream", end::close);
        end.of(resource);
    }

    private Stream(Device device, CUstream handle, Runnable free) {
        this.device = device;
        this.handle = handle;
        Tail end = new Tail(device, handle);
        this.tail = end;
        this.permanent = false;
        this.owned = true;
        Runnable close = () -> {
            end.close();
            free.run();
        };
        this.resource = Resource.own(device, "stream", close, this);
        end.of(resource);
    }

    static Stream create(Device device, int priority) {
        device.acquire();
        try {
            CUstream handle = new CUstream(device.longFrom(
                    "create a stream",
                    cell -> LibCuda.cuStreamCreateWithPriority(cell, LibCuda.CU_STREAM_NON_BLOCKING, priority)));
            return new Stream(device, handle, () -> Cuda.run("close a stream", () -> LibCuda.cuStreamDestroy(handle)));
        } finally {
            device.release();
        }
    }

    static Stream legacy(Device device) {
        return new Stream(device, new CUstream(LibCuda.CU_STREAM_LEGACY), true);
    }

    /**
     * Returns a stream that another library of this process made ({@code CUstream}, {@code cudaStream_t}); {@link
     * #close} leaves it alone, and must come before that library destroys it.
     *
     * @param handle its address; 0 and 1 are the legacy default stream
     * @throws IllegalArgumentException if it is the per-thread default stream, which means another stream for each
     *     thread that calls, or if it belongs to another context than the primary one of {@code device}
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static Stream wrap(Device device, long handle) {
        nonNull(device, "Stream.wrap", "device");
        NativeAccess.checkCaller("Stream.wrap");
        device.check();
        if (handle == 0 || handle == LibCuda.CU_STREAM_LEGACY) {
            return device.defaultStream();
        }
        if (handle == LibCuda.CU_STREAM_PER_THREAD) {
            throw new IllegalArgumentException(
                    "the per-thread default stream cannot be wrapped: it would be a different"
                            + " stream for each thread that calls; pass a stream of its own");
        }
        CUstream stream = new CUstream(handle);
        long context = device.longFrom("look at a foreign stream", cell -> LibCuda.cuStreamGetCtx(stream, cell));
        if (context != device.context().address()) {
            throw new IllegalArgumentException("the stream 0x" + Long.toHexString(handle)
                    + " belongs to another context than the primary one of " + device);
        }
        return new Stream(device, stream, false);
    }

    /** Returns the driver's stream, for calls of other libraries; {@link #acquire} it for their time. */
    public CUstream handle() {
        resource.check();
        return handle;
    }

    /**
     * Begins a call of another library that puts work into the stream. Until {@link #release}, which has to follow on
     * every path, the driver's stream is there, whoever closes this, and so are arrays and modules that were told
     * {@linkplain DeviceArray#usedIn of the stream} since. Allocates nothing and never waits; calls can be nested.
     * Nothing is closed in between by the same thread, as closing what somebody else gives back waits for calls.
     *
     * @throws IllegalStateException after close
     */
    public CUstream acquire() {
        resource.enter();
        return handle;
    }

    /** Ends what {@link #acquire} began; if the stream was closed meanwhile, the last one to do so destroys it. */
    public void release() {
        resource.exit();
    }

    public Device device() {
        return device;
    }

    /** Returns the priority that the driver gave it; lower numbers go first ({@code cuStreamGetPriority}). */
    public int priority() {
        resource.acquire();
        try {
            return device.intFrom("ask a stream for its priority", cell -> LibCuda.cuStreamGetPriority(handle, cell));
        } finally {
            resource.release();
        }
    }

    /**
     * Makes the context of the stream, which the caller has acquired, current: the last thing before a call that puts
     * work in.
     */
    CUstream enter() {
        device.enter();
        return handle;
    }

    /**
     * Returns whether all work so far is done ({@code cuStreamQuery}).
     *
     * @throws IllegalStateException while this thread records the stream, which would make the recording fail
     * @throws CudaException also for what went wrong in that work
     */
    public boolean isDone() {
        checkNotRecorded("isDone");
        resource.acquire();
        try {
            enter();
            return LibCuda.cuStreamQuery(handle) != LibCuda.CUDA_ERROR_NOT_READY;
        } catch (NativeCallException e) {
            throw CudaException.of("query of " + this, e);
        } finally {
            resource.release();
        }
    }

    /**
     * Waits until all work so far is done ({@code cuStreamSynchronize}).
     *
     * @throws IllegalStateException while this thread records the stream
     * @throws CudaException also for what went wrong in that work
     */
    public void synchronize() {
        checkNotRecorded("synchronize");
        if (Thread.currentThread().isVirtual()) {
            Polling.until(this::isDone, Duration.ZERO, this);
            return;
        }
        resource.acquire();
        try {
            enter();
            LibCuda.cuStreamSynchronize(handle);
        } catch (NativeCallException e) {
            throw CudaException.of("wait for " + this, e);
        } finally {
            resource.release();
        }
    }

    private void checkNotRecorded(String operation) {
        if (Recording.isByThisThread() && isCapturing()) {
            Recording.checkOutside(operation, this);
        }
    }

    /**
     * Waits until all work so far is done, but not longer than {@code timeout}; {@link Duration#ZERO} means no limit.
     *
     * @throws CommTimeoutException when the time is over; the work goes on
     */
    public void synchronize(Duration timeout) {
        nonNull(timeout, "synchronize", "timeout");
        Polling.until(this::isDone, timeout, this);
    }

    /**
     * Puts the event's mark behind the work so far ({@code cuEventRecord}).
     *
     * @throws IllegalArgumentException if the event is another device's
     */
    public void record(Event event) {
        nonNull(event, "record", "event");
        if (!event.device().isSame(device)) {
            throw new IllegalArgumentException("record: " + event + " is not on the device of " + this);
        }
        event.acquire();
        try {
            acquire();
            try {
                LibCuda.cuEventRecord(event.mark(), enter());
            } catch (NativeCallException e) {
                throw CudaException.of("record of " + event + " in " + this, e);
            } finally {
                release();
            }
        } finally {
            event.release();
        }
    }

    /**
     * Work that is put in from now on waits for the event's mark as it stands now, which may be of another device
     * ({@code cuStreamWaitEvent}); the calling thread does not wait. An event that was never recorded is not waited
     * for.
     */
    public void await(Event event) {
        nonNull(event, "await", "event");
        event.acquire();
        try {
            acquire();
            try {
                LibCuda.cuStreamWaitEvent(enter(), event.mark(), 0);
            } catch (NativeCallException e) {
                throw CudaException.of("let " + this + " wait for " + event, e);
            } finally {
                release();
            }
        } finally {
            event.release();
        }
    }

    /** Work that is put in from now on waits for the work that {@code other} has now. */
    public void await(Stream other) {
        nonNull(other, "await", "other");
        try (Event event = other.device.newEvent()) {
            other.record(event);
            await(event);
        }
    }

    /**
     * Work that is put in from now on waits for the work that uses {@code array} now in other streams. Allocates
     * nothing when that is done.
     */
    public void await(DeviceArray array) {
        nonNull(array, "await", "array");
        acquire();
        try {
            array.uses().await(this);
        } finally {
            release();
        }
    }

    /**
     * Runs {@code body} on a thread of the driver when the work so far is done; work behind it waits for its end
     * ({@code cuLaunchHostFunc}). It must be short and must not call CUDA
     * (that is an {@link IllegalStateException}), nor wait for a thread that does. An exception
     * is logged and goes no further. It does not run if earlier work failed. In a {@linkplain Graph graph} it runs at
     * each launch.
     */
    public void onReached(Runnable body) {
        nonNull(body, "onReached", "body");
        HostCallbacks.launch(this, body);
    }

    /** Returns whether the work put in goes to a graph instead of the device ({@code cuStreamIsCapturing}). */
    public boolean isCapturing() {
        resource.acquire();
        try {
            return device.intFrom(
                            "ask whether a stream is capturing", cell -> LibCuda.cuStreamIsCapturing(handle, cell))
                    != LibCuda.CU_STREAM_CAPTURE_STATUS_NONE;
        } finally {
            resource.release();
        }
    }

    /** The stream itself, for calls that put no work in. */
    Resource resource() {
        return resource;
    }

    Tail tail() {
        return tail;
    }

    boolean isLegacy() {
        return handle.address() == LibCuda.CU_STREAM_LEGACY;
    }

    public boolean isOpen() {
        return resource.isOpen();
    }

    /**
     * Gives the stream back, when calls that are under way do not need it any more; work in it goes on to its end
     * ({@code cuStreamDestroy}). A {@linkplain #wrap wrapped} stream, which somebody else may destroy afterwards, waits
     * for these calls.
     *
     * @throws IllegalStateException if it is a wrapped stream that this thread records
     */
    @Override
    public void close() {
        if (permanent) {
            return;
        }
        if (!owned && Recording.isOf(this)) {
            throw new IllegalStateException(
                    "close of " + this + ": this thread is recording it (Graph.capture); close it after that");
        }
        boolean wasOpen = resource.isOpen();
        resource.close();
        if (!owned && wasOpen) {
            Polling.until(
                    () -> resource.isGone() || device.isAbandoned(),
                    Polling.LIMIT,
                    this + " to be closed: calls that use it are under way");
        }
    }

    @Override
    public String toString() {
        return "Stream[" + device + ", "
                + (!isOpen() ? "closed" : isLegacy() ? "default" : "0x" + Long.toHexString(handle.address())) + "]";
    }
}
