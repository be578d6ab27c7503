// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * A program as text in NVVM IR, in the dialect that libNVVM reads for all architectures: pointers with types, LLVM 7.
 * What Java says beyond LLVM (masked shifts, guarded divisions, saturating conversions) is written out here.
 */
package org.comm4j.kernel.nvvm;
