// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.MemorySegment;

/**
 * What kernels got for a {@link DeviceResource}: see {@link DeviceCommunicator#allocation}.
 *
 * @param handle the struct by which NCCL's device code knows it, which a kernel takes by value; empty for plain memory
 * @param buffer where its memory begins in the window of resources, in units of 128 bytes ({@code
 *     ncclDevResourceHandle_t})
 * @param firstSignal the number of its first signal, if it has any ({@code ncclGinSignal_t})
 * @param firstCounter the number of its first counter, if it has any ({@code ncclGinCounter_t})
 */
public record DeviceAllocation(MemorySegment handle, int buffer, int firstSignal, int firstCounter) {}
