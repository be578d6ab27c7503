// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The operations of a group may run at the same time, so none of them may use memory that another one writes. */
public final class GroupMemory {
    /** Comparing all with all allocates nothing, sorting is faster for many. */
    private static final int FEW = 24;

    /** What a call uses from {@code start} to before {@code end}. */
    private record Use(Call call, long start, long end, boolean writes) {}

    private GroupMemory() {}

    /**
     * Refuses calls, the first {@code count} ones, that depend on each other.
     *
     * @throws IllegalArgumentException if the result depended on the order of the calls
     */
    public static void check(Call[] calls, int count) {
        if (count > FEW) {
            sweep(calls, count);
            return;
        }
        for (int i = 1; i < count; i++) {
            Call later = calls[i];
            for (int j = 0; j < i; j++) {
                Call earlier = calls[j];
                if (later.dependsOn(earlier)) {
                    throw dependent(earlier, later);
                }
            }
        }
    }

    private static void sweep(Call[] calls, int count) {
        List<Use> uses = new ArrayList<>(3 * count);
        for (int i = 0; i < count; i++) {
            Call call = calls[i];
            long readEnd = call.sendAddress() + call.sendBytes();
            long writeEnd = call.recvAddress() + call.recvBytes();
            // Of an operation in place only the rest of what it reads: it does not conflict with itself.
            add(uses, call, call.sendAddress(), Math.min(readEnd, call.recvAddress()), false);
            add(uses, call, Math.max(call.sendAddress(), writeEnd), readEnd, false);
            add(uses, call, call.recvAddress(), writeEnd, true);
        }
        uses.sort(Comparator.comparingLong(Use::start));
        Use written = null;
        Use read = null;
        for (Use use : uses) {
            if (written != null && use.start < written.end) {
                throw dependent(written.call, use.call);
            }
            if (use.writes && read != null && use.start < read.end) {
                throw dependent(read.call, use.call);
            }
            if (use.writes) {
                written = use;
            } else if (read == null || use.end > read.end) {
                read = use;
            }
        }
    }

    private static void add(List<Use> uses, Call call, long start, long end, boolean writes) {
        if (start < end) {
            uses.add(new Use(call, start, end, writes));
        }
    }

    private static IllegalArgumentException dependent(Call one, Call other) {
        return new IllegalArgumentException("group: " + one + " and " + other
                + " use the same memory, and one of them writes it; operations of a group run at the same time, so put one of them"
                + " into a group that follows");
    }
}
