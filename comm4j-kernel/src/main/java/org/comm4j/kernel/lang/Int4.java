// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** 4 values that are read and written at once ({@code int4}). */
public record Int4(int x, int y, int z, int w) {}
