// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.function.Consumer;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;

/** Operations in a second stream, which an event forks from that of the kernels and another one joins to it. */
final class StreamTransfer implements Transfer {
    private final Stream stream;
    private final Stream side;
    private final Runnable body;
    private final Event computed;
    private final Event arrived;

    private final Consumer<StreamTransfer> closed;

    /**
     * @param body puts work into {@code side}
     * @param closed told when this is closed
     */
    StreamTransfer(Stream stream, Stream side, Runnable body, Consumer<StreamTransfer> closed) {
        this.stream = stream;
        this.side = side;
        this.body = body;
        this.closed = closed;
        computed = stream.device().newEvent();
        arrived = stream.device().newEvent();
    }

    @Override
    public void begin() {
        stream.record(computed);
        side.await(computed);
        body.run();
        side.record(arrived);
    }

    @Override
    public void end() {
        stream.await(arrived);
    }

    @Override
    public void close() {
        closed.accept(this);
        computed.close();
        arrived.close();
    }
}
