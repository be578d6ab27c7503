// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Who am I and how many are we; what is communicated, and the operations every engine offers. */
package org.comm4j.core;
