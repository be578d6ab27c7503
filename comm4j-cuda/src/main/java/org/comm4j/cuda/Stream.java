// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.time.Duration;
import java.util.Objects;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUstream;
import org.comm4j.ffi.cuda.LibCuda;

/**
 * A queue of work for a device: what is put in runs in order, while other streams run beside it. Putting in returns at once.
 * Several threads may use one stream; the order in which their calls arrive is the program's business.
 */
public final class Stream implements AutoCloseable {
    private final Device device;
    private final CUstream handle;
    private final Tail tail;
    private final Resource resource;
    /** The device's own object for its default stream, which nobody closes. */
    private final boolean permanent;

    /** A stream that somebody else closes. */
    private Stream(Device device, CUstream handle, boolean permanent) {
        this.device = device;
        this.handle = handle;
        Tail end = new Tail(device, handle);
        this.tail = end;
        this.permanent = permanent;
        this.resource = Resource.foreign(device, "stream", end::close);
    }

    private Stream(Device device, CUstream handle, Runnable free) {
        this.device = device;
        this.handle = handle;
        Tail end = new Tail(device, handle);
        this.tail = end;
        this.permanent = false;
        Runnable close = () -> {
            end.close();
            free.run();
        };
        this.resource = Resource.own(device, "stream", close, this);
    }

    static Stream create(Device device, int priority) {
        CUstream handle = new CUstream(device.longFrom(
                "create a stream",
                cell -> LibCuda.cuStreamCreateWithPriority(cell, LibCuda.CU_STREAM_NON_BLOCKING, priority)));
        return new Stream(device, handle, () -> Cuda.run("close a stream", () -> LibCuda.cuStreamDestroy(handle)));
    }

    static Stream legacy(Device device) {
        return new Stream(device, new CUstream(LibCuda.CU_STREAM_LEGACY), true);
    }

    /**
     * A stream that another library of this process made ({@code CUstream}, {@code cudaStream_t}); {@link #close} leaves it alone, and
     * must come before that library destroys it.
     *
     * @param handle its address; 0 and 1 are the legacy default stream
     * @throws IllegalArgumentException if it is the per-thread default stream, which means another stream for each thread that
     *     calls, or if it belongs to another context than the primary one of {@code device}
     */
    public static Stream wrap(Device device, long handle) {
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

    /** The driver's stream, for calls of other libraries. */
    public CUstream handle() {
        resource.check();
        return handle;
    }

    public Device device() {
        return device;
    }

    /** The priority that the driver gave it; lower numbers go first ({@code cuStreamGetPriority}). */
    public int priority() {
        resource.check();
        return device.intFrom("ask a stream for its priority", cell -> LibCuda.cuStreamGetPriority(handle, cell));
    }

    /** Checks that the stream is open and makes its context current: what every call that puts work in begins with. */
    CUstream enter() {
        resource.check();
        device.enter();
        return handle;
    }

    /**
     * Whether all work so far is done ({@code cuStreamQuery}). Asking this of a stream that is recorded makes the recording fail.
     *
     * @throws CudaException also for what went wrong in that work
     */
    public boolean isDone() {
        enter();
        try {
            return LibCuda.cuStreamQuery(handle) != LibCuda.CUDA_ERROR_NOT_READY;
        } catch (NativeCallException e) {
            throw CudaException.of("query of " + this, e);
        }
    }

    /**
     * Waits until all work so far is done ({@code cuStreamSynchronize}).
     *
     * @throws CudaException also for what went wrong in that work
     */
    public void synchronize() {
        if (Thread.currentThread().isVirtual()) {
            Polling.until(this::isDone, Duration.ZERO, this);
            return;
        }
        enter();
        try {
            LibCuda.cuStreamSynchronize(handle);
        } catch (NativeCallException e) {
            throw CudaException.of("wait for " + this, e);
        }
    }

    /**
     * Waits until all work so far is done, but not longer than {@code timeout}; {@link Duration#ZERO} means no limit.
     *
     * @throws CommTimeoutException when the time is over; the work goes on
     */
    public void synchronize(Duration timeout) {
        Polling.until(this::isDone, timeout, this);
    }

    /**
     * Puts the event's mark behind the work so far ({@code cuEventRecord}).
     *
     * @throws IllegalArgumentException if the event is another device's
     */
    public void record(Event event) {
        if (!event.device().isSame(device)) {
            throw new IllegalArgumentException("record: " + event + " is not on the device of " + this);
        }
        var mark = event.handle();
        enter();
        try {
            LibCuda.cuEventRecord(mark, handle);
        } catch (NativeCallException e) {
            throw CudaException.of("record of " + event + " in " + this, e);
        }
    }

    /**
     * Work that is put in from now on waits for the event's mark as it stands now, which may be of another device
     * ({@code cuStreamWaitEvent}); the calling thread does not wait. An event that was never recorded is not waited for.
     */
    public void await(Event event) {
        var mark = event.handle();
        enter();
        try {
            LibCuda.cuStreamWaitEvent(handle, mark, 0);
        } catch (NativeCallException e) {
            throw CudaException.of("let " + this + " wait for " + event, e);
        }
    }

    /** Work that is put in from now on waits for the work that {@code other} has now. */
    public void await(Stream other) {
        try (Event event = other.device.newEvent()) {
            other.record(event);
            await(event);
        }
    }

    /**
     * Runs {@code body} on a thread of the driver when the work so far is done; work behind it waits for its end
     * ({@code cuLaunchHostFunc}). It must be short and must not call CUDA
     * (that is an {@link IllegalStateException}), nor wait for a thread that does. An exception
     * is logged and goes no further. It does not run if earlier work failed. In a {@linkplain Graph graph} it runs at each launch.
     */
    public void onReached(Runnable body) {
        Objects.requireNonNull(body, "body");
        HostCallbacks.launch(this, body);
    }

    /** Whether the work put in goes to a graph instead of the device ({@code cuStreamIsCapturing}). */
    public boolean isCapturing() {
        resource.check();
        return device.intFrom("ask whether a stream is capturing", cell -> LibCuda.cuStreamIsCapturing(handle, cell))
                != LibCuda.CU_STREAM_CAPTURE_STATUS_NONE;
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

    /** Gives the stream back; work in it goes on to its end ({@code cuStreamDestroy}). */
    @Override
    public void close() {
        if (!permanent) {
            resource.close();
        }
    }

    @Override
    public String toString() {
        return "Stream[" + device + ", "
                + (!isOpen() ? "closed" : isLegacy() ? "default" : "0x" + Long.toHexString(handle.address())) + "]";
    }
}
