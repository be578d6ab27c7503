// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

/**
 * What kernels of a device communicator got of the network (GIN): see {@link DeviceCommunicator#network}.
 *
 * @param contexts ways to the other ranks that do not wait for each other ({@code ginContextCount}); 0 if there is no
 *     network, or none was required
 * @param signals of each context, those of resources included ({@code ginSignalCount})
 * @param counters of each context, those of resources included ({@code ginCounterCount})
 * @param type how the network is reached: {@code NONE}, {@code PROXY}, {@code GDAKI}, …, as in {@link
 *     CommProperties#ginType}
 */
public record DeviceNetwork(int contexts, int signals, int counters, String type) {}
