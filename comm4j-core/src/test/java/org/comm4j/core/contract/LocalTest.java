// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

class LocalTest extends CollectiveContract {
    @Override
    protected void run(int ranks, RankBody body) throws Exception {
        LocalCommunicator.run(ranks, body, LocalCommunicator.Bug.valueOf(System.getProperty("bug", "NONE")));
    }
}
