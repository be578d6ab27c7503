// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
        Set<Part> inLoops = inLoops(region);
        for (Part part : region.parts()) {
            long wrong = (inLoops.contains(part) ? 2L * total : 0) + (layout.uniformity.isUniform(part) ? 0 : total);
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
            return flat;
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

    /**
     * Returns the parts of a region that come again without a stop between: those of strongly connected components of
     * several parts, and those that follow themselves (Tarjan 1972).
     */
    private static Set<Part> inLoops(Region region) {
        Map<Part, Node> nodes = new HashMap<>();
        Deque<Node> open = new ArrayDeque<>();
        Set<Part> found = new HashSet<>();
        // Not by recursion: a region may have thousands of parts.
        Deque<Node> path = new ArrayDeque<>();
        for (Part root : region.parts()) {
            if (!nodes.containsKey(root)) {
                path.push(node(root, nodes, open));
            }
            while (!path.isEmpty()) {
                Node node = path.element();
                if (node.left.hasNext()) {
                    Part next = node.left.next();
                    Node seen = nodes.get(next);
                    if (seen == null) {
                        path.push(node(next, nodes, open));
                    } else if (seen.isOpen) {
                        node.lowest = Math.min(node.lowest, seen.number);
                    }
                    if (seen == node) {
                        found.add(next);
                    }
                    continue;
                }
                path.pop();
                if (!path.isEmpty()) {
                    Node before = path.element();
                    before.lowest = Math.min(before.lowest, node.lowest);
                }
                if (node.lowest == node.number) {
                    boolean isAlone = open.element() == node;
                    Node member;
                    do {
                        member = open.pop();
                        member.isOpen = false;
                        if (!isAlone) {
                            found.add(member.part);
                        }
                    } while (member != node);
                }
            }
        }
        return found;
    }

    private static Node node(Part part, Map<Part, Node> nodes, Deque<Node> open) {
        Node node = new Node(part, nodes.size());
        nodes.put(part, node);
        open.push(node);
        return node;
    }

    private static final class Node {
        final Part part;
        final int number;
        final Iterator<Part> left;
        int lowest;
        boolean isOpen = true;

        Node(Part part, int number) {
            this.part = part;
            this.number = number;
            this.lowest = number;
            boolean ends = part.end() instanceof Part.End.Wait;
            this.left = (ends ? List.<Part>of() : part.successors()).iterator();
        }
    }
}
