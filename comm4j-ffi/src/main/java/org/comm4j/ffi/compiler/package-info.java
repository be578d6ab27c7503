// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The C interfaces of NVRTC, nvJitLink and libNVVM, generated from the headers of CUDA 13.5 by comm4j-bindgen (symbol tables
 * {@code comm4j-bindgen/src/tables/nvrtc.txt}, {@code nvJitLink.txt}, {@code nvvm.txt}); do not edit.
 */
package org.comm4j.ffi.compiler;
