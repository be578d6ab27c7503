// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/** Flight recorder events of calls; costs one static check when nothing records them. */
final class Events {
    private Events() {}

    private static final class Type {
        static final EventType COMMUNICATION = EventType.getEventType(CommunicationEvent.class);
    }

    /** A running event if a recording wants it. */
    static @Nullable CommunicationEvent begin() {
        if (!FlightRecorder.isInitialized() || !Type.COMMUNICATION.isEnabled()) {
            return null;
        }
        CommunicationEvent event = new CommunicationEvent();
        event.begin();
        return event;
    }

    static void commit(CommunicationEvent event, NcclOperations communicator, Call call) {
        event.end();
        if (!event.shouldCommit()) {
            return;
        }
        event.operation = call.kind().method();
        event.engine = NcclEngine.NAME;
        event.communicator = communicator.toString();
        event.rank = communicator.rank();
        event.size = communicator.size();
        event.peer = call.peer();
        event.dataType = call.type() == null ? "" : call.type().name();
        event.reduceOp = call.op() == null ? "" : call.op().name();
        event.bytes = call.bytes();
        event.commit();
    }
}
