// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Finding and loading native libraries, and the operating-system calls that the JDK does not offer. */
package org.comm4j.ffi;
