// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

/**
 * Barriers of ranks that can load and store each other's memory ({@code ncclLsaBarrierHandle_t}).
 *
 * @param buffer where their memory begins in {@link DeviceCommunicator#resources}, in units of 128 bytes
 * @param count how many there are
 */
public record LsaBarrierHandle(int buffer, int count) {}
