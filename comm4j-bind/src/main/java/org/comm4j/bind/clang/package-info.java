// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Declarations of C and C++ headers, as clang reads them. */
package org.comm4j.bind.clang;
