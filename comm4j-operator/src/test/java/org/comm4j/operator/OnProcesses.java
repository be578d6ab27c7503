// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Operators on ranks that are processes. */
class OnProcesses extends ContractTest {
    @BeforeAll
    static void join() {
        Ranks.inProcesses();
    }
}
