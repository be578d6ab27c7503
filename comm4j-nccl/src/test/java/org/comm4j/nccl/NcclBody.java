// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.cuda.DeviceArray;

/** What each rank of a test does with its communicator, and what such tests look at. */
@FunctionalInterface
interface NcclBody {
    void run(NcclCommunicator comm) throws Exception;

    static float[] contents(DeviceArray array) {
        return array.toHost().toFloatArray();
    }

    /** What ranks sum up to that have their number, counted from 1. */
    static float sumOfRanks(int size) {
        return size * (size + 1) / 2f;
    }
}
