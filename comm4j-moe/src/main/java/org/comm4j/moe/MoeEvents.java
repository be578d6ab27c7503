// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Events;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** Flight recorder events of the calls of an {@link ExpertParallel}, one at a time; nothing without a recording. */
final class MoeEvents {
    private final MoeSite pe;
    private final String of;
    private @Nullable CommunicationEvent event;

    MoeEvents(MoeSite pe, String of) {
        this.pe = pe;
        this.of = of;
    }

    /** A call begins; what was not ended before is dropped. */
    void begin(String operation, @Nullable Stream stream) {
        CommunicationEvent begun = Events.begin();
        event = begun;
        if (begun != null) {
            begun.operation = operation;
            begun.engine = "moe on " + pe.where();
            begun.communicator = of;
            begun.rank = pe.myPe();
            begun.size = pe.nPes();
            begun.peer = -1;
            begun.stream = stream == null ? "" : stream.toString();
        }
    }

    /** Says how many elements the call has. */
    void elements(DataType type, long count) {
        CommunicationEvent running = event;
        if (running != null) {
            running.dataType = type.name();
            running.bytes = count * type.bytes();
        }
    }

    /** The call is over. */
    void end() {
        CommunicationEvent running = event;
        event = null;
        if (running != null) {
            running.commit();
        }
    }

    /** The call is over, in vain; returns what it throws. */
    RuntimeException failed(RuntimeException failure) {
        Events.failed(event, failure);
        end();
        return failure;
    }
}
