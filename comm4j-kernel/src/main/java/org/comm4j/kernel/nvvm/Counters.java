// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayDeque;
import java.util.ArrayList;
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
import org.comm4j.kernel.ir.Instruction.Alloca;
import org.comm4j.kernel.ir.Instruction.Binary;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;

/**
 * The steps of loops' counters that do not overflow, since the loop's condition has just been true of the counter. LLVM
 * is told so ({@code nsw}): only then it makes pointers of the indices, and ptxas unrolls the loop.
 *
 * <p>After {@code i < n} the sum {@code i + 1} is {@code n} at most, and after {@code i > n} the difference {@code i -
 * 1} is {@code n} at least, whatever {@code n} is. A longer step may overflow if {@code n} is near the largest number.
 * In Java {@code i} then is negative and the loop goes on. Kernels with {@code EXACT} arithmetic do the same, in others
 * that is undefined.
 */
final class Counters {
    /** The longest step that passes the largest number in wrong loops only. */
    private static final long LONGEST = 1024;

    /** A block that adds a constant to a variable, and the sum. */
    private record Step(Block block, Binary sum) {}

    private final Set<Integer> safe = new HashSet<>();
    /** The blocks that write a variable, once for each time. */
    private final Map<Integer, List<Block>> writers = new HashMap<>();

    private final Map<Integer, List<Step>> steps = new HashMap<>();
    private final Set<Integer> escaped = new HashSet<>();

    /**
     * Looks at all loops.
     *
     * @param exact whether only what is proved counts
     */
    Counters(Function function, boolean exact) {
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                note(block, instruction, exact ? 1 : LONGEST);
            }
        }
        steps.keySet().removeAll(escaped);
        if (steps.isEmpty()) {
            return;
        }
        Dominators dominators = new Dominators(function.blocks());
        for (Block head : function.blocks()) {
            if (head.end() instanceof Terminator.Branch branch
                    && branch.condition() instanceof Instruction.Compare compare
                    && counter(head, compare.left()) instanceof Alloca counter
                    && !writers.getOrDefault(counter.id(), List.of()).contains(head)) {
                seek(dominators, head, branch.ifTrue(), branch.ifFalse(), counter, compare.op());
                seek(dominators, head, branch.ifFalse(), branch.ifTrue(), counter, opposite(compare.op()));
            }
        }
    }

    /** Whether an addition or subtraction does not overflow. */
    boolean isSafe(Binary binary) {
        return safe.contains(binary.id());
    }

    /** Whether a variable is only read and written by its name. */
    boolean isPrivate(Alloca variable) {
        return !escaped.contains(variable.id());
    }

    private void note(Block block, Instruction instruction, long most) {
        switch (instruction) {
            case Instruction.Load load -> {}
            case Instruction.Store store -> {
                escape(store.value());
                if (store.pointer() instanceof Alloca variable) {
                    writers.computeIfAbsent(variable.id(), key -> new ArrayList<>())
                            .add(block);
                    if (store.value() instanceof Binary sum
                            && counter(block, sum.left()) instanceof Alloca counter
                            && counter.id() == variable.id()
                            && step(sum) != 0
                            && Math.abs(step(sum)) <= most) {
                        steps.computeIfAbsent(variable.id(), key -> new ArrayList<>())
                                .add(new Step(block, sum));
                    }
                }
            }
            case Instruction.Offset offset -> escape(offset.pointer());
            case Instruction.Convert convert -> escape(convert.value());
            case Instruction.Select select -> {
                escape(select.ifTrue());
                escape(select.ifFalse());
            }
            case Instruction.Compose compose -> compose.fields().forEach(this::escape);
            case Instruction.Call call -> call.arguments().forEach(this::escape);
            case Instruction.CallExternal call -> call.arguments().forEach(this::escape);
            case Instruction.Ptx ptx -> ptx.operands().forEach(this::escape);
            default -> {}
        }
    }

    private void escape(Value value) {
        if (value instanceof Alloca variable) {
            escaped.add(variable.id());
        }
    }

    /** The variable, an {@code int}, that a block loads as a value, or the value itself. */
    private static Value counter(Block block, Value value) {
        return value instanceof Instruction.Load load
                        && load.type() == Scalar.I32
                        && load.pointer() instanceof Alloca variable
                        && variable.allocated() == Scalar.I32
                        && block.instructions().contains(load)
                ? variable
                : value;
    }

    /** How much is added; 0 if that is no constant. */
    private static long step(Binary sum) {
        if (!(sum.right() instanceof Value.Int number)) {
            return 0;
        }
        return switch (sum.op()) {
            case BinaryOp.ADD -> number.value();
            case BinaryOp.SUB -> -number.value();
            default -> 0;
        };
    }

    private static Comparison opposite(Comparison op) {
        return switch (op) {
            case LE -> Comparison.GT;
            case GE -> Comparison.LT;
            default -> Comparison.EQ;
        };
    }

    /** Of the way from {@code head} to {@code body}, on which the comparison is true. */
    private void seek(
            Dominators dominators, Block head, Block body, Block other, Alloca counter, Comparison comparison) {
        if (comparison != Comparison.LT && comparison != Comparison.GT) {
            return;
        }
        List<Step> found = steps.getOrDefault(counter.id(), List.of());
        if (found.isEmpty()) {
            return;
        }
        Set<Block> inside = reachable(List.of(body), head);
        List<Block> writing = writers.getOrDefault(counter.id(), List.of()).stream()
                .filter(inside::contains)
                .toList();
        for (Step step : found) {
            boolean towards = comparison == Comparison.LT ? step(step.sum()) > 0 : step(step.sum()) < 0;
            if (towards
                    && inside.contains(step.block())
                    && dominators.dominates(head, step.block())
                    && !reachable(List.of(other), head).contains(step.block())
                    && isAlone(step.block(), writing, head)) {
                safe.add(step.sum().id());
            }
        }
    }

    /** Whether between the condition and a step nothing else writes the counter, nor does the step twice. */
    private static boolean isAlone(Block step, List<Block> writing, Block head) {
        return writing.stream().filter(step::equals).count() == 1
                && writing.stream()
                        .noneMatch(each ->
                                reachable(Dominators.successors(each), head).contains(step));
    }

    /** What is reached without passing {@code stop}. */
    private static Set<Block> reachable(Iterable<Block> from, Block stop) {
        Set<Block> seen = new HashSet<>();
        Deque<Block> open = new ArrayDeque<>();
        from.forEach(open::add);
        while (!open.isEmpty()) {
            Block block = open.pop();
            if (block != stop && seen.add(block)) {
                open.addAll(Dominators.successors(block));
            }
        }
        return seen;
    }
}
