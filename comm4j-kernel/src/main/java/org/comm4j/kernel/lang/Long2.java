// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** 2 values that are read and written at once ({@code long2}). */
public record Long2(long x, long y) {}
