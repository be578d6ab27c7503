// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Dominators;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Terminator;

/**
 * Which jumps back carry an unroll hint. LLVM wants it at the end of a loop; the branch that has it may stand at the
 * loop's beginning, where javac puts the condition.
 */
final class Loops {
    /**
     * Not if nobody knows how often it goes round: so are loops in which threads do something together by a function of
     * a device unit, which takes longer than a jump back, and code and time to compile in each copy.
     */
    static final int NOT_AT_RUN_TIME = Integer.MIN_VALUE;

    private Loops() {}

    /** The functions that call one of a device unit which threads come to together, at any depth. */
    static Set<Function> meeting(List<Function> functions) {
        Set<Function> meeting = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Function function : functions) {
                if (function.blocks().stream().anyMatch(block -> meets(block, meeting))) {
                    more |= meeting.add(function);
                }
            }
        }
        return meeting;
    }

    private static boolean meets(Block block, Set<Function> meeting) {
        return block.instructions().stream().anyMatch(instruction -> switch (instruction) {
            case Instruction.CallExternal call ->
                call.callee().convergent() && !call.callee().symbol().startsWith("llvm.");
            case Instruction.Call call -> meeting.contains(call.callee());
            default -> false;
        });
    }

    /**
     * Hints by the block that jumps back.
     *
     * @param meeting as of {@link #meeting}
     */
    static Map<Block, Integer> hints(Function function, Set<Function> meeting) {
        Map<Block, Integer> hints = new HashMap<>();
        List<Block> together = function.blocks().stream()
                .filter(block -> meets(block, meeting))
                .toList();
        if (together.isEmpty() && function.blocks().stream().allMatch(block -> hint(block) == 0)) {
            return hints;
        }
        Dominators dominators = new Dominators(function.blocks());
        Map<Block, Set<Block>> before = new HashMap<>();
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
        loops.forEach((head, body) -> {
            if (together.stream().anyMatch(body::contains)) {
                ends.getOrDefault(head, Set.of()).forEach(end -> hints.put(end, NOT_AT_RUN_TIME));
            }
        });
        for (Block block : function.blocks()) {
            int hint = hint(block);
            if (hint != 0) {
                loops.entrySet().stream()
                        .filter(loop -> loop.getValue().contains(block))
                        .min((a, b) -> a.getValue().size() - b.getValue().size())
                        .ifPresent(loop ->
                                ends.getOrDefault(loop.getKey(), Set.of()).forEach(end -> hints.put(end, hint)));
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
