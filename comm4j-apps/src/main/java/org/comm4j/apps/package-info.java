// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Earth models, pictures and results, which the applications share. */
package org.comm4j.apps;
