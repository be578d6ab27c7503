// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUevent;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * The end of a stream's work, as those see it whose memory the work uses: it is there also when the stream was closed.
 */
final class Tail {
    private final Device device;
    private final CUstream stream;
    /** The stream itself; null before it is made. */
    private volatile @Nullable Resource life;

    private boolean isWatched;
    private volatile boolean closed;
    /** Where the driver answers. */
    private final MemorySegment answer = Arena.ofAuto().allocate(JAVA_INT);

    /** Behind the last work of a stream that was closed before that was done. */
    private @Nullable CUevent mark;

    Tail(Device device, CUstream stream) {
        this.device = device;
        this.stream = stream;
    }

    /** The stream is made. */
    void of(Resource stream) {
        life = stream;
    }

    /**
     * Whether a call is putting work into the stream: what uses the memory of that work is not over, though the driver
     * does not know of it yet.
     */
    boolean isEntered() {
        Resource made = life;
        return made != null && made.isEntered();
    }

    /** Somebody will ask about this stream when it is closed, or its device is. */
    synchronized void watch() {
        isWatched = true;
        device.watch(this);
        // Nothing can be put into it any more, except by calls that are under way, for which the device waits.
        closed |= !device.isOpen() && !isEntered();
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether nobody waits for the work, as it may never end. */
    boolean isAbandoned() {
        return device.isAbandoned();
    }

    /** The last moment at which the stream can be asked: it is about to be destroyed, or somebody else may do so. */
    synchronized void close() {
        if (closed) {
            return;
        }
        if (isWatched && !isOver()) {
            CUevent event = new CUevent(device.longFromClosed(
                    "mark the end of a stream", cell -> LibCuda.cuEventCreate(cell, LibCuda.CU_EVENT_DISABLE_TIMING)));
            Cuda.run("mark the end of a stream", () -> LibCuda.cuEventRecord(event, stream));
            mark = event;
            device.heap().later(this::isOver, () -> {}, () -> false);
        }
        closed = true;
    }

    /**
     * Whether the work so far is done. What failed is over, too: whoever asks the stream itself hears of it. While the
     * stream is recorded, the driver cannot tell, and asking would spoil the recording.
     */
    synchronized boolean isOver() {
        if (closed && mark == null) {
            return true;
        }
        if (mark == null && isEntered()) {
            return false;
        }
        device.enter();
        try {
            if (mark == null) {
                return !isRecorded() && LibCuda.cuStreamQuery(stream) != LibCuda.CUDA_ERROR_NOT_READY;
            }
            if (LibCuda.cuEventQuery(mark) == LibCuda.CUDA_ERROR_NOT_READY) {
                return false;
            }
        } catch (NativeCallException e) {
            if (mark == null) {
                return true;
            }
        }
        CUevent over = mark;
        mark = null;
        Cuda.run("close an event", () -> LibCuda.cuEventDestroy(over));
        return true;
    }

    /**
     * Begins to record the stream, while nobody here asks the driver about its work: that would spoil the recording.
     */
    synchronized void record(int mode) {
        device.run("begin to record a stream", () -> LibCuda.cuStreamBeginCapture(stream, mode));
    }

    /** Whether the work put in goes to a graph; not after the end of the stream. */
    synchronized boolean isRecorded() {
        if (closed) {
            return false;
        }
        device.enter();
        try {
            LibCuda.cuStreamIsCapturing(stream, answer);
            return answer.get(JAVA_INT, 0) != LibCuda.CU_STREAM_CAPTURE_STATUS_NONE;
        } catch (NativeCallException e) {
            // This is the default stream, while one is recorded that waits for it. What else there is, the next call
            // meets, too.
            return e.status() == LibCuda.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        }
    }

    /**
     * What is put into {@code other} from now on comes after the work so far; not after what is recorded, which does
     * not run now.
     */
    synchronized void before(Stream other) {
        if (mark == null && isRecorded()) {
            return;
        }
        if (!isEntered() && isOver()) {
            return;
        }
        CUevent end = mark;
        if (end == null) {
            end = newMark();
        }
        CUevent event = end;
        try {
            if (mark == null) {
                Cuda.run("mark the work of a stream", () -> LibCuda.cuEventRecord(event, stream));
            }
            CUstream queue = other.enter();
            Cuda.run("let a stream wait for another", () -> LibCuda.cuStreamWaitEvent(queue, event, 0));
        } finally {
            if (mark == null) {
                Cuda.run("close an event", () -> LibCuda.cuEventDestroy(event));
            }
        }
    }

    /**
     * Waits for the work so far, also for the end of what another thread records.
     *
     * @throws IllegalStateException if this thread records it, which would have to end it first
     * @throws CudaException also for what went wrong in that work, if the stream is open
     */
    void await() {
        Resource made = life;
        if (made == null || !made.tryAcquire()) {
            Polling.until(this::isOver, Duration.ZERO, this);
            return;
        }
        try {
            awaitOpen();
        } finally {
            made.release();
        }
    }

    private void awaitOpen() {
        CUevent end = Thread.currentThread().isVirtual() ? null : tryMark();
        if (end != null) {
            try {
                Cuda.run("wait for " + this, () -> LibCuda.cuEventSynchronize(end));
            } finally {
                Cuda.run("close an event", () -> LibCuda.cuEventDestroy(end));
            }
            return;
        }
        boolean recorded = isRecorded();
        if (recorded && !isRecordedByAnother()) {
            throw new IllegalStateException(
                    "a stream of " + device + " that is being recorded cannot be waited for: a capture"
                            + " takes only stream-ordered work; do outside of it what has no stream");
        }
        if (recorded) {
            Polling.until(this::isOver, Polling.LIMIT, this + ", which another thread records (Graph.capture)");
        } else {
            Polling.until(this::isOver, Duration.ZERO, this);
        }
    }

    /**
     * Returns an event behind the work so far, or null while the stream is recorded, or closed. Waiting for it does not
     * spoil a recording that begins meanwhile, as waiting for the stream would.
     */
    private synchronized @Nullable CUevent tryMark() {
        if (closed || isRecorded()) {
            return null;
        }
        CUevent event = newMark();
        try {
            Cuda.run("mark the work of a stream", () -> LibCuda.cuEventRecord(event, stream));
        } catch (Throwable e) {
            LibCuda.cuEventDestroy(event);
            throw e;
        }
        return event;
    }

    private CUevent newMark() {
        return new CUevent(device.longFrom(
                "mark the work of a stream", cell -> LibCuda.cuEventCreate(cell, LibCuda.CU_EVENT_DISABLE_TIMING)));
    }

    /** Whether another thread records the stream, or did until now; false for a capture that another library began. */
    private boolean isRecordedByAnother() {
        return !Recording.isByThisThread() && (Captures.of(device).areUnderWay() || !isRecorded());
    }

    /** For messages about waits. */
    @Override
    public String toString() {
        return "the work of the stream 0x" + Long.toHexString(stream.address()) + " of " + device;
    }
}
