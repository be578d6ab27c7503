// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Dominators;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Terminator;

/**
 * Which jumps back carry an unroll hint. LLVM wants it at the end of a loop; the branch that has it may stand at the loop's beginning, where
 * javac puts the condition.
 */
final class Loops {
    private Loops() {}

    /** Hints by the block that jumps back. */
    static Map<Block, Integer> hints(Function function) {
        Map<Block, Integer> hints = new IdentityHashMap<>();
        if (function.blocks().stream().allMatch(block -> hint(block) == 0)) {
            return hints;
        }
        Dominators dominators = new Dominators(function.blocks());
        Map<Block, Set<Block>> before = new IdentityHashMap<>();
        function.blocks().forEach(block -> before.put(block, new HashSet<>()));
        function.blocks()
                .forEach(block -> Dominators.successors(block)
                        .forEach(next ->
                                before.getOrDefault(next, new HashSet<>()).add(block)));
        Map<Block, Set<Block>> loops = new HashMap<>();
        Map<Block, Set<Block>> ends = new HashMap<>();
        for (Block end : function.blocks()) {
            for (Block head : Dominators.successors(end)) {
                if (dominators.reaches(end) && dominators.dominates(head, end)) {
                    loops.computeIfAbsent(head, key -> new HashSet<>()).addAll(body(head, end, before));
                    ends.computeIfAbsent(head, key -> new HashSet<>()).add(end);
                }
            }
        }
        for (Block block : function.blocks()) {
            int hint = hint(block);
            if (hint != 0) {
                loops.entrySet().stream()
                        .filter(loop -> loop.getValue().contains(block))
                        .min((a, b) -> a.getValue().size() - b.getValue().size())
                        .ifPresent(loop -> ends.get(loop.getKey()).forEach(end -> hints.put(end, hint)));
            }
        }
        return hints;
    }

    private static int hint(Block block) {
        return switch (block.end()) {
            case Terminator.Jump jump -> jump.unroll();
            case Terminator.Branch branch -> branch.unroll();
            default -> 0;
        };
    }

    private static Set<Block> body(Block head, Block end, Map<Block, Set<Block>> before) {
        Set<Block> body = new HashSet<>(List.of(head));
        Deque<Block> open = new ArrayDeque<>(List.of(end));
        while (!open.isEmpty()) {
            Block block = open.pop();
            if (body.add(block)) {
                open.addAll(before.get(block));
            }
        }
        return body;
    }
}
