// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * One communication call in a flight recording. Off unless a recording enables {@value #NAME}, as {@code
 * Recording.enable} does, and so does the option {@code
 * -XX:StartFlightRecording:filename=calls.jfr,+org.comm4j.Communication#enabled=true} (the plus is needed); costs one
 * static check when no recording runs.
 */
@Name(CommunicationEvent.NAME)
@Label("Communication")
@Category("comm4j")
@Description("One call of a communication operation, from its start to its end on this rank")
@Enabled(false)
@StackTrace(false)
public final class CommunicationEvent extends Event {
    public static final String NAME = "org.comm4j.Communication";

    @Label("Operation")
    public String operation = "";

    @Label("Engine")
    public String engine = "";

    @Label("Communicator")
    public String communicator = "";

    @Label("Rank")
    public int rank;

    @Label("Ranks")
    public int size;

    @Label("Root or peer")
    @Description("-1 where the operation has none")
    public int peer;

    @Label("Stream")
    @Description("Into which the call put work; empty where there is none, or the engine does not say")
    public String stream = "";

    @Label("Element type")
    public String dataType = "";

    @Label("Reduction")
    public String reduceOp = "";

    @Label("Bytes")
    @Description("Bytes of the rank's larger buffer, or that a one-sided operation moves")
    @DataAmount
    public long bytes;

    @Label("Outcome")
    @Description("The exception with which the call ended, and its message; empty where it succeeded")
    public String outcome = "";

    public CommunicationEvent() {}
}
