// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.NcclComm;

/**
 * What {@link Startup} has made, for the communicator to hold.
 *
 * @param own the stream of the operations that wait
 * @param scratch device memory: two numbers of our own, then two for each rank
 * @param config what was asked for, here or of the communicator that this one was made from
 * @param farewell how this rank will end, together with the others
 * @param memory what must not be collected while NCCL knows its address
 */
record Made(
        NcclComm handle,
        Device device,
        Stream own,
        DeviceArray scratch,
        int rank,
        int size,
        CommConfig config,
        Peers peers,
        Farewell farewell,
        Object memory) {}
