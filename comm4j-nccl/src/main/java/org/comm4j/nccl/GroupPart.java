// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.Arrays;
import java.util.Objects;
import org.comm4j.core.spi.AbstractOperations;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a group sees of one communicator and stream: checks, and remembers. A thread's groups use the same
 * ones, with their {@link Call} objects, for the same communicator again.
 */
final class GroupPart extends AbstractOperations {
    final NcclOperations communicator;
    final Group group;
    /** Of the same communicator and group, with another stream or way. */
    private final @Nullable GroupPart next;

    private Call[] calls = {};
    private int count;
    private boolean messagesToSelf;

    /** Null while no body runs that may use this. */
    private @Nullable Stream stream;

    private @Nullable CUstream queue;

    private @Nullable Way way;

    private GroupPart(Group group, NcclOperations communicator, @Nullable GroupPart next) {
        this.group = group;
        this.communicator = communicator;
        this.next = next;
    }

    /** One that is not in use. */
    static GroupPart of(Group group, NcclOperations communicator) {
        GroupPart known = communicator.part;
        GroupPart first = known != null && known.group == group ? known : null;
        for (GroupPart part = first; part != null; part = part.next) {
            if (part.stream == null) {
                return part;
            }
        }
        GroupPart made = new GroupPart(group, communicator, first);
        communicator.part = made;
        return made;
    }

    void begin(Stream stream, @Nullable Way way) {
        this.stream = stream;
        this.way = way;
        count = 0;
        messagesToSelf = false;
    }

    void end() {
        stream = null;
        way = null;
    }

    /** Whether the body runs that may use this, in this thread. */
    boolean isCollecting() {
        return stream != null && group.isCollecting();
    }

    /** Begins the time in which NCCL enqueues; {@link #release} ends it. */
    void acquire() {
        queue = NcclOperations.acquire(stream(), way);
    }

    void release() {
        queue = null;
        NcclOperations.release(stream(), way);
    }

    Stream stream() {
        return Objects.requireNonNull(stream);
    }

    boolean is(NcclOperations communicator, Stream stream, @Nullable Way way) {
        return this.communicator == communicator && this.stream == stream && Objects.equals(this.way, way);
    }

    /** That NCCL takes both parts in one group. */
    void checkTogether(GroupPart other) {
        if (count > 0 && other.count > 0) {
            Way.checkTogether(way, other.way, communicator == other.communicator);
        }
    }

    /** Checks that what the call needs is still there, and notes the use. */
    void use(Call call) {
        communicator.use(call, stream(), way);
    }

    void enqueue(Call call) {
        communicator.submit(call, Objects.requireNonNull(queue), way);
    }

    @Override
    protected Call begin(String operation) {
        if (stream == null) {
            throw Group.ended();
        }
        group.checkOpen();
        if (count == calls.length) {
            more();
        }
        return calls[count];
    }

    private void more() {
        int known = calls.length;
        calls = Arrays.copyOf(calls, 2 * known + 2);
        for (int i = known; i < calls.length; i++) {
            calls[i] = new Call(communicator.rank(), communicator.size());
        }
    }

    @Override
    protected void run(Call call) {
        communicator.checkBuffers(call.keepCounts());
        if (way != null) {
            way.check(call);
        }
        messagesToSelf |= call.isToSelf();
        count++;
        group.add(this, call);
    }

    void checkSelfMessages() {
        if (messagesToSelf) {
            Call.checkSelfMessages(calls, count);
        }
    }
}
