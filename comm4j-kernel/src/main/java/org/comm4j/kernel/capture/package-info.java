// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Finds the method behind a reference to a kernel, what a lambda has captured, and the bytes of classes. */
package org.comm4j.kernel.capture;
