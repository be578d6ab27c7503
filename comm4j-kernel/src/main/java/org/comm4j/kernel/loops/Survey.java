// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes, in place of a loop over threads, which memory they are going to access in it, for {@link RegionAccesses}. The
 * place of an access is computed for the first thread and for the last; it is known if it grows by the same amount from
 * each thread to the next.
 */
final class Survey {
    private static final ClassDesc ACCESSES =
            RegionAccesses.class.describeConstable().orElseThrow();

    private record Site(Room room, Val place, int what) {}

    private final RegionWriter writer;
    private final CodeBuilder code;
    private final Layout layout;
    private final Slopes slopes;

    private Survey(RegionWriter writer, List<Part> parts) {
        this.slopes = new Slopes(writer, parts);
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
        return stop.what().isOfBlock();
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
        new Survey(writer, parts).write(parts, end, from, to, done);
    }

    private void write(List<Part> parts, @Nullable Part end, int from, int to, Label done) {
        if (end != null && end.successors().stream().anyMatch(slopes::needsChanged)) {
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
                } else if (slopes.of(place) != null) {
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
        rows(sites, from, to);
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

    private void rows(Set<Site> sites, int from, int to) {
        if (sites.isEmpty()) {
            return;
        }
        List<Val> places = sites.stream().map(Site::place).toList();
        List<Op> steps = slopes.steps(places);
        code.iload(from);
        List<Integer> first = slopes.write(steps, places);
        code.iload(to).iconst_1().isub();
        List<Integer> last = slopes.write(steps, places);
        int i = 0;
        for (Site site : sites) {
            Slopes.Slope slope = Objects.requireNonNull(slopes.of(site.place));
            writer.frame.field("accesses", ACCESSES);
            code.loadConstant(site.room.number).lload(first.get(i)).lload(last.get(i++));
            code.loadConstant((int) slope.x()).loadConstant((int) slope.y()).loadConstant((int) slope.z());
            code.loadConstant(site.what).iload(from).iload(to);
            code.invokevirtual(
                    ACCESSES,
                    "row",
                    MethodTypeDesc.of(
                            CD_void, CD_int, CD_long, CD_long, CD_int, CD_int, CD_int, CD_int, CD_int, CD_int));
        }
    }
}
