// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

/**
 * Where kernels reach a place of a {@link Window} by Compute Fabric Transport (CFT; NCCL 2.31.2, Blackwell).
 *
 * @param endpoint the number of the logical endpoint ({@code ncclCftLeId}), unsigned
 * @param offset from there, in bytes
 */
public record CftAddress(int endpoint, long offset) {}
