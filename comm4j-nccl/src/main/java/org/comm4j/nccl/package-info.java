// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * NCCL for Java: {@link org.comm4j.nccl.Nccl} makes communicators of GPUs, {@link org.comm4j.nccl.NcclCommunicator} is
 * one.
 *
 * <p>NCCL itself is not part of this library: it is loaded from where the user installed it, see
 * {@link org.comm4j.nccl.Nccl#problem()}.
 */
package org.comm4j.nccl;
