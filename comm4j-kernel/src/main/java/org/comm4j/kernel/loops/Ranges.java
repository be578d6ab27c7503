// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.jspecify.annotations.Nullable;

/**
 * Writes what threads do that are together: what is the same for all of them once, and loops over threads from where it
 * is not. Where a branch depends on the number of the thread alone, those on either side have a loop of their own.
 */
final class Ranges {
    private static final int MOST_LOOPS = 12;

    private final RegionWriter writer;
    private final CodeBuilder code;
    private final Layout layout;
    private final Region region;
    private final Set<Part> path = new HashSet<>();
    private int loops;

    Ranges(RegionWriter writer, Layout layout, Region region) {
        this.writer = writer;
        this.code = writer.code;
        this.layout = layout;
        this.region = region;
    }

    void write(int from, int to, Label done) {
        go(region.first(), from, to, done);
    }

    /** Writes what threads between two variables do from a part on; then it goes to {@code done}. */
    private void go(Part part, int from, int to, Label done) {
        Split split = loops < MOST_LOOPS ? split(part) : null;
        if (loops >= MOST_LOOPS || path.contains(part) || !isSame(part, split)) {
            loops++;
            List<Part> before = loops < MOST_LOOPS ? beforeSplit(part) : List.of();
            if (before.isEmpty()) {
                writer.loop(part, from, to, done);
            } else {
                // No thread waits for another one here, so all of them may do first what comes before the branch.
                Label branches = code.newLabel();
                Part last = before.getLast();
                writer.loop(before, last, from, to, branches);
                code.labelBinding(branches);
                split(Objects.requireNonNull(split(last)), (Part.End.Branch) last.end(), from, to, done);
            }
            return;
        }
        path.add(part);
        writer.steps.write(part);
        switch (part.end()) {
            case Part.End.Jump jump -> go(jump.target(), from, to, done);
            case Part.End.Branch branch -> {
                if (split == null) {
                    Label no = code.newLabel();
                    writer.steps.branch(branch.condition(), false, no);
                    go(branch.ifTrue(), from, to, done);
                    code.labelBinding(no);
                    go(branch.ifFalse(), from, to, done);
                } else {
                    split(split, branch, from, to, done);
                }
            }
            case Part.End.Return _ -> {
                writer.ends.exitTogether(0);
                code.goto_(done);
            }
            case Part.End.Wait wait -> {
                writer.ends.operands(wait.stop());
                writer.ends.exitTogether(wait.stop().number());
                code.goto_(done);
            }
            case Part.End.Choice _, Part.End.Fail _ ->
                throw new IllegalStateException(part.end().toString());
        }
        path.remove(part);
    }

    /** Parts one behind the other to one whose branch is split, if nothing of a thread is needed behind that. */
    private List<Part> beforeSplit(Part first) {
        List<Part> parts = new ArrayList<>(List.of(first));
        while (parts.getLast().end() instanceof Part.End.Jump jump && !parts.contains(jump.target())) {
            parts.add(jump.target());
        }
        Part last = parts.getLast();
        Split split = split(last);
        boolean isSplit = split != null
                && !(split.limit instanceof Val.Reg limit && !layout.analysis.isRepeated(limit))
                && last.successors().stream()
                        .allMatch(next -> layout.analysis.liveAt(next).stream()
                                .allMatch(value -> writer.isOnce(value) || isFromBefore(value)));
        return isSplit ? parts : List.of();
    }

    /** Whether a value of a thread is still where the region before has put it. */
    private boolean isFromBefore(Object value) {
        return !writer.isChanged(value)
                || region.after() != null && region.after().result() == value;
    }

    /** Whether all that a part does is the same for all threads, but for a branch that is split. */
    private boolean isSame(Part part, @Nullable Split split) {
        for (Op op : part.ops) {
            Val.Reg result = Analysis.result(op);
            if (!layout.analysis.isNeeded(op)
                    || result != null && (layout.analysis.isRepeated(result) || split != null && result == split.of)) {
                continue;
            }
            boolean isSame = switch (op) {
                case Op.Compute compute -> !Analysis.mayFail(compute) && writer.isOnce(compute.result());
                case Op.GetVariable get -> writer.isOnce(get.result());
                case Op.SetVariable set -> writer.isOnce(set.variable());
                default -> false;
            };
            if (!isSame) {
                return false;
            }
        }
        return switch (part.end()) {
            case Part.End.Jump _, Part.End.Return _ -> true;
            case Part.End.Branch branch -> split != null || writer.isOnce(branch.condition());
            case Part.End.Choice _, Part.End.Fail _ -> false;
            case Part.End.Wait(Stop stop, Part after) ->
                !stop.hasOperand()
                        && stop.arguments().stream().allMatch(writer::isOnce)
                        && layout.analysis.liveAt(after).stream()
                                .allMatch(value ->
                                        value == stop.result() || writer.isOnce(value) || !writer.isChanged(value));
        };
    }

    /**
     * A comparison of a thread's number with a limit.
     *
     * @param of the condition
     * @param isGlobal whether it is the number in the grid
     */
    private record Split(Val.Reg of, Comparison how, boolean isGlobal, Val limit) {}

    private @Nullable Split split(Part part) {
        if (!layout.oneDimensional
                || !(part.end() instanceof Part.End.Branch branch)
                || !(branch.condition() instanceof Val.Reg condition)
                || !(condition.by instanceof Op.Compute compute)
                || !(compute.from() instanceof Instruction.Compare compare)
                || !layout.analysis.isRepeated(condition) && layout.uses(condition) != 1) {
            return null;
        }
        Val left = compute.arguments().getFirst();
        Val right = compute.arguments().get(1);
        Val.Place number = number(left);
        if (number != null && writer.isOnce(right)) {
            return new Split(condition, compare.op(), number == Val.Place.GLOBAL_X, right);
        }
        number = number(right);
        if (number != null && writer.isOnce(left)) {
            return new Split(condition, turned(compare.op()), number == Val.Place.GLOBAL_X, left);
        }
        return null;
    }

    /** Returns which number of a thread it is, maybe with those in y and z added, which are 0; null if it is none. */
    private static Val.@Nullable Place number(Val value) {
        if (value == Val.Place.TID_X || value == Val.Place.GLOBAL_X) {
            return (Val.Place) value;
        }
        if (!isSum(value)) {
            return null;
        }
        Val left = argument(value, 0);
        Val right = argument(value, 1);
        return isZero(right) ? number(left) : isZero(left) ? number(right) : null;
    }

    private static boolean isZero(Val value) {
        return value == Val.Place.TID_Y
                || value == Val.Place.TID_Z
                || isSum(value) && isZero(argument(value, 0)) && isZero(argument(value, 1));
    }

    private static boolean isSum(Val value) {
        return value instanceof Val.Reg register
                && register.by instanceof Op.Compute compute
                && compute.from() instanceof Instruction.Binary binary
                && (binary.op() == Instruction.BinaryOp.ADD || binary.op() == Instruction.BinaryOp.OR);
    }

    private static Val argument(Val sum, int number) {
        return ((Op.Compute) Objects.requireNonNull(((Val.Reg) sum).by))
                .arguments()
                .get(number);
    }

    private static Comparison turned(Comparison how) {
        return switch (how) {
            case LT, ULT -> Comparison.GT;
            case LE, ULE -> Comparison.GE;
            case GT, UGT -> Comparison.LT;
            case GE, UGE -> Comparison.LE;
            case EQ -> Comparison.EQ;
            case NE -> Comparison.NE;
        };
    }

    private void split(Split split, Part.End.Branch branch, int from, int to, Label done) {
        Map<Object, Integer> saved = writer.saved(region.parts(), List.of(branch.ifTrue(), branch.ifFalse()));
        int first = cut(split, 0, from, to);
        switch (split.how) {
            case LT, ULT -> two(branch.ifTrue(), branch.ifFalse(), from, first, to, saved, done);
            case GE, UGE -> two(branch.ifFalse(), branch.ifTrue(), from, first, to, saved, done);
            case LE, ULE -> two(branch.ifTrue(), branch.ifFalse(), from, cut(split, 1, from, to), to, saved, done);
            case GT, UGT -> two(branch.ifFalse(), branch.ifTrue(), from, cut(split, 1, from, to), to, saved, done);
            case EQ ->
                three(
                        branch.ifTrue(),
                        branch.ifFalse(),
                        List.of(from, first, cut(split, 1, from, to), to),
                        saved,
                        done);
            case NE ->
                three(
                        branch.ifFalse(),
                        branch.ifTrue(),
                        List.of(from, first, cut(split, 1, from, to), to),
                        saved,
                        done);
        }
    }

    /** The thread whose number is the limit, or that much more, in a variable. */
    private int cut(Split split, int more, int from, int to) {
        int slot = code.allocateLocal(TypeKind.INT);
        writer.steps.push(split.limit);
        code.i2l().loadConstant((long) more).ladd();
        if (split.isGlobal) {
            writer.frame.field("base", CD_int);
        } else {
            code.iconst_0();
        }
        code.iload(from).iload(to);
        code.invokestatic(Layout.STATE, "cut", MethodTypeDesc.of(CD_int, CD_long, CD_int, CD_int, CD_int));
        code.istore(slot);
        return slot;
    }

    private void two(Part below, Part above, int from, int cut, int to, Map<Object, Integer> saved, Label done) {
        Label second = code.newLabel();
        code.iload(from).iload(cut).if_icmpge(second);
        go(below, from, cut, second);
        code.labelBinding(second);
        code.iload(cut).iload(to).if_icmpge(done);
        writer.restore(saved);
        go(above, cut, to, done);
    }

    /** @param cuts variables: the first thread, the one that is at the limit, the next, the end */
    private void three(Part at, Part others, List<Integer> cuts, Map<Object, Integer> saved, Label done) {
        int from = code.allocateLocal(TypeKind.INT);
        int to = code.allocateLocal(TypeKind.INT);
        int isLast = code.allocateLocal(TypeKind.INT);
        Label rest = code.newLabel();
        Label again = code.newLabel();
        Label next = code.newLabel();
        code.iload(cuts.get(1)).iload(cuts.get(2)).if_icmpge(rest);
        go(at, cuts.get(1), cuts.get(2), rest);
        code.labelBinding(rest);
        code.iconst_0().istore(isLast);
        code.iload(cuts.get(0)).istore(from).iload(cuts.get(1)).istore(to);
        code.labelBinding(again);
        code.iload(from).iload(to).if_icmpge(next);
        writer.restore(saved);
        go(others, from, to, next);
        code.labelBinding(next);
        code.iload(isLast).ifne(done);
        code.iconst_1().istore(isLast);
        code.iload(cuts.get(2)).istore(from).iload(cuts.get(3)).istore(to);
        code.goto_(again);
    }
}
