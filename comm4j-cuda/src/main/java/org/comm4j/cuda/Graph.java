// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUgraph;
import org.comm4j.ffi.handle.CUgraphExec;
import org.comm4j.ffi.handle.CUstream;

/**
 * Work that was recorded instead of run: copies, kernels, collectives of NCCL, with the order between them. {@link
 * #instantiate} makes something of it that is launched as a whole, for the price of one launch. Arrays, modules and
 * communicators that the work uses must stay open as long as it is launched; the graph keeps host memory that the
 * garbage collector would free.
 */
public final class Graph implements AutoCloseable {
    private final Device device;
    private final CUgraph handle;
    private final Recording.Contents contents;
    private final Resource resource;
    /** The driver does not order calls for one graph by itself. */
    private final Object order = new Object();

    private Graph(Device device, CUgraph handle, Recording.Contents contents) {
        this.device = device;
        this.handle = handle;
        this.resource = Resource.own(
                device, "graph", () -> Cuda.run("close a graph", () -> LibCuda.cuGraphDestroy(handle)), this);
        this.contents = contents.in(this);
    }

    /**
     * Records what {@code body} puts into {@code stream} ({@code cuStreamBeginCapture}, {@code cuStreamEndCapture}).
     * Other streams that wait for an event of this one take part from there on; it must wait for them at the end. What
     * other threads do is not affected.
     *
     * @throws RuntimeException what {@code body} throws; nothing is recorded then
     * @throws CudaException if a stream that took part does not join again, or something was done that cannot be
     *     recorded
     * @throws IllegalArgumentException for the default stream, which cannot record
     * @throws IllegalStateException if the stream is recording already, or is closed meanwhile
     */
    public static Graph capture(Stream stream, Runnable body) {
        nonNull(stream, "capture", "stream");
        nonNull(body, "capture", "body");
        if (stream.isLegacy()) {
            throw new IllegalArgumentException("capture: " + stream + " cannot be recorded; use Device.newStream()");
        }
        if (stream.isCapturing()) {
            throw new IllegalStateException("capture: " + stream + " is being recorded already");
        }
        // Whoever closes the stream meanwhile: a capture that nobody can end would keep what it uses for ever.
        stream.resource().acquire();
        Captures captures = Captures.of(stream.device());
        captures.begin();
        try {
            return record(stream, body);
        } finally {
            captures.end();
            stream.resource().release();
        }
    }

    private static Graph record(Stream stream, Runnable body) {
        CUstream queue = stream.handle();
        // A virtual thread may end the capture on another carrier than the one it began on.
        int mode = Thread.currentThread().isVirtual()
                ? LibCuda.CU_STREAM_CAPTURE_MODE_RELAXED
                : LibCuda.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        Device device = stream.device();
        stream.tail().record(mode);
        Recording.Contents contents;
        try (Recording recording = Recording.begin(stream)) {
            body.run();
            if (!stream.isOpen()) {
                throw new IllegalStateException("capture: " + stream + " was closed while it was recorded");
            }
            contents = recording.contents();
        } catch (Throwable e) {
            abandon(device, queue, e);
            throw e;
        }
        CUgraph graph = new CUgraph(
                device.longFromClosed("end to record a stream", cell -> LibCuda.cuStreamEndCapture(queue, cell)));
        if (contents.hosts().length > 0) {
            try {
                Cuda.run("keep the host memory of a graph", () -> HostCallbacks.keep(graph, contents.hosts()));
            } catch (RuntimeException e) {
                LibCuda.cuGraphDestroy(graph);
                throw e;
            }
        }
        return new Graph(device, graph, contents);
    }

    private static void abandon(Device device, CUstream queue, Throwable why) {
        try {
            CUgraph partial = new CUgraph(
                    device.longFromClosed("end to record a stream", cell -> LibCuda.cuStreamEndCapture(queue, cell)));
            if (!partial.isNull()) {
                LibCuda.cuGraphDestroy(partial);
            }
        } catch (RuntimeException e) {
            // Usual: the body failed because the capture had become invalid.
            why.addSuppressed(e);
        }
    }

    /** Returns the driver's graph, for calls of other libraries. */
    public CUgraph handle() {
        resource.check();
        return handle;
    }

    public Device device() {
        return device;
    }

    Recording.Contents contents() {
        return contents;
    }

    Object order() {
        return order;
    }

    /** Returns the number of nodes: kernels, copies, fills, callbacks ({@code cuGraphGetNodes}). */
    public long nodeCount() {
        resource.acquire();
        try {
            synchronized (order) {
                return device.longFrom(
                        "count nodes", cell -> LibCuda.cuGraphGetNodes(handle, MemorySegment.NULL, cell));
            }
        } finally {
            resource.release();
        }
    }

    /**
     * Writes the graph as text for Graphviz ({@code cuGraphDebugDotPrint}).
     *
     * @throws IllegalStateException if an array or module that it uses was closed
     */
    public void writeDot(Path file) {
        nonNull(file, "writeDot", "file");
        acquire("writeDot");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            synchronized (order) {
                device.run("write a graph to " + file, () -> LibCuda.cuGraphDebugDotPrint(handle, path, 0));
            }
        } finally {
            release();
        }
    }

    /**
     * Makes the work ready for launches ({@code cuGraphInstantiate}); this graph may be closed afterwards.
     *
     * @throws IllegalStateException if an array or module that it uses was closed
     */
    public GraphExec instantiate() {
        acquire("instantiate");
        try {
            synchronized (order) {
                CUgraphExec exec = new CUgraphExec(
                        device.longFrom("instantiate a graph", cell -> LibCuda.cuGraphInstantiate(cell, handle, 0)));
                return new GraphExec(device, exec, contents);
            }
        } finally {
            release();
        }
    }

    /** Begins a call of the driver that looks at the work; the graph and what it uses stay until {@link #release}. */
    void acquire(String operation) {
        resource.acquire();
        try {
            contents.acquire(operation, this);
        } catch (IllegalStateException e) {
            resource.release();
            throw e;
        }
    }

    void release() {
        contents.release();
        resource.release();
    }

    public boolean isOpen() {
        return resource.isOpen();
    }

    /** Gives the recording back; what was instantiated from it stays ({@code cuGraphDestroy}). */
    @Override
    public void close() {
        resource.close();
    }

    @Override
    public String toString() {
        return "Graph[" + device + (isOpen() ? "]" : ", closed]");
    }
}
