// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** What the tests of all modules share. */
@NullMarked
package org.comm4j.test;

import org.jspecify.annotations.NullMarked;
