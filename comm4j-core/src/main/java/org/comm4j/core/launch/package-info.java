// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Starts the ranks of a job as processes of this machine. */
package org.comm4j.core.launch;
