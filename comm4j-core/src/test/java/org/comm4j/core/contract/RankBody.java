// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import org.comm4j.core.Communicator;

/** What one rank does in a test. */
@FunctionalInterface
public interface RankBody {

    /** @param comm this rank's communicator, which the runner closes */
    void run(Communicator comm) throws Exception;
}
