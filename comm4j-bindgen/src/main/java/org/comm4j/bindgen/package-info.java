// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** The generator of comm4j's own bindings: C headers to symbol tables, and these to Java. */
package org.comm4j.bindgen;
