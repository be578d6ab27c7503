// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Multi-dimensional deconvolution: reflections below a level, free of what lies above it. */
@NullMarked
package org.comm4j.apps.deconvolution;

import org.jspecify.annotations.NullMarked;
