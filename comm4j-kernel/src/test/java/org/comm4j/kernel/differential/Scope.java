// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.differential.Node.Kind;

/** The variables and methods that an expression may use. */
final class Scope {
    record Variable(String name, Kind kind, boolean assignable, int length) {
        boolean isArray() {
            return length > 0;
        }
    }

    /**
     * A call.
     *
     * @param text with {@code $0}, {@code $1} … for what it needs
     */
    record Call(String text, Kind result, List<Kind> needs) {}

    final List<Variable> variables = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    /** True in the kernel, which has pointers. */
    boolean inKernel;

    void add(String name, Kind kind, boolean assignable) {
        variables.add(new Variable(name, kind, assignable, 0));
    }

    /** Returns true if the index is in scope. A lambda has none: it would have to capture pointers. */
    boolean hasIndex() {
        return variables.stream().anyMatch(v -> v.name.equals("pb"));
    }
}
