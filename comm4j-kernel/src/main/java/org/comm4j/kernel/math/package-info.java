// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Bodies on the CPU of mathematical functions that the JDK does not have. Here speed comes after accuracy. */
package org.comm4j.kernel.math;
