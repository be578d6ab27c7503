// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** What an atomic access orders beside itself. */
public enum Order {
    /** Nothing. */
    RELAXED,
    /** What follows happens after it. */
    ACQUIRE,
    /** What comes before happens before it. */
    RELEASE,
    ACQ_REL;

    boolean acquires() {
        return this == ACQUIRE || this == ACQ_REL;
    }

    boolean releases() {
        return this == RELEASE || this == ACQ_REL;
    }
}
