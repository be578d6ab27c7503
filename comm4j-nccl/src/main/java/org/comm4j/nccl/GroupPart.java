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

    GroupPart(NcclOperations communicator) {
        this.communicator = communicator;
    }

    void begin(Group group, Stream stream) {
        this.group = group;
        this.stream = stream;
        used = 0;
    }

    void end() {
        group = null;
        stream = null;
    }

    boolean is(NcclOperations communicator, Stream stream) {
        return this.communicator == communicator && this.stream == stream;
    }

    void enqueue(Call call, boolean forReal) {
        Stream target = Objects.requireNonNull(stream);
        if (forReal) {
            NcclOperations.use(call, target);
        }
        communicator.submission.enqueue(call, target.handle());
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
        used++;
        if (group != null) {
            group.add(this, call);
        }
    }

    void checkSelfMessages() {
        Call.checkSelfMessages(pool, used);
    }
}
