// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Communicator;
import org.jspecify.annotations.Nullable;

/** Flight recorder events of calls; costs one static check when nothing records them. */
public final class Events {
    private Events() {}

    private static final class Type {
        static final EventType COMMUNICATION = EventType.getEventType(CommunicationEvent.class);
    }

    /** A running event if a recording wants it. */
    public static @Nullable CommunicationEvent begin() {
        // Without a recording the event class is never touched, and without one that wants it no event is made.
        if (!FlightRecorder.isInitialized() || !Type.COMMUNICATION.isEnabled()) {
            return null;
        }
        CommunicationEvent event = new CommunicationEvent();
        event.begin();
        return event;
    }

    /** Notes that the call of {@code event} fails, before the event ends: what ended in vain is recorded, too. */
    public static void failed(@Nullable CommunicationEvent event, Throwable failure) {
        if (event != null) {
            event.outcome = failure.getClass().getSimpleName() + ": " + failure.getMessage();
        }
    }

    /**
     * Ends {@code event} as the one of {@code call}. One event may end several times, once for each call of a group.
     */
    public static void commit(CommunicationEvent event, Communicator communicator, Call call) {
        if (!end(event, communicator)) {
            return;
        }
        event.operation = call.kind().method();
        event.peer = call.peer();
        event.dataType = call.type() == null ? "" : call.type().name();
        event.reduceOp = call.op() == null ? "" : call.op().name();
        event.bytes = call.bytes();
        event.commit();
    }

    /**
     * Ends {@code event} as one of {@code communicator}; false if no recording wants it, else what it says of the
     * single call is still to be set.
     */
    public static boolean end(CommunicationEvent event, Communicator communicator) {
        event.end();
        if (!event.shouldCommit()) {
            return false;
        }
        event.engine = communicator.engine();
        event.communicator = communicator.toString();
        event.rank = communicator.rank();
        event.size = communicator.size();
        return true;
    }
}
