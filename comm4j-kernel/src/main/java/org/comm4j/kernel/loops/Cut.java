// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.ir.Position;

/** Cuts a region that is too long in two, as near to its middle as may be, rather not in a loop or in a branch. */
final class Cut {
    private Cut() {}

    /** Returns the program with one more stop, at which nobody waits. */
    static Flat of(Flat flat, Layout layout, Region region) {
        int total = 0;
        for (Part part : region.parts()) {
            total += weight(part);
        }
        Part best = null;
        int bestAt = 0;
        long least = Long.MAX_VALUE;
        int before = 0;
        for (Part part : region.parts()) {
            long wrong = (isInLoop(part) ? 2L * total : 0) + (layout.uniformity.isUniform(part) ? 0 : total);
            for (int at = 0; at <= part.ops.size(); at++) {
                boolean isEdge = at == 0 && part == region.first()
                        || part.end() instanceof Part.End.Wait && at == part.ops.size();
                long cost = wrong + Math.abs(before + at - total / 2);
                if (!isEdge && cost < least) {
                    least = cost;
                    best = part;
                    bestAt = at;
                }
            }
            before += weight(part);
        }
        if (best == null) {
            throw new Unsupported("a region that cannot be cut");
        }
        return cut(flat, best, bestAt);
    }

    private static int weight(Part part) {
        return part.ops.size() + 1;
    }

    private static Flat cut(Flat flat, Part part, int at) {
        List<Part> parts = new ArrayList<>(flat.parts());
        List<Stop> stops = new ArrayList<>(flat.stops());
        Part rest = new Part(parts.size(), part.calls);
        rest.ops.addAll(part.ops.subList(at, part.ops.size()));
        rest.end(part.end());
        part.ops.subList(at, part.ops.size()).clear();
        Stop stop = new Stop(stops.size() + 1, Stop.What.CUT, "a cut", Position.UNKNOWN, List.of(), null);
        part.end(new Part.End.Wait(stop, rest));
        parts.add(rest);
        stops.add(stop);
        return new Flat(List.copyOf(parts), List.copyOf(stops), flat.rooms(), flat.arguments(), flat.callees());
    }

    private static boolean isInLoop(Part part) {
        Set<Part> seen = new HashSet<>();
        Deque<Part> work = new ArrayDeque<>(List.of(part));
        while (!work.isEmpty()) {
            Part next = work.removeFirst();
            if (!(next.end() instanceof Part.End.Wait)) {
                for (Part successor : next.successors()) {
                    if (successor == part) {
                        return true;
                    }
                    if (seen.add(successor)) {
                        work.add(successor);
                    }
                }
            }
        }
        return false;
    }
}
