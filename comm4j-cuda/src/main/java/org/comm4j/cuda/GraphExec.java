// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUgraphExecUpdateResultInfo;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUgraphExec;
import org.comm4j.ffi.handle.CUstream;

/**
 * Recorded work, ready for launches. One object runs once at a time: launches of it wait for each other, whatever the
 * stream.
 */
public final class GraphExec implements AutoCloseable {
    private final Device device;
    private final CUgraphExec handle;
    private final Resource resource;
    private volatile Recording.Contents contents;
    /** The driver does not order calls for one such object by itself. */
    private final Object order = new Object();

    GraphExec(Device device, CUgraphExec handle, Recording.Contents contents) {
        this.device = device;
        this.handle = handle;
        this.resource = Resource.own(
                device,
                "instantiated graph",
                () -> Cuda.run("close an instantiated graph", () -> LibCuda.cuGraphExecDestroy(handle)),
                this);
        this.contents = contents.in(this);
    }

    /** Returns the driver's object, for calls of other libraries. */
    public CUgraphExec handle() {
        resource.check();
        return handle;
    }

    public Device device() {
        return device;
    }

    /**
     * Puts all of the work into the stream ({@code cuGraphLaunch}). Allocates nothing.
     *
     * @throws IllegalStateException if an array, module or host memory that it uses was closed or freed
     */
    public void launch(Stream stream) {
        nonNull(stream, "launch", "stream");
        check("launch", stream);
        resource.acquire();
        try {
            CUstream ignored = stream.acquire();
            try {
                while (!launchIn(stream, contents)) {
                    // It was updated meanwhile, and uses other memory now.
                }
            } finally {
                stream.release();
            }
        } finally {
            resource.release();
        }
    }

    /** Returns false, and launches nothing, when it has other contents by now. */
    @SuppressWarnings("ReferenceEquality") // these very contents, not some like them
    private boolean launchIn(Stream stream, Recording.Contents now) {
        for (Uses uses : now.memory()) {
            uses.add(stream);
        }
        // After that: whoever closes such memory first says so and then looks at its uses.
        for (HostArray host : now.hosts()) {
            if (!host.isAlive()) {
                throw new IllegalStateException("launch of " + this + ": " + host + ", which the work uses, was freed");
            }
            Recording.takes(host, stream);
        }
        now.check("launch of", this);
        for (Recorded owner : now.owners()) {
            owner.in(stream);
        }
        try {
            synchronized (order) {
                if (contents != now) {
                    return false;
                }
                // Last, as looking after the streams that used the memory before may lead to other devices.
                CUstream queue = stream.enter();
                LibCuda.cuGraphLaunch(handle, queue);
                return true;
            }
        } catch (NativeCallException e) {
            throw CudaException.of("launch of " + this + " in " + stream, e);
        }
    }

    /** Moves what the device needs for the first launch there beforehand ({@code cuGraphUpload}); stream-ordered. */
    public void upload(Stream stream) {
        nonNull(stream, "upload", "stream");
        check("upload", stream);
        resource.acquire();
        try {
            CUstream ignored = stream.acquire();
            try {
                uploadIn(stream);
            } finally {
                stream.release();
            }
        } finally {
            resource.release();
        }
    }

    private void uploadIn(Stream stream) {
        synchronized (order) {
            Recording.Contents now = contents;
            now.acquire("upload of", this);
            try {
                LibCuda.cuGraphUpload(handle, stream.enter());
            } catch (NativeCallException e) {
                throw CudaException.of("upload of " + this, e);
            } finally {
                now.release();
            }
        }
    }

    private void check(String operation, Stream stream) {
        if (!stream.device().isSame(device)) {
            throw new IllegalArgumentException(operation + ": " + stream + " is not on the device of " + this);
        }
    }

    /**
     * Takes parameters over from another recording of the same work: addresses, sizes, kernel arguments ({@code
     * cuGraphExecUpdate}). Launches that are under way keep theirs. Arrays that this one used before may be closed by
     * now; modules may not.
     *
     * @throws CudaException if the two differ in more than parameters; the message says in what, and this one stays as
     *     it was
     * @throws IllegalStateException if an array or module that the graph uses was closed, or a module that this one
     *     uses
     */
    public void update(Graph graph) {
        nonNull(graph, "update", "graph");
        resource.acquire();
        try {
            graph.acquire("update of " + this + " from");
            try {
                synchronized (graph.order()) {
                    synchronized (order) {
                        Recording.Contents before = contents;
                        before.acquireCode("update of", this);
                        try {
                            updateFrom(graph);
                            contents = graph.contents().in(this);
                        } finally {
                            before.releaseCode();
                        }
                    }
                }
            } finally {
                graph.release();
            }
        } finally {
            resource.release();
        }
    }

    private void updateFrom(Graph graph) {
        var source = graph.handle();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(CUgraphExecUpdateResultInfo.LAYOUT);
            try {
                device.enter();
                LibCuda.cuGraphExecUpdate(handle, source, result);
            } catch (NativeCallException e) {
                throw CudaException.of(
                        "update of " + this + " from " + graph + " ("
                                + difference(result.get(JAVA_INT, CUgraphExecUpdateResultInfo.result)) + ")",
                        e);
            }
        }
    }

    private static String difference(int result) {
        return switch (result) {
            case LibCuda.CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED -> "other nodes, or another order of them";
            case LibCuda.CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED -> "a node of another kind";
            case LibCuda.CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED,
                    LibCuda.CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE -> "a kernel of another kind";
            case LibCuda.CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED -> "a parameter that cannot be changed";
            case LibCuda.CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED -> "a node that cannot be updated";
            case LibCuda.CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED -> "other attributes of a node";
            default -> "update result " + result;
        };
    }

    public boolean isOpen() {
        return resource.isOpen();
    }

    /** Gives the object back; launches under way go on to their end ({@code cuGraphExecDestroy}). */
    @Override
    public void close() {
        resource.close();
    }

    @Override
    public String toString() {
        return "GraphExec[" + device + (isOpen() ? "]" : ", closed]");
    }
}
