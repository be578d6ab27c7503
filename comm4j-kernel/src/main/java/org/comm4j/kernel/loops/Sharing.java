// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * Which arguments' memory threads do not share, so that none of its accesses is part of a race: nobody writes it, or
 * each thread accesses elements of its own. Elements are a thread's own where their place is a multiple of its number
 * in the grid, or of a variable that begins with that number and grows by the number of all threads.
 */
final class Sharing {
    /**
     * A sum of multiples of what all threads have the same of, and of the thread's number.
     *
     * @param factors by what they are of; ints that were made longs are one thing
     */
    private record Linear(Map<Object, Long> factors, long constant) {
        static Linear of(Object what) {
            return new Linear(Map.of(what, 1L), 0);
        }

        Linear plus(Linear other, long times) {
            Map<Object, Long> sum = new HashMap<>(factors);
            other.factors.forEach((what, factor) -> sum.merge(what, factor * times, Long::sum));
            sum.values().removeIf(factor -> factor == 0);
            return new Linear(sum, constant + other.constant * times);
        }

        Linear times(long factor) {
            return new Linear(Map.of(), 0).plus(this, factor);
        }

        boolean isConstant() {
            return factors.isEmpty();
        }
    }

    /** Where accesses of an argument's memory are: nearest and farthest differ by a constant alone. */
    private record Own(Map<Object, Long> factors, long from, long to) {}

    private final Set<Room> written = new HashSet<>();
    /** Of which not all accesses are known. */
    private final Set<Room> unknown = new HashSet<>();
    /** Accesses that threads have for themselves; of memory with others null. */
    private final Map<Room, @Nullable Own> own = new HashMap<>();

    private final Map<Op.Variable, List<Val>> values = new HashMap<>();
    private boolean isWild;

    Sharing(Flat flat) {
        for (Part part : flat.parts()) {
            for (Op op : part.ops) {
                if (op instanceof Op.SetVariable set) {
                    values.computeIfAbsent(set.variable(), _ -> new ArrayList<>())
                            .add(set.value());
                }
            }
        }
        for (Part part : flat.parts()) {
            for (Op op : part.ops) {
                switch (op) {
                    case Op.Load load -> access(load.pointer(), load.type(), load.isVolatile(), false);
                    case Op.Store store -> access(store.pointer(), store.type(), store.isVolatile(), true);
                    case Op.Invoke invoke ->
                        invoke.arguments().forEach(each -> {
                            if (each instanceof Leaf.Pointer pointer) {
                                isWild |= pointer.which() != null;
                                unknown.add(pointer.room());
                            }
                        });
                    default -> {}
                }
            }
        }
    }

    private void access(Leaf.Pointer pointer, Type.Scalar type, boolean isVolatile, boolean writes) {
        Room room = pointer.room();
        isWild |= pointer.which() != null;
        if (room.where != Room.Where.ARGUMENT) {
            return;
        }
        if (isVolatile) {
            unknown.add(room);
        }
        if (writes) {
            written.add(room);
        }
        Linear place = linear(pointer.bytes(), true);
        Own now = place == null ? null : new Own(place.factors, place.constant, place.constant + type.bytes());
        if (!own.containsKey(room)) {
            own.put(room, now);
            return;
        }
        Own before = own.get(room);
        own.put(
                room,
                now == null || before == null || !before.factors.equals(now.factors)
                        ? null
                        : new Own(now.factors, Math.min(before.from, now.from), Math.max(before.to, now.to)));
    }

    /** Returns whether an access of memory that overlaps that of no other argument is never part of a race. */
    private boolean isOwn(Room room) {
        Own where = own.get(room);
        if (where == null) {
            return false;
        }
        long step = 0;
        for (Map.Entry<Object, Long> each : where.factors.entrySet()) {
            Object what = each.getKey();
            long number = what instanceof Linear ints ? ints.factors.getOrDefault(Val.Place.GLOBAL_X, 0L) : 0;
            if (number != 0) {
                // Of an odd multiple, each int is one of exactly one int.
                if (step != 0 || number % 2 == 0) {
                    return false;
                }
                step = Math.abs(each.getValue());
            }
        }
        return step >= where.to - where.from;
    }

    /** Returns what a launch asks. */
    Known known() {
        return new Known(
                isWild,
                numbers(unknown),
                numbers(own.keySet()),
                numbers(written),
                numbers(own.keySet().stream().filter(this::isOwn).toList()));
    }

    private static BitSet numbers(Collection<Room> rooms) {
        BitSet numbers = new BitSet();
        for (Room room : rooms) {
            if (room != Room.ANYWHERE) {
                numbers.set(room.number);
            }
        }
        return numbers;
    }

    /**
     * What is known of the memory of arguments, by the numbers of rooms.
     *
     * @param isWild whether there is a pointer of which it is not known where it points to
     * @param unknown those of which not all accesses are known
     * @param accessed those of which some are known
     * @param own those of which each thread accesses elements of its own, if it overlaps that of no other argument
     */
    record Known(boolean isWild, BitSet unknown, BitSet accessed, BitSet written, BitSet own) {
        /** Returns whether threads of a launch do not share the memory of some, which overlaps that of no others. */
        boolean isNone(BitSet rooms, LaunchConfig config) {
            if (isWild || rooms.intersects(unknown)) {
                return false;
            }
            BitSet some = (BitSet) rooms.clone();
            some.and(accessed);
            return !some.intersects(written)
                    || some.cardinality() == 1
                            && config.gridY() == 1
                            && config.gridZ() == 1
                            && config.blockY() == 1
                            && config.blockZ() == 1
                            && some.intersects(own);
        }
    }

    /** Returns whether threads may share an argument's memory in all launches. */
    boolean isAlways(Room room) {
        return isWild || unknown.contains(room) || written.contains(room) && !isOwn(room);
    }

    // ---- places ----

    /** Returns what a whole number is; null if it is no such sum. */
    private @Nullable Linear linear(Val value, boolean isLong) {
        return switch (value) {
            case Val.Num number -> new Linear(Map.of(), number.bits());
            case Val.Arg argument -> Linear.of(argument);
            case Val.Place place ->
                !isLong && (place == Val.Place.GLOBAL_X || place.ordinal() >= Val.Place.NTID_X.ordinal())
                        ? Linear.of(place)
                        : null;
            case Val.Reg register -> {
                Linear made = linear(register);
                yield made == null || isLong == (register.kind() == Kind.LONG) ? made : null;
            }
        };
    }

    private @Nullable Linear linear(Val.Reg register) {
        boolean isLong = register.kind() == Kind.LONG;
        return switch (register.by) {
            case Op.Scale scale -> {
                Linear index = linear(scale.index(), true);
                yield index == null ? null : index.times(scale.bytes());
            }
            case Op.GetVariable get when isOwnNumber(get.variable()) -> isLong ? widened(ofThread()) : ofThread();
            case Op.Compute compute
            when compute.type() == (isLong ? Type.Scalar.I64 : Type.Scalar.I32) -> linear(compute, isLong);
            case null, default -> null;
        };
    }

    private static Linear ofThread() {
        return Linear.of(Val.Place.GLOBAL_X);
    }

    private static Linear widened(Linear ints) {
        return ints.isConstant() ? new Linear(Map.of(), (int) ints.constant) : Linear.of(ints);
    }

    private @Nullable Linear linear(Op.Compute compute, boolean isLong) {
        if (compute.from() instanceof Instruction.Convert convert) {
            Linear ints =
                    convert.kind() == Conversion.SIGN_EXTEND && convert.value().type() == Type.Scalar.I32
                            ? linear(compute.arguments().getFirst(), false)
                            : null;
            return ints == null ? null : widened(ints);
        }
        if (!(compute.from() instanceof Instruction.Binary binary)) {
            return null;
        }
        Linear left = linear(compute.arguments().getFirst(), isLong);
        Linear right = linear(compute.arguments().get(1), isLong);
        if (left == null || right == null) {
            return null;
        }
        return switch (binary.op()) {
            case ADD -> left.plus(right, 1);
            case SUB -> left.plus(right, -1);
            case MUL ->
                right.isConstant() ? left.times(right.constant) : left.isConstant() ? right.times(left.constant) : null;
            case SHL ->
                right.isConstant() && right.constant >= 0 && right.constant < Integer.SIZE
                        ? left.times(1L << right.constant)
                        : null;
            default -> null;
        };
    }

    /** Returns whether a variable begins with the thread's number and grows by the number of all threads. */
    private boolean isOwnNumber(Op.Variable variable) {
        boolean begins = false;
        for (Val value : values.getOrDefault(variable, List.of())) {
            if (narrow(value) == Val.Place.GLOBAL_X) {
                begins = true;
            } else if (!(value instanceof Val.Reg register
                    && register.by instanceof Op.Compute sum
                    && isBinary(sum, BinaryOp.ADD)
                    && (isRead(sum.arguments().getFirst(), variable)
                                    && isAll(sum.arguments().get(1))
                            || isRead(sum.arguments().get(1), variable)
                                    && isAll(sum.arguments().getFirst())))) {
                return false;
            }
        }
        return begins;
    }

    private static boolean isBinary(Op.Compute op, BinaryOp how) {
        return op.from() instanceof Instruction.Binary binary && binary.op() == how;
    }

    private static boolean isRead(Val value, Op.Variable variable) {
        return value instanceof Val.Reg register
                && register.by instanceof Op.GetVariable get
                && get.variable() == variable;
    }

    /** Of an int that was made a long, the int. */
    private static Val narrow(Val value) {
        return value instanceof Val.Reg register
                        && register.by instanceof Op.Compute compute
                        && compute.from() instanceof Instruction.Convert convert
                        && convert.kind() == Conversion.SIGN_EXTEND
                ? compute.arguments().getFirst()
                : value;
    }

    /** Returns whether it is the number of threads in x. */
    private static boolean isAll(Val value) {
        return narrow(value) instanceof Val.Reg register
                && register.by instanceof Op.Compute product
                && isBinary(product, BinaryOp.MUL)
                && Set.of(Val.Place.NTID_X, Val.Place.NCTAID_X)
                        .equals(Set.copyOf(product.arguments().stream()
                                .map(Sharing::narrow)
                                .toList()));
    }
}
