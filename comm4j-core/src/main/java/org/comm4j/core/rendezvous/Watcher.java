// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

/** Is told what happens to the job, from a thread of the rendezvous; it must not block. */
public interface Watcher {

    /** A rank has left: in peace, or dead. */
    default void gone(int rank, boolean failed, String how) {}

    /** A rank has ended the job for all. */
    default void aborted(int rank, int exitCode, String reason) {}

    /** A connection was turned away; the job goes on without it. */
    default void refused(String why) {}

    /** Somebody wants to know what this process is doing. */
    default void report() {}

    /** The process that hosts the rendezvous has gone without a word. */
    default void hostLost(String how) {}
}
