// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * NVVM IR becomes machine code: libNVVM makes LTO-IR of it, NVRTC of device code in CUDA C++, nvJitLink joins and
 * inlines them. What comes out is looked at before anybody runs it.
 */
package org.comm4j.kernel.link;
