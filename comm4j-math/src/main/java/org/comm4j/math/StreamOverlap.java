// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.cuda.StreamOrdered;

/** Reductions in a second stream, which leaves the first one by an event and joins it by another. */
final class StreamOverlap implements Overlap, AutoCloseable {
    private final Stream main;
    private final Stream side;
    private final Event left;
    private final Event joined;
    private final GroupedOperations operations;

    StreamOverlap(Device device, Stream main, StreamOrdered communicator) {
        this.main = main;
        side = device.newStream();
        left = device.newEvent();
        joined = device.newEvent();
        operations = communicator.on(side);
    }

    @Override
    public void begin(Buffer numbers, ReduceOp op) {
        main.record(left);
        side.await(left);
        operations.allReduce(numbers, numbers, op);
        side.record(joined);
    }

    @Override
    public void end() {
        main.await(joined);
    }

    @Override
    public void close() {
        left.close();
        joined.close();
        side.close();
    }
}
