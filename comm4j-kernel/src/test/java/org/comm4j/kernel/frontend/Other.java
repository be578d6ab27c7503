// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

/** In a file of its own: javac switches over it by a table. */
enum Other {
    ASIDE,
    UP,
    DOWN
}
