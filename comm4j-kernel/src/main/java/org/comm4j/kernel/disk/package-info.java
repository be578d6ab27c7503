// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Finished code on disk, by the content of all that it was made from. */
package org.comm4j.kernel.disk;
