// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Benchmarks in the peers' output formats, and the Jacobi solver. */
package org.comm4j.bench;
