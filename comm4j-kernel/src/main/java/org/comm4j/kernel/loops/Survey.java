// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * Writes, in place of a loop over threads, which memory they are going to access in it, for {@link RegionAccesses}. The
 * place of an access is computed for the first thread and for the last; it is known if it grows by the same amount from
 * each thread to the next.
 */
final class Survey {
    private static final ClassDesc ACCESSES =
            RegionAccesses.class.describeConstable().orElseThrow();

    /** The farthest from a thread to the next. */
    private static final long FARTHEST = 1 << 20;

    /** By how much a value grows from a thread to the next, in each direction. */
    private record Slope(long x, long y, long z) {
        static final Slope NONE = new Slope(0, 0, 0);

        Slope plus(Slope other, long times) {
            return new Slope(x + other.x * times, y + other.y * times, z + other.z * times);
        }

        boolean isTooSteep() {
            return Math.max(Math.abs(x), Math.max(Math.abs(y), Math.abs(z))) > FARTHEST;
        }
    }

    private record Site(Room room, Val place, int what) {}

    private final RegionWriter writer;
    private final CodeBuilder code;
    private final Layout layout;
    /** The steps of the loop, by their results. */
    private final Map<Val.Reg, Op> inside = new HashMap<>();

    private final Set<Op.Variable> changed = new HashSet<>();
    private final Map<Val.Reg, @Nullable Slope> slopes = new HashMap<>();

    private Survey(RegionWriter writer) {
        this.writer = writer;
        this.code = writer.code;
        this.layout = writer.layout;
    }

    /**
     * Returns whether a region may be looked at as a whole: threads come together to it, and none of them does anything
     * but read, write and compute.
     */
    static boolean isFor(Layout layout, Region region, Flat flat) {
        boolean isBetweenBarriers = (region.after() == null || isBarrier(region.after()))
                && region.parts().stream()
                        .noneMatch(part -> part.end() instanceof Part.End.Wait wait && !isBarrier(wait.stop()));
        boolean isOneDynamic = flat.rooms().stream()
                        .filter(room -> room.where == Room.Where.DYNAMIC)
                        .count()
                <= 1;
        List<Room> rooms = region.parts().stream()
                .flatMap(part -> part.ops.stream())
                .flatMap(op -> accessed(op).stream())
                .map(Leaf.Pointer::room)
                .toList();
        Layout unchecked = layout.unchecked();
        boolean isOfBlock =
                rooms.stream().anyMatch(room -> room.where == Room.Where.SHARED || room.where == Room.Where.DYNAMIC);
        // Where all that is accessed is looked at anyway, the seed draws the order.
        return (isOfBlock || rooms.stream().noneMatch(unchecked::checks))
                && layout.isTogether(region)
                && region.steps() <= RegionWriter.MOST_SPLIT
                && region.parts().stream().flatMap(part -> part.ops.stream()).allMatch(op -> switch (op) {
                    case Op.Load load -> !load.isVolatile() && isFor(load.pointer(), isBetweenBarriers, isOneDynamic);
                    case Op.Store store ->
                        !store.isVolatile() && isFor(store.pointer(), isBetweenBarriers, isOneDynamic);
                    case Op.Invoke invoke ->
                        !invoke.callee().changesMemory()
                                && !invoke.callee().asks()
                                && !invoke.callee().keeps()
                                && !invoke.callee().fence()
                                && invoke.callee().access() == 0
                                && invoke.arguments().stream().noneMatch(Leaf.Pointer.class::isInstance);
                    default -> true;
                });
    }

    private static Optional<Leaf.Pointer> accessed(Op op) {
        return switch (op) {
            case Op.Load load -> Optional.of(load.pointer());
            case Op.Store store -> Optional.of(store.pointer());
            default -> Optional.empty();
        };
    }

    private static boolean isBarrier(Stop stop) {
        return stop.what() == Stop.What.SYNC_BLOCK || stop.what() == Stop.What.SYNC_COUNT;
    }

    private static boolean isFor(Leaf.Pointer pointer, boolean isBetweenBarriers, boolean isOneDynamic) {
        return pointer.which() == null
                && switch (pointer.room().where) {
                    case SHARED -> isBetweenBarriers;
                    case DYNAMIC -> isBetweenBarriers && isOneDynamic;
                    case ANY -> false;
                    case ARGUMENT, CONSTANT, LOCAL -> true;
                };
    }

    /** Writes it for a loop, as {@link RegionWriter#loop(List, Part, int, int, Label)} has it. */
    static void write(RegionWriter writer, List<Part> parts, @Nullable Part end, int from, int to, Label done) {
        new Survey(writer).write(parts, end, from, to, done);
    }

    private void write(List<Part> parts, @Nullable Part end, int from, int to, Label done) {
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
        if (end != null && end.successors().stream().anyMatch(this::needsChanged)) {
            unknown();
            code.goto_(done);
            return;
        }
        code.iload(from).iload(to).if_icmpge(done);
        Set<Integer> arguments = new TreeSet<>();
        Set<Integer> anywhere = new TreeSet<>();
        Set<Site> sites = new LinkedHashSet<>();
        boolean isKnown = true;
        for (Part part : parts) {
            int some = isPassed(part, parts, end) ? 0 : RegionAccesses.SOME;
            for (Op op : part.ops) {
                Leaf.Pointer pointer = accessed(op).orElse(null);
                if (pointer == null
                        || !layout.analysis.isNeeded(op)
                        || !pointer.room().isVisited()) {
                    continue;
                }
                Room room = pointer.room();
                Val place = Analysis.address(pointer);
                if (room.where == Room.Where.ARGUMENT) {
                    if (!layout.checks(room)) {
                        arguments.add(room.number);
                    }
                } else if (slope(place) != null) {
                    sites.add(new Site(room, place, what(op) | some));
                } else if (op instanceof Op.Load) {
                    anywhere.add(room.number);
                } else {
                    isKnown = false;
                }
            }
        }
        if (!isKnown) {
            unknown();
            code.goto_(done);
            return;
        }
        arguments.forEach(room -> memory("argument", room));
        anywhere.forEach(room -> memory("anywhere", room));
        rows(parts, sites, from, to);
        code.goto_(done);
    }

    private void unknown() {
        writer.frame.field("accesses", ACCESSES);
        code.invokevirtual(ACCESSES, "unknown", MethodTypeDesc.of(CD_void));
    }

    private void memory(String how, int room) {
        writer.frame.field("accesses", ACCESSES);
        code.loadConstant(room).invokevirtual(ACCESSES, how, MethodTypeDesc.of(CD_void, CD_int));
    }

    private static int what(Op op) {
        return switch (op) {
            case Op.Load load -> LoopRaces.READ | (int) load.type().bytes() << 8;
            case Op.Store store -> LoopRaces.WRITE | (int) store.type().bytes() << 8;
            default -> throw new IllegalStateException(op.toString());
        };
    }

    /** Returns whether something that is the same for all threads is needed which the loop would have computed. */
    private boolean needsChanged(Part part) {
        return layout.analysis.liveAt(part).stream()
                .anyMatch(value -> value instanceof Op.Variable variable && changed.contains(variable)
                        || value instanceof Val.Reg register && inside.containsKey(register));
    }

    /** Returns whether each thread comes to a part that does not fail before. */
    private static boolean isPassed(Part part, List<Part> parts, @Nullable Part end) {
        if (end != null) {
            return true;
        }
        Set<Part> seen = new HashSet<>(Set.of(part));
        List<Part> work = new ArrayList<>(List.of(parts.getFirst()));
        while (!work.isEmpty()) {
            Part next = work.removeLast();
            if (seen.add(next)) {
                if (next.end() instanceof Part.End.Wait || next.end() instanceof Part.End.Return) {
                    return false;
                }
                work.addAll(next.successors());
            }
        }
        return true;
    }

    // ---- what threads access ----

    private void rows(List<Part> parts, Set<Site> sites, int from, int to) {
        Set<Val.Reg> wanted = new HashSet<>();
        sites.forEach(site -> want(site.place, wanted));
        List<Op> slice = new ArrayList<>();
        for (Part part : parts) {
            for (Op op : part.ops) {
                Val.Reg result = Analysis.result(op);
                if (result != null && wanted.contains(result)) {
                    slice.add(op);
                }
            }
        }
        if (sites.isEmpty()) {
            return;
        }
        code.iload(from);
        List<Integer> first = places(slice, sites);
        code.iload(to).iconst_1().isub();
        List<Integer> last = places(slice, sites);
        int i = 0;
        for (Site site : sites) {
            Slope slope = Objects.requireNonNull(slope(site.place));
            writer.frame.field("accesses", ACCESSES);
            code.loadConstant(site.room.number).lload(first.get(i)).lload(last.get(i++));
            code.loadConstant((int) slope.x).loadConstant((int) slope.y).loadConstant((int) slope.z);
            code.loadConstant(site.what).iload(from).iload(to);
            code.invokevirtual(
                    ACCESSES,
                    "row",
                    MethodTypeDesc.of(
                            CD_void, CD_int, CD_long, CD_long, CD_int, CD_int, CD_int, CD_int, CD_int, CD_int));
        }
    }

    private void want(Val value, Set<Val.Reg> wanted) {
        if (value instanceof Val.Reg register
                && !layout.analysis.isRepeated(register)
                && inside.get(register) instanceof Op op
                && wanted.add(register)) {
            Analysis.uses(op, each -> want(each, wanted), _ -> {});
        }
    }

    /** Computes the places for the thread whose number has been pushed. */
    private List<Integer> places(List<Op> slice, Set<Site> sites) {
        code.istore(writer.frame.thread);
        writer.beginThread();
        for (Op op : slice) {
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
        List<Integer> places = new ArrayList<>();
        for (Site site : sites) {
            writer.steps.push(site.place);
            if (site.place.kind() == Kind.INT) {
                code.i2l();
            }
            int slot = code.allocateLocal(TypeKind.LONG);
            code.lstore(slot);
            places.add(slot);
        }
        return places;
    }

    // ---- slopes ----

    /** Returns by how much a whole number grows from a thread to the next; null if that is not known. */
    private @Nullable Slope slope(Val value) {
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
                Slope index = slope(scale.index());
                yield index == null ? null : Slope.NONE.plus(index, scale.bytes());
            }
            case Op.Compute compute when !Analysis.mayFail(compute) -> slopeOf(compute);
            case null, default -> null;
        };
    }

    private @Nullable Slope slopeOf(Op.Compute compute) {
        List<Slope> all = new ArrayList<>();
        for (Val argument : compute.arguments()) {
            Slope slope = slope(argument);
            if (slope == null) {
                return null;
            }
            all.add(slope);
        }
        if (all.stream().allMatch(Slope.NONE::equals)) {
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
