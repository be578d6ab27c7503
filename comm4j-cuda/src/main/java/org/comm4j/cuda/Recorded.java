// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * A library's object, such as a communicator, whose work graphs may contain, and which cannot end before they do:
 * NCCL's communicators, for one, wait at their end for every graph that knows them.
 */
public final class Recorded {
    private final Set<AutoCloseable> graphs = Collections.newSetFromMap(new WeakHashMap<>());

    /** In no graph yet. */
    public Recorded() {}

    /**
     * Work of the object is about to be put into {@code stream}, maybe to be recorded there. Allocates nothing when it
     * is not.
     */
    public void in(Stream stream) {
        if (Recording.isUnderWay()) {
            Recording.takes(this, stream);
        }
    }

    /**
     * Throws if this thread records a graph, which takes only what is put into streams: for what waits, or allocates,
     * before it has done anything. Allocates nothing when all is well.
     *
     * @param where who wants to do it, for the message
     * @throws IllegalStateException inside the body of {@link Graph#capture}
     */
    public static void checkNotRecording(String operation, Object where) {
        Recording.checkOutside(operation, where);
    }

    synchronized void add(AutoCloseable graph) {
        graphs.add(graph);
    }

    /**
     * Closes the graphs that contain work of the object, instantiated or not. What of them is under way goes on to its
     * end.
     */
    public void closeGraphs() {
        List<AutoCloseable> known;
        synchronized (this) {
            known = List.copyOf(graphs);
            graphs.clear();
        }
        RuntimeException failure = null;
        for (AutoCloseable graph : known) {
            failure = Device.also(failure, () -> {
                switch (graph) {
                    case Graph each -> each.close();
                    case GraphExec each -> each.close();
                    default -> throw new IllegalArgumentException(graph.toString());
                }
            });
        }
        if (failure != null) {
            throw failure;
        }
    }
}
