// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Copies that a thread has started and not waited for. */
public final class CopyGroups {
    private final boolean later;
    private final Deque<List<Runnable>> groups = new ArrayDeque<>();
    private List<Runnable> open = new ArrayList<>();

    /** @param later whether copies happen when they are waited for, or at once */
    CopyGroups(boolean later) {
        this.later = later;
    }

    public void add(Runnable copy) {
        if (later) {
            open.add(copy);
        } else {
            copy.run();
        }
    }

    public void commit() {
        groups.add(open);
        open = new ArrayList<>();
    }

    public void waitFor(int pending) {
        if (pending < 0) {
            throw new IllegalArgumentException("waiting until " + pending + " groups of copies are left");
        }
        while (groups.size() > pending) {
            groups.removeFirst().forEach(Runnable::run);
        }
    }

    public void waitAll() {
        commit();
        waitFor(0);
    }
}
