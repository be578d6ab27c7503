// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Mixture-of-experts dispatch and combine. {@link org.comm4j.moe.ExpertParallel#of} makes the exchange of a layer,
 * {@code dispatch} sends each token's row to the PEs of its experts, {@code combine} sums their weighted answers.
 */
package org.comm4j.moe;
