// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Handles of CUDA and NCCL: what the public API gives to programs that call other libraries with them. */
package org.comm4j.ffi.handle;
