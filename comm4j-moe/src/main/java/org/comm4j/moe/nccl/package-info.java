// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Mixture-of-experts by NCCL. */
@NullMarked
package org.comm4j.moe.nccl;

import org.jspecify.annotations.NullMarked;
