// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.DeviceMemory;
import org.comm4j.ffi.MemoryHold;
import org.jspecify.annotations.Nullable;

/**
 * Protection of buffers that MPI reads and writes: their arenas cannot be closed while a call is under way, nor ever
 * after it was given up. Memory of the communicator itself needs none, nor does that of a confined arena during a call:
 * its thread is in the call.
 */
final class Holding {
    /** A thread that owns no memory. */
    private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

    private final boolean direct;

    /**
     * @param direct whether MPI takes memory of devices
     */
    Holding(boolean direct) {
        this.direct = direct;
    }

    /** Runs {@code body} while both buffers are protected. */
    void during(@Nullable Buffer one, @Nullable Buffer two, Runnable body) {
        if (direct && one instanceof DeviceMemory memory) {
            memory.during(() -> during(null, two, body));
            return;
        }
        if (direct && two instanceof DeviceMemory memory) {
            memory.during(() -> during(one, null, body));
            return;
        }
        MemorySegment first = exposed(one);
        MemorySegment second = exposed(two);
        if (first.address() == 0 && second.address() == 0) {
            body.run();
        } else {
            MemoryHold.during(first, second, body);
        }
    }

    /** Runs {@code body} while the buffers of all calls are protected. */
    void during(List<Call> calls, Runnable body) {
        if (calls.isEmpty()) {
            body.run();
            return;
        }
        Call first = calls.getFirst();
        during(first.send(), first.recv(), () -> during(calls.subList(1, calls.size()), body));
    }

    private MemorySegment exposed(@Nullable Buffer buffer) {
        return buffer instanceof HostArray array
                        && array.count() > 0
                        && array.segment().isAccessibleBy(ANOTHER)
                        && (block(array) == null || !array.isAlive())
                ? array.segment()
                : MemorySegment.NULL;
    }

    /**
     * Keeps the buffers of a call until the result runs, or for ever; null if they need it not, or cannot be kept, as
     * those of a confined arena.
     */
    @Nullable
    Runnable keep(@Nullable Buffer one, @Nullable Buffer two) {
        MemorySegment first = exposed(one);
        MemorySegment second = exposed(two);
        List<Runnable> kept = new ArrayList<>();
        if (first.address() != 0 || second.address() != 0) {
            add(kept, MemoryHold.keep(first, second));
        }
        for (OwnArray.Block block : new OwnArray.@Nullable Block[] {block(one), block(two)}) {
            add(kept, block == null ? null : block.keep());
        }
        return kept.isEmpty() ? null : () -> kept.forEach(Runnable::run);
    }

    private static void add(List<Runnable> kept, @Nullable Runnable release) {
        if (release != null) {
            kept.add(release);
        }
    }

    /** The communicator's own memory behind a buffer; null if it is another's. */
    private OwnArray.@Nullable Block block(@Nullable Buffer buffer) {
        return buffer instanceof OwnArray array ? array.blockOf(this) : null;
    }

    /** Keeps for ever what a call that was given up uses: buffers, calls, steps, or lists of them. */
    void keepForEver(Object memory) {
        switch (memory) {
            case Iterable<?> several -> several.forEach(this::keepForEver);
            case Step step -> keepForEver(step.buffers());
            case Prepared prepared -> keepForEver(prepared.call());
            case Records records -> keepForEver(records.bytes());
            case Call call -> {
                for (Buffer buffer : new Buffer[] {call.send(), call.recv()}) {
                    if (buffer != null) {
                        keepForEver(buffer);
                    }
                }
            }
            case DeviceMemory device -> {
                if (direct && device.isAlive()) {
                    Runnable ignored = device.keep();
                }
            }
            case Buffer buffer -> {
                Runnable ignored = keep(buffer, null);
            }
            default -> {}
        }
    }
}
