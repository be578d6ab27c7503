// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** 4 values that are read and written at once ({@code float4}). */
public record Float4(float x, float y, float z, float w) {}
