// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Least-squares migration: reflectivity from shots, of which each rank has some. */
package org.comm4j.apps.migration;
