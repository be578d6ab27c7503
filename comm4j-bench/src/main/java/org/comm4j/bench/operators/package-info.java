// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Vector algebra and linear operators beside a copy. */
package org.comm4j.bench.operators;
