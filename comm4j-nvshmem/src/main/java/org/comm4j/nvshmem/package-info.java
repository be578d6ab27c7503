// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * NVSHMEM for Java: {@link org.comm4j.nvshmem.Nvshmem} is this process as one of its processing elements (PEs), with a
 * {@linkplain org.comm4j.nvshmem.SymmetricArray symmetric heap} in the memory of the GPUs, one-sided communication and
 * {@linkplain org.comm4j.nvshmem.Team teams}.
 *
 * <p>NVSHMEM itself is not part of this library: it is loaded from where the user installed it, see
 * {@link org.comm4j.nvshmem.Nvshmem#problem()}.
 */
package org.comm4j.nvshmem;
