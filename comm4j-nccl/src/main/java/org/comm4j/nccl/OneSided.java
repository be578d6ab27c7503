// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.List;
import org.comm4j.cuda.DeviceArray;

/**
 * One-sided communication of one communicator in a group, ordered on one stream: made by {@link Group#oneSided}.
 * Arguments as those of the methods of {@link NcclCommunicator}.
 */
public interface OneSided {
    /** {@link NcclCommunicator#putSignal(DeviceArray, int, Window, long, int, int, org.comm4j.cuda.Stream)}. */
    void putSignal(DeviceArray source, int peer, Window window, long offset, int signal, int context);

    /** {@link NcclCommunicator#signal(int, int, int, org.comm4j.cuda.Stream)}. */
    void signal(int peer, int signal, int context);

    /** {@link NcclCommunicator#waitSignals}. */
    void waitSignals(List<SignalWait> waits);
}
