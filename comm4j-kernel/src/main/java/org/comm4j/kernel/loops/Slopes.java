// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/** Growth of values in a loop over threads from each thread to the next, and the values of one thread. */
final class Slopes {
    /** The farthest from a thread to the next. */
    private static final long FARTHEST = 1 << 20;

    /** Growth of a value from a thread to the next, in each direction. */
    record Slope(long x, long y, long z) {
        static final Slope NONE = new Slope(0, 0, 0);

        Slope plus(Slope other, long times) {
            return new Slope(x + other.x * times, y + other.y * times, z + other.z * times);
        }

        /** Compares; the first call of a record's own {@code equals} in a process takes milliseconds. */
        boolean is(long someX, long someY, long someZ) {
            return x == someX && y == someY && z == someZ;
        }

        boolean isTooSteep() {
            return Math.max(Math.abs(x), Math.max(Math.abs(y), Math.abs(z))) > FARTHEST;
        }
    }

    private final RegionWriter writer;
    private final Layout layout;
    private final List<Part> parts;
    /** The steps of the loop, by their results. */
    private final Map<Val.Reg, Op> inside = new HashMap<>();

    private final Set<Op.Variable> changed = new HashSet<>();
    private final Map<Val.Reg, @Nullable Slope> slopes = new HashMap<>();

    /** @param parts of the loop */
    Slopes(RegionWriter writer, List<Part> parts) {
        this.writer = writer;
        this.layout = writer.layout;
        this.parts = parts;
        for (Part part : parts) {
            for (Op op : part.ops) {
                Val.Reg result = Analysis.result(op);
                if (op instanceof Op.SetVariable set) {
                    changed.add(set.variable());
                } else if (result != null) {
                    inside.put(result, op);
                }
            }
        }
    }

    /** Returns whether something that is the same for all threads is needed which the loop would have computed. */
    boolean needsChanged(Part part) {
        return layout.analysis.liveAt(part).stream()
                .anyMatch(value -> value instanceof Op.Variable variable && changed.contains(variable)
                        || value instanceof Val.Reg register && inside.containsKey(register));
    }

    /** Returns the steps that some values are made of. */
    List<Op> steps(List<Val> values) {
        Set<Val.Reg> wanted = new HashSet<>();
        values.forEach(value -> want(value, wanted));
        List<Op> slice = new ArrayList<>();
        for (Part part : parts) {
            for (Op op : part.ops) {
                Val.Reg result = Analysis.result(op);
                if (result != null && wanted.contains(result)) {
                    slice.add(op);
                }
            }
        }
        return slice;
    }

    private void want(Val value, Set<Val.Reg> wanted) {
        if (value instanceof Val.Reg register
                && !layout.analysis.isRepeated(register)
                && inside.containsKey(register)
                && wanted.add(register)) {
            Analysis.uses(Objects.requireNonNull(inside.get(register)), each -> want(each, wanted), _ -> {});
        }
    }

    /**
     * Writes code that computes values for the thread whose number has been pushed.
     *
     * @param steps that they are made of
     * @return variables with them, as longs
     */
    List<Integer> write(List<Op> steps, List<Val> values) {
        CodeBuilder code = writer.code;
        code.istore(writer.frame.thread);
        writer.beginThread();
        for (Op op : steps) {
            Val.Reg result = Objects.requireNonNull(Analysis.result(op));
            if (op instanceof Op.Scale scale) {
                // It may be too large in a thread that does not come there.
                writer.steps.push(scale.index());
                code.loadConstant((long) scale.bytes()).lmul();
            } else {
                writer.steps.value(op);
            }
            writer.frame.save(result, result.kind());
        }
        List<Integer> variables = new ArrayList<>();
        for (Val value : values) {
            writer.steps.push(value);
            if (value.kind() == Kind.INT) {
                code.i2l();
            }
            int slot = code.allocateLocal(TypeKind.LONG);
            code.lstore(slot);
            variables.add(slot);
        }
        return variables;
    }

    /** Returns by how much a whole number grows from a thread to the next; null if that is not known. */
    @Nullable
    Slope of(Val value) {
        if (!RowAnalysis.isWhole(value)) {
            return null;
        }
        return switch (value) {
            case Val.Num _, Val.Arg _ -> Slope.NONE;
            case Val.Place place -> {
                if (layout.form.isUniform(place)) {
                    yield Slope.NONE;
                }
                yield switch (place) {
                    case TID_X, GLOBAL_X -> new Slope(1, 0, 0);
                    case TID_Y -> new Slope(0, 1, 0);
                    case TID_Z -> new Slope(0, 0, 1);
                    default -> null;
                };
            }
            case Val.Reg register -> {
                if (!slopes.containsKey(register)) {
                    slopes.put(register, null);
                    Slope slope = slopeOf(register);
                    slopes.put(register, slope == null || slope.isTooSteep() ? null : slope);
                }
                yield slopes.get(register);
            }
        };
    }

    private @Nullable Slope slopeOf(Val.Reg register) {
        if (!layout.analysis.isRepeated(register) && !inside.containsKey(register)) {
            return writer.isOnce(register) ? Slope.NONE : null;
        }
        return switch (register.by) {
            case Op.GetVariable get ->
                writer.isOnce(get.variable()) && !changed.contains(get.variable()) ? Slope.NONE : null;
            case Op.Scale scale -> {
                Slope index = of(scale.index());
                yield index == null ? null : Slope.NONE.plus(index, scale.bytes());
            }
            case Op.Compute compute when !Analysis.mayFail(compute) -> slopeOf(compute);
            case null, default -> null;
        };
    }

    private @Nullable Slope slopeOf(Op.Compute compute) {
        List<Slope> all = new ArrayList<>();
        boolean isSame = true;
        for (Val argument : compute.arguments()) {
            Slope slope = of(argument);
            if (slope == null) {
                return null;
            }
            all.add(slope);
            isSame &= slope.is(0, 0, 0);
        }
        if (isSame) {
            return Slope.NONE;
        }
        if (compute.type() != Type.Scalar.I32 && compute.type() != Type.Scalar.I64) {
            return null;
        }
        Slope first = all.getFirst();
        Val last = compute.arguments().getLast();
        return switch (compute.from()) {
            case Instruction.Binary binary ->
                switch (binary.op()) {
                    case ADD -> first.plus(all.getLast(), 1);
                    case SUB -> first.plus(all.getLast(), -1);
                    case MUL ->
                        last instanceof Val.Num by && Math.abs(by.bits()) <= FARTHEST
                                ? Slope.NONE.plus(first, by.bits())
                                : compute.arguments().getFirst() instanceof Val.Num by
                                                && Math.abs(by.bits()) <= FARTHEST
                                        ? Slope.NONE.plus(all.getLast(), by.bits())
                                        : null;
                    case SHL ->
                        last instanceof Val.Num by && by.bits() >= 0 && by.bits() <= 20
                                ? Slope.NONE.plus(first, 1L << by.bits())
                                : null;
                    default -> null;
                };
            case Instruction.Convert convert ->
                convert.kind() == Conversion.SIGN_EXTEND && convert.value().type() == Type.Scalar.I32 ? first : null;
            default -> null;
        };
    }
}
