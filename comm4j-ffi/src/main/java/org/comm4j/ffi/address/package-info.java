// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** C functions that trust addresses of Java callers; for comm4j's own modules only. */
package org.comm4j.ffi.address;
