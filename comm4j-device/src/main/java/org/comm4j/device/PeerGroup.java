// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.PeerPointers;

/**
 * What kernels need to reach the other PEs of a {@link PeerCollectives}, as an argument, by value.
 *
 * @param spaces the memory that the PEs exchange data through
 * @param report where kernels tell the host that a PE did not come
 */
public record PeerGroup(PeerPointers spaces, I32Ptr report) {}
