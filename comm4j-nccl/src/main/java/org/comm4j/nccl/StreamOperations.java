// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.function.Consumer;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.Operations;
import org.comm4j.core.spi.AbstractOperations;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Stream;

/** The operations of a communicator in the order of one stream. */
final class StreamOperations extends AbstractOperations implements GroupedOperations {
    private final NcclCommunicator communicator;
    private final Stream stream;

    StreamOperations(NcclCommunicator communicator, Stream stream) {
        this.communicator = communicator;
        this.stream = stream;
    }

    @Override
    protected Call begin(String operation) {
        return communicator.begin(operation, stream);
    }

    @Override
    protected void run(Call call) {
        communicator.enqueue(call.notToSelf(), stream);
    }

    @Override
    protected void done() {
        communicator.done();
    }

    @Override
    public void group(Consumer<Operations> body) {
        communicator.group(body, stream);
    }

    @Override
    public String toString() {
        return "operations of " + communicator + " in " + stream;
    }
}
