// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * Whole numbers that a thread computes of the kernel's arguments and its place in the grid, with Java's arithmetic, as
 * long as they change by the same amount from each thread in x to the next. What is computed twice is one term.
 */
final class RowTerms {
    /** What slopes are at most; more is no place in memory that several threads use together. */
    private static final long STEEPEST = 1 << 20;

    private final Form form;
    private final List<Val> terms = new ArrayList<>();
    /** Of registers. */
    private final Map<Val.Reg, Long> slopes = new HashMap<>();
    /** What variables are now, and what registers were read from them. */
    private final Map<Op.Variable, Val> variables = new HashMap<>();

    private final Map<Val.Reg, Val> copies = new HashMap<>();

    /** What has been computed, by the operation and what it is of. */
    private final Map<List<Object>, Val.Reg> computed = new HashMap<>();

    RowTerms(Form form) {
        this.form = form;
    }

    /** The terms that were asked for, by their numbers. */
    List<Val> all() {
        return terms;
    }

    /** By how much each of them changes. */
    long[] slopes() {
        return terms.stream()
                .mapToLong(term -> Objects.requireNonNull(slope(term)))
                .toArray();
    }

    /** Follows a step. */
    void set(Op.SetVariable set) {
        variables.put(set.variable(), source(set.value()));
    }

    /** Follows a step; returns whether it is known what the variable is. */
    boolean get(Op.GetVariable get) {
        Val value = variables.get(get.variable());
        if (value == null) {
            return false;
        }
        copies.put(get.result(), value);
        Long slope = slope(value);
        if (slope != null) {
            slopes.put(get.result(), slope);
        }
        return true;
    }

    /** Follows a step. */
    void scale(Op.Scale scale) {
        Long slope = slope(scale.index());
        if (slope != null) {
            slopes.put(scale.result(), slope * scale.bytes());
            same(List.of("scale", scale.bytes(), source(scale.index())), scale.result());
        }
    }

    /** Follows a step. */
    void compute(Op.Compute op) {
        Long slope = slope(op);
        if (slope != null) {
            slopes.put(op.result(), slope);
            List<Object> key = new ArrayList<>(List.of(operation(op), op.type()));
            op.arguments().forEach(argument -> key.add(source(argument)));
            same(key, op.result());
        }
    }

    private static Object operation(Op.Compute op) {
        return switch (op.from()) {
            case Instruction.Binary binary -> binary.op();
            case Instruction.Convert convert -> convert.kind();
            case Instruction other -> other.id() < 0 ? other : other.id();
        };
    }

    /** Notes that a register is what has been computed before, if it has. */
    private void same(List<Object> what, Val.Reg register) {
        Val.Reg known = computed.putIfAbsent(what, register);
        if (known != null) {
            copies.put(register, known);
        }
    }

    /** Returns what a value is that was read from a variable, or was computed before. */
    Val source(Val value) {
        return value instanceof Val.Reg register ? copies.getOrDefault(register, value) : value;
    }

    /** What is added from a thread to the next; null of what is no whole number, or changes otherwise. */
    @Nullable
    Long slope(Val value) {
        return switch (value) {
            case Val.Num number -> RowAnalysis.isWhole(number) ? 0L : null;
            case Val.Arg argument -> RowAnalysis.isWhole(argument) ? 0L : null;
            case Val.Place place ->
                form.isUniform(place)
                        ? Long.valueOf(0)
                        : place == Val.Place.GLOBAL_X || place == Val.Place.TID_X ? Long.valueOf(1) : null;
            case Val.Reg register -> slopes.get(register);
        };
    }

    private @Nullable Long slope(Op.Compute op) {
        if (!RowAnalysis.isWhole(op.result()) || op.type() != Type.Scalar.I32 && op.type() != Type.Scalar.I64) {
            return null;
        }
        List<@Nullable Long> all = new ArrayList<>();
        boolean isUniform = true;
        for (Val argument : op.arguments()) {
            Long slope = slope(argument);
            if (slope == null) {
                return null;
            }
            all.add(slope);
            isUniform &= slope == 0;
        }
        if (isUniform) {
            return 0L;
        }
        long first = Objects.requireNonNull(all.getFirst());
        Long made = switch (op.from()) {
            case Instruction.Binary binary -> {
                long second = Objects.requireNonNull(all.get(1));
                Val left = source(op.arguments().getFirst());
                Val right = source(op.arguments().get(1));
                yield switch (binary.op()) {
                    case ADD -> first + second;
                    case SUB -> first - second;
                    case MUL ->
                        right instanceof Val.Num by && Math.abs(by.bits()) <= STEEPEST
                                ? Long.valueOf(first * by.bits())
                                : left instanceof Val.Num by && Math.abs(by.bits()) <= STEEPEST
                                        ? Long.valueOf(second * by.bits())
                                        : null;
                    case SHL ->
                        right instanceof Val.Num by && by.bits() >= 0 && by.bits() <= 20
                                ? Long.valueOf(first << by.bits())
                                : null;
                    default -> null;
                };
            }
            case Instruction.Negate _ -> -first;
            case Instruction.Convert convert ->
                convert.kind() == Conversion.SIGN_EXTEND && convert.value().type() == Type.Scalar.I32
                                || convert.kind() == Conversion.TRUNCATE && op.type() == Type.Scalar.I32
                        ? Long.valueOf(first)
                        : null;
            default -> null;
        };
        return made == null || Math.abs(made) > STEEPEST || made == Long.MIN_VALUE ? null : made;
    }

    /**
     * Returns the number of a term; −1 of what is none. What it is made of that may overflow is one, too, since the sum
     * of a row's length may have no room in it.
     */
    int track(Val given) {
        Val term = source(given);
        Long slope = slope(term);
        if (slope == null) {
            return -1;
        }
        int known = terms.indexOf(term);
        if (known < 0) {
            known = terms.size();
            terms.add(term);
            if (slope != 0) {
                trackInside(term);
            }
        }
        return known;
    }

    private void trackInside(Val term) {
        if (!(term instanceof Val.Reg register)) {
            return;
        }
        switch (register.by) {
            case Op.Scale scale -> {
                int _ = track(scale.index());
            }
            case Op.Compute compute
            when compute.from() instanceof Instruction.Convert ->
                track(compute.arguments().getFirst());
            case Op.Compute compute ->
                compute.arguments().forEach(argument -> {
                    Long slope = slope(source(argument));
                    if (slope != null && slope != 0) {
                        trackInside(source(argument));
                    }
                });
            case null, default -> {}
        }
    }
}
