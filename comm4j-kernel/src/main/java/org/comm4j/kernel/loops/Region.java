// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What threads do from a stop, or from the beginning, to where they wait or end.
 *
 * @param number of the stop that it follows; 0 at the beginning
 * @param after the stop; null at the beginning
 * @param parts in reverse post-order
 * @param exits numbers of stops; 0 for the end of the kernel
 */
record Region(int number, @Nullable Stop after, List<Part> parts, Set<Integer> exits) {
    static List<Region> of(Flat flat) {
        List<Region> all = new ArrayList<>();
        all.add(of(0, null, flat.parts().getFirst()));
        Set<Part> reached = new HashSet<>();
        Analysis.postOrder(flat.parts().getFirst(), reached, new ArrayList<>(), true);
        for (Part part : flat.parts()) {
            if (part.end() instanceof Part.End.Wait(Stop stop, Part next) && reached.contains(part)) {
                all.add(of(stop.number(), stop, next));
            }
        }
        return all;
    }

    private static Region of(int number, @Nullable Stop after, Part first) {
        List<Part> parts = parts(first);
        Set<Integer> exits = new TreeSet<>();
        for (Part part : parts) {
            switch (part.end()) {
                case Part.End.Wait wait -> exits.add(wait.stop().number());
                case Part.End.Return _ -> exits.add(0);
                default -> {}
            }
        }
        return new Region(number, after, parts, exits);
    }

    /** Parts from one to where threads wait or end, in reverse post-order. */
    static List<Part> parts(Part first) {
        List<Part> parts = new ArrayList<>();
        Analysis.postOrder(first, new HashSet<>(), parts, false);
        return parts.reversed();
    }

    /** Returns how many steps it has. */
    int steps() {
        return parts.stream().mapToInt(part -> part.ops.size() + 1).sum();
    }

    Part first() {
        return parts.getFirst();
    }
}
