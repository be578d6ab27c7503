// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.spi.AbstractOperations;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** What the body of a group sees of one communicator and stream: checks, and remembers. Call objects are used again. */
final class GroupPart extends AbstractOperations {
    final NcclOperations communicator;
    private final List<Call> pool = new ArrayList<>();
    private int used;

    private @Nullable Group group;
    private @Nullable Stream stream;
    private @Nullable Way way;

    GroupPart(NcclOperations communicator) {
        this.communicator = communicator;
    }

    void begin(Group group, Stream stream, @Nullable Way way) {
        this.group = group;
        this.stream = stream;
        this.way = way;
        used = 0;
    }

    void end() {
        group = null;
        stream = null;
        way = null;
    }

    boolean is(NcclOperations communicator, Stream stream, @Nullable Way way) {
        return this.communicator == communicator && this.stream == stream && Objects.equals(this.way, way);
    }

    /** That NCCL takes both parts in one group. */
    void checkTogether(GroupPart other) {
        if (used > 0 && other.used > 0) {
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
        if (group == null) {
            throw new IllegalStateException("the group has ended; its operations object is only for the group's body");
        }
        group.checkOpen();
        if (used == pool.size()) {
            pool.add(new Call(communicator.rank(), communicator.size()));
        }
        return pool.get(used);
    }

    @Override
    protected void run(Call call) {
        communicator.checkBuffers(call.keepCounts());
        if (way != null) {
            way.check(call);
        }
        used++;
        if (group != null) {
            group.add(this, call);
        }
    }

    void checkSelfMessages() {
        Call.checkSelfMessages(pool, used);
    }
}
