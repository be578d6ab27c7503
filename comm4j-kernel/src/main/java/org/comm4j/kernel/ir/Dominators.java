// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Which blocks are on every way to which others, by repeated intersection of the predecessors' chains until nothing
 * changes.
 */
public final class Dominators {
    private static final int UNREACHED = -1;

    /** A block's place in reverse post-order; blocks that are not reached have none. */
    private final Map<Block, Integer> order = new HashMap<>();

    private final int[] immediate;

    public Dominators(List<Block> blocks) {
        List<Block> reversed = new ArrayList<>();
        if (!blocks.isEmpty()) {
            postOrder(blocks.getFirst(), reversed);
        }
        List<Block> sorted = reversed.reversed();
        for (int i = 0; i < sorted.size(); i++) {
            order.put(sorted.get(i), i);
        }
        List<List<Integer>> predecessors = new ArrayList<>();
        sorted.forEach(block -> predecessors.add(new ArrayList<>()));
        for (int i = 0; i < sorted.size(); i++) {
            for (Block next : successors(sorted.get(i))) {
                predecessors.get(order.getOrDefault(next, 0)).add(i);
            }
        }
        immediate = new int[sorted.size()];
        Arrays.fill(immediate, UNREACHED);
        if (immediate.length > 0) {
            immediate[0] = 0;
        }
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int i = 1; i < immediate.length; i++) {
                int common = UNREACHED;
                for (int before : predecessors.get(i)) {
                    if (immediate[before] != UNREACHED) {
                        common = common == UNREACHED ? before : common(before, common);
                    }
                }
                changed |= immediate[i] != common;
                immediate[i] = common;
            }
        }
    }

    /** Without recursion: generated functions may have thousands of blocks in a row. */
    private static void postOrder(Block first, List<Block> done) {
        record Visit(Block block, Iterator<Block> rest) {}

        LinkedHashSet<Block> seen = new LinkedHashSet<>();
        List<Visit> path = new ArrayList<>();
        seen.add(first);
        path.add(new Visit(first, successors(first).iterator()));
        while (!path.isEmpty()) {
            Visit visit = path.getLast();
            if (visit.rest().hasNext()) {
                Block next = visit.rest().next();
                if (seen.add(next)) {
                    path.add(new Visit(next, successors(next).iterator()));
                }
            } else {
                done.add(visit.block());
                path.removeLast();
            }
        }
    }

    private int common(int one, int other) {
        int a = one;
        int b = other;
        while (a != b) {
            if (a > b) {
                a = immediate[a];
            } else {
                b = immediate[b];
            }
        }
        return a;
    }

    /** What follows a block, which must be complete. */
    public static Collection<Block> successors(Block block) {
        return switch (block.end()) {
            case Terminator.Jump jump -> List.of(jump.target());
            case Terminator.Branch branch -> List.of(branch.ifTrue(), branch.ifFalse());
            case Terminator.Switch choice -> {
                List<Block> all = new ArrayList<>(choice.cases().values());
                all.add(choice.otherwise());
                yield all;
            }
            case Terminator.Return back -> List.of();
            case Terminator.Fail fail -> List.of();
        };
    }

    /** Whether there is a way to a block. */
    public boolean reaches(Block block) {
        return order.containsKey(block);
    }

    /** Whether every way to {@code block} leads through {@code before}; true of a block that is not reached. */
    public boolean dominates(Block before, Block block) {
        Integer to = order.get(block);
        Integer from = order.get(before);
        if (to == null) {
            return true;
        }
        if (from == null) {
            return false;
        }
        int at = to;
        while (at > from) {
            at = immediate[at];
        }
        return at == from;
    }
}
