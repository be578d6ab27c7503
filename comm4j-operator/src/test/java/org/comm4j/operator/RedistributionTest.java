// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

/** Arrays that change their layout, on threads of processors. */
class RedistributionTest extends RedistributionContract {}
