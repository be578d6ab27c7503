// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * A launch's arguments: whether they are what the Java method takes, and how they lie in memory where the GPU reads
 * them.
 */
package org.comm4j.kernel.launch;
