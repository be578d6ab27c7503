// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** 2 values that are read and written at once ({@code int2}). */
public record Int2(int x, int y) {}
