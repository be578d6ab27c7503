// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Kernels as loops over threads: a kernel's program is cut into regions where threads wait for each other, and each
 * region is a loop over the threads of a block, or of a warp, in bytecode.
 */
package org.comm4j.kernel.loops;
