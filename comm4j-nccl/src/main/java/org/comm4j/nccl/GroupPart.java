// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.Arrays;
import java.util.Objects;
import org.comm4j.core.spi.AbstractOperations;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a group sees of one communicator and stream: checks, and remembers. A thread's groups use the same one, with its
 * {@link Call} objects, for the same communicator again.
 */
final class GroupPart extends AbstractOperations {
    final NcclOperations communicator;
    final Group group;

    private Call[] calls = {};
    private int count;
    private boolean messagesToSelf;

    /** Null while no body runs that may use this. */
    private @Nullable Stream stream;

    private @Nullable Way way;

    GroupPart(Group group, NcclOperations communicator) {
        this.group = group;
        this.communicator = communicator;
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

    boolean isInUse() {
        return stream != null;
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

    void enqueue(Call call, boolean forReal) {
        Stream target = Objects.requireNonNull(stream);
        if (forReal) {
            NcclOperations.use(call, target);
        }
        if (way == null) {
            communicator.submission.enqueue(call, target.handle());
        } else {
            way.enqueue(call, target.handle());
        }
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
