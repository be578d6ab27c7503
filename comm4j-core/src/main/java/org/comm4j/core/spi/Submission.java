// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

/** What a communicator's {@link CallWorker} runs. */
interface Submission extends Runnable {
    /** Notes that it is about to be given to the worker. */
    void submitted();

    /** Waits for the end; how it ended is the business of whoever holds it. */
    void settle();
}
