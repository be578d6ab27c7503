// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * What a signal does to the word that it arrives at ({@code SHMEM_SIGNAL_SET}, {@code SHMEM_SIGNAL_ADD},
 * {@code NVSHMEM_SIGNAL_SET}, {@code NVSHMEM_SIGNAL_ADD}).
 */
public enum SignalOp {
    SET,
    ADD
}
