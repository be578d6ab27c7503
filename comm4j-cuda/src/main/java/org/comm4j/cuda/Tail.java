// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.time.Duration;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUevent;
import org.comm4j.ffi.cuda.CUstream;
import org.comm4j.ffi.cuda.LibCuda;
import org.jspecify.annotations.Nullable;

/** The end of a stream's work, as those see it whose memory the work uses: it is there also when the stream was closed. */
final class Tail {
    private final Device device;
    private final CUstream stream;
    private boolean isWatched;
    private volatile boolean closed;
    /** Behind the last work of a stream that was closed before that was done. */
    private @Nullable CUevent mark;

    Tail(Device device, CUstream stream) {
        this.device = device;
        this.stream = stream;
    }

    /** Somebody will ask about this stream when it is closed, or its device is. */
    synchronized void watch() {
        isWatched = true;
        device.watch(this);
        // Nothing can be put into it any more.
        closed |= !device.isOpen();
    }

    boolean isClosed() {
        return closed;
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
     * Whether the work so far is done. What failed is over, too: whoever asks the stream itself hears of it. While the stream is recorded,
     * the driver cannot tell, and asking would spoil the recording.
     */
    synchronized boolean isOver() {
        if (closed && mark == null) {
            return true;
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

    private boolean isRecorded() {
        device.enter();
        try {
            return Cuda.longFrom(cell -> LibCuda.cuStreamIsCapturing(stream, cell))
                    != LibCuda.CU_STREAM_CAPTURE_STATUS_NONE;
        } catch (NativeCallException e) {
            // This is the default stream, while one is recorded that waits for it. What else there is, the next call
            // meets, too.
            return e.status() == LibCuda.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        }
    }

    /**
     * Waits for the work so far, also for the end of what another thread records.
     *
     * @throws IllegalStateException if this thread records it, which would have to end it first
     * @throws CudaException also for what went wrong in that work, if the stream is open
     */
    void await() {
        boolean recorded = !closed && isRecorded();
        if (recorded && !Recording.isByAnother()) {
            throw new IllegalStateException(
                    "a stream of " + device + " that is being recorded cannot be waited for: a capture"
                            + " takes only stream-ordered work; do outside of it what has no stream");
        }
        if (recorded || closed || Thread.currentThread().isVirtual()) {
            Polling.until(this::isOver, Duration.ZERO, "the work of a stream of " + device);
        } else {
            device.enter();
            Cuda.run("wait for the work of a stream of " + device, () -> LibCuda.cuStreamSynchronize(stream));
        }
    }
}
