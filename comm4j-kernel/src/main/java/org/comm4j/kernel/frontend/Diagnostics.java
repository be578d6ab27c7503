// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.KernelCompileException.Problem;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong, and knows the calls that lead to it. The same line is not told twice of the same thing. */
final class Diagnostics {
    private final Map<String, Problem> found = new LinkedHashMap<>();
    private final Deque<StackTraceElement> calls = new ArrayDeque<>();

    /** The calls from here on are made at this line. */
    void enter(StackTraceElement caller) {
        calls.push(caller);
    }

    void leave() {
        calls.pop();
    }

    void add(StackTraceElement at, String message, @Nullable String hint) {
        List<StackTraceElement> trace = new ArrayList<>();
        trace.add(at);
        trace.addAll(calls);
        found.putIfAbsent(message + at, new Problem(message, trace, hint));
    }

    /** Without a line. */
    void add(String message, @Nullable String hint) {
        found.putIfAbsent(message, new Problem(message, List.of(), hint));
    }

    /** Forgets all but the first ones. */
    void keep(int count) {
        List<String> all = List.copyOf(found.keySet());
        all.subList(count, all.size()).forEach(found::remove);
    }

    int count() {
        return found.size();
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    List<Problem> all() {
        return List.copyOf(found.values());
    }
}
