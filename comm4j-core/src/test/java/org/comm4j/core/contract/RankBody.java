// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import org.comm4j.core.Communicator;

/** What one rank does in a test. */
@FunctionalInterface
public interface RankBody {

    /** Runs as the rank that {@code comm} says; the runner closes {@code comm}. */
    void run(Communicator comm) throws Exception;
}
