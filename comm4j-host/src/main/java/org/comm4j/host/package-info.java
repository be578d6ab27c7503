// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** The embedded engine: a symmetric heap in shared memory, one-sided operations on it, and a communicator on top. */
package org.comm4j.host;
