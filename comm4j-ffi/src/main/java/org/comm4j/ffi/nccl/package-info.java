// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * NCCL's C interface, generated from {@code nccl.h} and {@code nccl_device.h} of NCCL 2.28.9, 2.30.7, 2.31.2 and 2.32.3 by comm4j-bindgen
 * (symbol table {@code comm4j-bindgen/src/tables/nccl.txt}); do not edit. The functions' descriptions are the comments of
 * {@code nccl.h}, copyright NVIDIA CORPORATION, Apache License 2.0.
 */
package org.comm4j.ffi.nccl;
