// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.junit.jupiter.api.BeforeAll;

/** Products of matrices in blocks on ranks that are processes. */
class SummaOnProcesses extends SummaTest {
    @BeforeAll
    static void join() {
        Ranks.inProcesses();
    }
}
