// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Post-stack inversion: impedance from a seismic volume. */
package org.comm4j.apps.poststack;
