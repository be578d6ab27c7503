// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/** Something of a kernel that loops over threads do not do. */
public class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param what loops do not do */
    public Unsupported(String what) {
        super(what, null, false, false);
    }
}
