// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Reflectivity of sparse spikes from a seismic volume. */
@NullMarked
package org.comm4j.apps.reflectivity;

import org.jspecify.annotations.NullMarked;
