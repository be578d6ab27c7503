// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What local variables and the operand stack hold at a point, by type. */
record Frame(List<@Nullable JavaType> locals, List<JavaType> stack) {
    Frame {
        locals = new ArrayList<>(locals);
        stack = new ArrayList<>(stack);
    }

    /** What a variable is whichever way the point is reached; null if that depends. */
    static @Nullable JavaType merge(@Nullable JavaType one, @Nullable JavaType other) {
        if (one == null || other == null) {
            return null;
        }
        if (one.equals(other) || other == JavaType.Other.UNKNOWN) {
            return one;
        }
        if (one == JavaType.Other.UNKNOWN) {
            return other;
        }
        if (one instanceof JavaType.Array a
                && other instanceof JavaType.Array b
                && a.element().equals(b.element())) {
            Set<Integer> sites = new HashSet<>(a.sites());
            sites.addAll(b.sites());
            return new JavaType.Array(a.element(), a.constant() || b.constant(), sites);
        }
        return null;
    }
}
