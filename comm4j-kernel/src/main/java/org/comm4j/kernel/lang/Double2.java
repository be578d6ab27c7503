// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** 2 values that are read and written at once ({@code double2}). */
public record Double2(double x, double y) {}
