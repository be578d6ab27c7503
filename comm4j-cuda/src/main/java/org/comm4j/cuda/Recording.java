// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Graph} uses that is being recorded by this thread. Its memory is not in use now, but whenever the graph is launched.
 */
final class Recording implements AutoCloseable {
    private static final AtomicInteger UNDER_WAY = new AtomicInteger();
    private static final ThreadLocal<@Nullable Recording> CURRENT = new ThreadLocal<>();

    private final @Nullable Recording outer = CURRENT.get();
    private final Stream stream;
    private final Set<Uses> memory = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<HostArray> hosts = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Recorded> owners = Collections.newSetFromMap(new IdentityHashMap<>());

    private Recording(Stream stream) {
        this.stream = stream;
    }

    /** @param stream the one whose work is recorded; those that wait for it join in */
    static Recording begin(Stream stream) {
        Recording recording = new Recording(stream);
        UNDER_WAY.incrementAndGet();
        CURRENT.set(recording);
        return recording;
    }

    /** A quick look, for the usual case. */
    static boolean isUnderWay() {
        return UNDER_WAY.get() > 0;
    }

    /** Whether somebody records, but not this thread. */
    static boolean isByAnother() {
        return isUnderWay() && CURRENT.get() == null;
    }

    /** Whether work in {@code stream} is being recorded by this thread; its memory is noted here then. */
    static boolean takes(Uses uses, Stream stream) {
        Recording its = of(stream);
        if (its == null) {
            return false;
        }
        its.memory.add(uses);
        return true;
    }

    /** Notes host memory whose address goes into work in {@code stream}, if that is being recorded by this thread. */
    static void takes(HostArray memory, Stream stream) {
        Recording its = isUnderWay() ? of(stream) : null;
        if (its != null) {
            its.hosts.add(memory);
        }
    }

    /** Notes whose work it is, if work in {@code stream} is being recorded by this thread. */
    static void takes(Recorded owner, Stream stream) {
        Recording its = of(stream);
        if (its != null) {
            its.owners.add(owner);
        }
    }

    private static @Nullable Recording of(Stream stream) {
        Recording innermost = CURRENT.get();
        if (innermost == null || !stream.isCapturing()) {
            return null;
        }
        // One thread may record several streams at a time, of several devices.
        Recording its = innermost;
        for (Recording each = innermost; each != null; each = each.outer) {
            if (each.stream == stream) {
                its = each;
                break;
            }
            if (!its.stream.device().isSame(stream.device())) {
                its = each;
            }
        }
        return its;
    }

    Contents contents() {
        return new Contents(
                memory.toArray(Uses[]::new), hosts.toArray(HostArray[]::new), owners.toArray(Recorded[]::new));
    }

    /** What the recorded work uses, as far as it is known, and whose it is. */
    record Contents(Uses[] memory, HostArray[] hosts, Recorded[] owners) {
        /** {@code graph} has these contents. */
        Contents in(AutoCloseable graph) {
            for (Recorded owner : owners) {
                owner.add(graph);
            }
            return this;
        }
    }

    @Override
    public void close() {
        CURRENT.set(outer);
        UNDER_WAY.decrementAndGet();
    }
}
