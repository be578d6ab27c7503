// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The CUDA driver's C interface, generated from {@code cuda.h} of CUDA 13.5 by comm4j-bindgen (symbol table
 * {@code comm4j-bindgen/src/tables/cuda.txt}); do not edit. Prototypes only: NVIDIA's documentation of the driver API says the rest.
 */
package org.comm4j.ffi.cuda;
