// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;

/**
 * A window ({@code ncclWindow_t}) as the network knows it, in a kernel: the same memory of all ranks, those included
 * whose memory this GPU cannot load. An argument by value, made by {@link NcclDevice#ginWindow}.
 *
 * @param handle NCCL's; on the CPU, where this rank's memory begins
 * @param bytes of each rank's
 */
@KernelLibrary
public record GinWindow(I8Ptr handle, long bytes) {}
