// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Kernels that communicate by themselves: {@link org.comm4j.device.Shmem}, {@link org.comm4j.device.ShmemWarp} and
 * {@link org.comm4j.device.ShmemBlock} are what they call, {@link org.comm4j.device.ShmemCompiler} compiles them for
 * GPUs with NVSHMEM, or for the CPU with the embedded engine.
 */
package org.comm4j.device;
