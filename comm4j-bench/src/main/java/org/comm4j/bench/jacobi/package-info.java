// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** The main job: a distributed Jacobi solve with one-sided halo exchange. */
package org.comm4j.bench.jacobi;
