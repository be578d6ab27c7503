// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

/** Which neighbours a finite difference takes. */
public enum DerivativeKind {
    /** The point itself and those after it. */
    FORWARD,
    /** The point itself and those before it. */
    BACKWARD,
    /** As many points before as after it. */
    CENTERED
}
