// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/**
 * Writes the method of a region: a loop over threads, {@code int region(int from, int to)}. There are two of them: for
 * threads that are {@code together}, all threads of a block, of which values that are the same for all are kept once;
 * and for any.
 */
final class RegionWriter {
    private static final int FROM = 1;
    private static final int TO = 2;
    /** Steps of a region of which there may be several copies. */
    private static final int MOST_SPLIT = 250;

    final CodeBuilder code;
    final Layout layout;
    private final Region region;
    final Steps steps;
    final LoopFrame frame;
    private final Map<Part, Label> labels = new HashMap<>();
    /** Places of the parts in the loop that is being written. */
    private final Map<Part, Integer> places = new HashMap<>();

    private final Map<Object, Integer> arrays = new LinkedHashMap<>();
    private final Needs needs;
    private final int thread;
    final int line;
    private final int least;
    private final int most;
    private final boolean together;
    /** What is stored behind the loop: arrays of which the first element counts, and variables. */
    private final Map<Object, Integer> afterwards = new LinkedHashMap<>();
    /** The same of operands of stops, by the names of their arrays. */
    private final Map<String, Integer> operands = new LinkedHashMap<>();

    private Position last = Position.UNKNOWN;
    private List<Position> calls = List.of();

    RegionWriter(CodeBuilder code, Layout layout, Region region, boolean together) {
        this.together = together;
        this.code = code;
        this.layout = layout;
        this.region = region;
        this.frame = new LoopFrame(code, layout);
        this.thread = frame.thread;
        this.line = code.allocateLocal(TypeKind.INT);
        this.least = code.allocateLocal(TypeKind.INT);
        this.most = code.allocateLocal(TypeKind.INT);
        this.needs = new Needs(layout.analysis, region);
        this.steps = new Steps(this);
    }

    /** Whether of a register or variable one value is kept for all threads. */
    boolean isOnce(Object value) {
        return together && layout.uniformity.isUniform(value);
    }

    private boolean hasOneExit() {
        return region.exits().size() <= 1;
    }

    void write() {
        code.iconst_0().istore(line);
        code.iload(FROM).istore(thread);
        for (Val.Arg argument : needs.arguments()) {
            frame.field("bits", CD_long.arrayType());
            code.loadConstant(argument.number()).laload();
            frame.fromBits(argument.kind());
            frame.store(argument, argument.kind().jvm);
        }
        for (Val.Place place : needs.places()) {
            if (place.isUniform()) {
                frame.field(place.name().toLowerCase(java.util.Locale.ROOT), CD_int);
                frame.store(place, TypeKind.INT);
            }
        }
        needs.rooms().forEach(frame::room);
        kept(layout.analysis.liveAt(region.first())).forEach(value -> arrays.put(value, frame.array(value)));
        for (Part part : region.parts()) {
            if (part.end() instanceof Part.End.Wait(Stop stop, Part after)) {
                for (Object value : layout.analysis.liveAt(after)) {
                    if (value != stop.result() && isChanged(value) && !arrays.containsKey(value)) {
                        arrays.put(value, frame.array(value));
                    }
                }
            }
        }
        for (Val.Reg register : needs.repeated()) {
            if (needs.isUniform(register)) {
                compute(register);
            }
        }
        once();
        if (region.after() != null
                && region.after().result() != null
                && isOnce(region.after().result())) {
            result(region.after().result(), code::iconst_0);
        }
        code.loadConstant(Integer.MAX_VALUE).istore(least);
        code.iconst_m1().istore(most);
        Label start = code.newBoundLabel();
        Label done = code.newLabel();
        if (together && layout.splits && region.steps() <= MOST_SPLIT) {
            new Ranges(this, layout, region).write(FROM, TO, done);
        } else {
            loop(region.first(), FROM, TO, done);
        }
        code.labelBinding(done);
        afterwards.forEach((value, array) -> {
            Kind kind = Layout.kind(value);
            code.aload(array).iconst_0();
            frame.load(value, kind);
            code.arrayStore(kind.jvm);
        });
        operands.forEach((name, slot) -> {
            frame.field(name, CD_int.arrayType());
            code.iconst_0().iload(slot).iastore();
        });
        if (hasOneExit()) {
            code.loadConstant(
                    region.exits().isEmpty() ? 0 : region.exits().iterator().next());
        } else if (together) {
            code.iload(most);
        } else {
            Label same = code.newLabel();
            code.iload(least).iload(most).if_icmpeq(same);
            code.iconst_m1().ireturn();
            code.labelBinding(same);
            code.iload(least);
        }
        code.ireturn();
        Label end = code.newBoundLabel();
        code.exceptionCatchAll(start, end, end);
        int thrown = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(thrown).aload(0).aload(thrown).iload(thread).iload(line);
        code.invokevirtual(Layout.STATE, "fault", MethodTypeDesc.of(CD_Throwable, CD_Throwable, CD_int, CD_int));
        code.athrow();
    }

    /**
     * Writes a loop over threads, from a part to where the region ends.
     *
     * @param from a variable with the first thread
     * @param to a variable with the thread behind the last
     * @param done where to go on
     */
    void loop(Part first, int from, int to, Label done) {
        loop(Region.parts(first), null, from, to, done);
    }

    /**
     * Writes a loop over threads of some parts.
     *
     * @param end the part with which a thread has done its share, wherever it leads; null if there is none
     */
    void loop(List<Part> parts, @Nullable Part end, int from, int to, Label done) {
        Part first = parts.getFirst();
        Map<Object, Integer> before = saved(parts);
        boolean isGlobal = layout.oneDimensional && needs.places().contains(Val.Place.GLOBAL_X);
        int stride = layout.shuffled ? shuffle(from, to, done) : 0;
        int counter = isGlobal
                ? frame.local(Val.Place.GLOBAL_X, TypeKind.INT)
                : layout.shuffled ? code.allocateLocal(TypeKind.INT) : thread;
        int limit = to;
        code.iload(from);
        if (isGlobal) {
            // A JVM that knows that the place in the grid is no negative number knows that it does not overflow.
            frame.field("base", CD_int);
            code.loadConstant(Integer.MAX_VALUE).iand().iadd();
            limit = code.allocateLocal(TypeKind.INT);
            code.istore(counter);
            frame.field("base", CD_int);
            code.iload(to).iadd().istore(limit);
        } else {
            code.istore(counter);
        }
        Label condition = code.newBoundLabel();
        Label next = code.newLabel();
        code.iload(counter).iload(limit).if_icmpge(done);
        if (isGlobal) {
            code.iload(counter);
            frame.field("base", CD_int);
            code.isub().istore(thread);
        }
        for (Room room : needs.rooms()) {
            if (room.where == Room.Where.LOCAL) {
                frame.newBase(room);
            }
        }
        needs.places().forEach(frame::place);
        for (Val.Reg register : needs.repeated()) {
            if (!needs.isUniform(register)) {
                compute(register);
            }
        }
        restore(before);
        List<Object> live = layout.analysis.liveAt(first);
        for (Object value : kept(layout.analysis.liveAt(region.first()))) {
            if (!isOnce(value) && live.contains(value)) {
                Kind kind = Layout.kind(value);
                code.aload(Objects.requireNonNull(arrays.get(value))).iload(thread);
                code.arrayLoad(kind.jvm);
                frame.store(value, kind.jvm);
            }
        }
        result();
        labels.clear();
        places.clear();
        for (Part part : parts) {
            labels.put(part, code.newLabel());
            places.put(part, places.size());
        }
        for (Part part : parts) {
            code.labelBinding(label(part));
            steps.write(part);
            if (part != end) {
                end(part, next);
            }
        }
        code.labelBinding(next);
        if (layout.shuffled) {
            Label inside = code.newLabel();
            code.iload(thread).iload(stride).iadd().istore(thread);
            code.iload(thread).iload(to).if_icmplt(inside);
            code.iload(thread).iload(to).isub().iload(from).iadd().istore(thread);
            code.labelBinding(inside);
        }
        code.iinc(counter, 1).goto_(condition);
    }

    /** Draws the first thread, and the distance to the next, which is returned; of no threads there is no order. */
    private int shuffle(int from, int to, Label done) {
        int stride = code.allocateLocal(TypeKind.INT);
        MethodTypeDesc type = MethodTypeDesc.of(CD_int, CD_int, CD_int);
        code.iload(from).iload(to).if_icmpge(done);
        code.aload(0).iload(from).iload(to);
        code.invokevirtual(Layout.STATE, "first", type).istore(thread);
        code.aload(0).iload(from).iload(to);
        code.invokevirtual(Layout.STATE, "stride", type).istore(stride);
        return stride;
    }

    /**
     * Keeps the values, the same for all threads, that parts change, for each thread begins with them: variables, and
     * registers of an earlier turn of a loop.
     */
    Map<Object, Integer> saved(List<Part> parts) {
        List<Object> live = layout.analysis.liveAt(region.first());
        Map<Object, Integer> saved = new LinkedHashMap<>();
        for (Part part : parts) {
            for (Op op : part.ops) {
                Object changed = op instanceof Op.SetVariable set ? set.variable() : Analysis.result(op);
                if (changed != null
                        && isOnce(changed)
                        && layout.analysis.isNeeded(op)
                        && (changed instanceof Op.Variable || live.contains(changed))
                        && !saved.containsKey(changed)) {
                    Kind kind = Layout.kind(changed);
                    frame.load(changed, kind);
                    saved.put(changed, frame.store(new Object(), kind.jvm));
                }
            }
        }
        return saved;
    }

    void restore(Map<Object, Integer> saved) {
        saved.forEach((value, slot) -> {
            Kind kind = Layout.kind(value);
            code.loadLocal(kind.jvm, slot);
            frame.store(value, kind.jvm);
        });
    }

    // ---- the beginning ----

    /**
     * Loads values of which there is one for all threads. What of that kind is stored behind the loop gets a value
     * here, too, for the loop might have no threads.
     */
    private void once() {
        for (Part part : region.parts()) {
            for (Op op : part.ops) {
                if (op instanceof Op.SetVariable set && isOnce(set.variable()) && !arrays.containsKey(set.variable())) {
                    zero(set.variable());
                }
            }
            for (Object value : layout.analysis.liveAt(part)) {
                if (value instanceof Val.Reg && isOnce(value) && !arrays.containsKey(value)) {
                    zero(value);
                }
            }
        }
        arrays.forEach((value, array) -> {
            if (isOnce(value)) {
                Kind kind = Layout.kind(value);
                code.aload(array).iconst_0();
                code.arrayLoad(kind.jvm);
                frame.store(value, kind.jvm);
                if (isChanged(value)) {
                    afterwards.put(value, array);
                }
            }
        });
        if (together) {
            for (Part part : region.parts()) {
                if (part.end() instanceof Part.End.Wait wait) {
                    Stop stop = wait.stop();
                    for (int i = stop.hasOperand() ? 1 : 0; i < stop.arguments().size(); i++) {
                        Val value = stop.arguments().get(i);
                        if (!(value instanceof Val.Num) && isOnce(value)) {
                            code.iconst_0();
                            operands.computeIfAbsent(operand(stop, i), _ -> frame.store(new Object(), TypeKind.INT));
                        }
                    }
                }
            }
        }
    }

    private void zero(Object value) {
        Kind kind = Layout.kind(value);
        switch (kind) {
            case INT -> code.iconst_0();
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
        }
        frame.store(value, kind.jvm);
    }

    /** The array of an argument of a stop. */
    private static String operand(Stop stop, int argument) {
        if (argument == 0 && stop.hasOperand()) {
            return switch (stop.kind()) {
                case INT -> "operands";
                case LONG -> "wideOperands";
                case FLOAT -> "floatOperands";
                case DOUBLE -> "doubleOperands";
            };
        }
        return argument == stop.arguments().size() - 1 ? "masks" : argument == 1 ? "lanes" : "widths";
    }

    /** All but what the stop gives. */
    private List<Object> kept(List<Object> live) {
        Val.Reg result = region.after() == null ? null : region.after().result();
        return live.stream().filter(value -> value != result).toList();
    }

    private void compute(Val.Reg register) {
        steps.value(Objects.requireNonNull(register.by));
        frame.store(register, register.kind().jvm);
    }

    /** What the stop before this region gives to the thread. */
    private void result() {
        Stop after = region.after();
        if (after != null && after.result() != null && !isOnce(after.result())) {
            result(after.result(), () -> code.iload(thread));
        }
    }

    private void result(Val.Reg result, Runnable index) {
        Kind kind = result.kind();
        frame.field(
                switch (kind) {
                    case INT -> "results";
                    case LONG -> "wideResults";
                    case FLOAT -> "floatResults";
                    case DOUBLE -> "doubleResults";
                },
                kind.array());
        index.run();
        code.arrayLoad(kind.jvm);
        frame.store(result, kind.jvm);
    }

    // ---- variables ----

    /** Notes the line of what may fail. */
    void at(Position position) {
        if (!position.equals(last)) {
            last = position;
            code.loadConstant(layout.line(position, calls)).istore(line);
        }
    }

    /** Notes that what follows is in a part. */
    void in(Part part) {
        calls = part.calls;
        last = Position.UNKNOWN;
    }

    Label label(Part part) {
        return Objects.requireNonNull(labels.get(part));
    }

    // ---- ends ----

    private void end(Part part, Label next) {
        switch (part.end()) {
            case Part.End.Jump jump -> jump(part, jump.target());
            case Part.End.Branch branch -> {
                poll(part, branch.ifTrue());
                poll(part, branch.ifFalse());
                if (isNext(part, branch.ifTrue())) {
                    steps.branch(branch.condition(), false, label(branch.ifFalse()));
                } else {
                    steps.branch(branch.condition(), true, label(branch.ifTrue()));
                    jump(part, branch.ifFalse());
                }
            }
            case Part.End.Choice choice -> {
                steps.push(choice.value());
                List<SwitchCase> cases = new ArrayList<>();
                choice.cases().forEach((key, target) -> cases.add(SwitchCase.of(key, label(target))));
                code.lookupswitch(label(choice.otherwise()), cases);
            }
            case Part.End.Return _ -> exit(0, next);
            case Part.End.Fail fail -> {
                at(fail.at());
                fail(fail);
            }
            case Part.End.Wait(Stop stop, Part after) -> {
                at(stop.at());
                operands(stop);
                for (Object value : layout.analysis.liveAt(after)) {
                    if (value != stop.result() && isChanged(value) && !isOnce(value)) {
                        Kind kind = Layout.kind(value);
                        code.aload(Objects.requireNonNull(arrays.get(value))).iload(thread);
                        frame.load(value, kind);
                        code.arrayStore(kind.jvm);
                    }
                }
                exit(stop.number(), next);
            }
        }
    }

    private void fail(Part.End.Fail fail) {
        if (fail.values().isEmpty()) {
            code.aload(0).loadConstant(fail.message());
            code.invokevirtual(Layout.STATE, "failed", MethodTypeDesc.of(CD_Throwable, CD_String));
        } else {
            code.loadConstant(fail.message());
            for (Val value : fail.values()) {
                steps.push(value);
                if (value.kind() == Kind.INT) {
                    code.i2l();
                }
            }
            code.invokestatic(Layout.STATE, "outside", MethodTypeDesc.of(CD_Throwable, CD_String, CD_long, CD_long));
        }
        code.athrow();
    }

    private int place(Part part) {
        return places.getOrDefault(part, -1);
    }

    private boolean isNext(Part part, Part target) {
        return place(target) == place(part) + 1;
    }

    private void jump(Part part, Part target) {
        poll(part, target);
        if (!isNext(part, target)) {
            code.goto_(label(target));
        }
    }

    /** In loops, whether the launch is to end. */
    private void poll(Part part, Part target) {
        if (layout.polls && place(target) <= place(part)) {
            code.aload(0).invokevirtual(Layout.STATE, "poll", MethodTypeDesc.ofDescriptor("()V"));
        }
    }

    /** Whether the region writes what it may have got from its beginning. */
    boolean isChanged(Object value) {
        Set<Object> written = layout.written(region);
        return written.contains(value)
                || !layout.analysis.liveAt(region.first()).contains(value)
                || region.after() != null && region.after().result() == value;
    }

    /** Notes where all threads end the region. */
    void exitTogether(int stop) {
        if (!hasOneExit()) {
            code.loadConstant(stop).istore(most);
        }
    }

    private void exit(int stop, Label next) {
        if (together) {
            exitTogether(stop);
        } else if (!hasOneExit()) {
            frame.field("at", CD_int.arrayType());
            code.iload(thread).loadConstant(stop).iastore();
            for (int slot : new int[] {least, most}) {
                code.iload(slot).loadConstant(stop);
                code.invokestatic(
                        ClassDesc.of("java.lang.Math"),
                        slot == least ? "min" : "max",
                        MethodTypeDesc.of(CD_int, CD_int, CD_int));
                code.istore(slot);
            }
        }
        code.goto_(next);
    }

    void operands(Stop stop) {
        for (int i = 0; i < stop.arguments().size(); i++) {
            Val value = stop.arguments().get(i);
            boolean isOperand = i == 0 && stop.hasOperand();
            if (!isOperand && value instanceof Val.Num) {
                continue;
            }
            Integer once = isOperand || !isOnce(value) ? null : operands.get(operand(stop, i));
            if (once != null) {
                steps.push(value);
                code.istore(once);
                continue;
            }
            frame.field(operand(stop, i), value.kind().array());
            code.iload(thread);
            steps.push(value);
            code.arrayStore(value.kind().jvm);
        }
    }
}
