// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
    static final int MOST_SPLIT = 250;

    /** Ways in which a method runs threads. */
    enum Manner {
        /** Any threads, each for itself. */
        APART,
        /** All threads of a block, which are together. */
        TOGETHER,
        /** None of the same threads: their accesses are told before. */
        SURVEY
    }

    final CodeBuilder code;
    final Layout layout;
    private final Region region;
    final Steps steps;
    final LoopFrame frame;
    final Ends ends;
    private final Map<Object, Integer> arrays = new LinkedHashMap<>();
    private final Needs needs;
    private final int thread;
    final Lines lines;
    private final boolean together;
    private final boolean surveys;
    /** What is stored behind the loop: arrays of which the first element counts, and variables. */
    private final Map<Object, Integer> afterwards = new LinkedHashMap<>();

    RegionWriter(CodeBuilder code, Layout layout, Region region, Manner manner) {
        this.together = manner != Manner.APART;
        this.surveys = manner == Manner.SURVEY;
        this.code = code;
        this.layout = layout;
        this.region = region;
        this.frame = new LoopFrame(code, layout);
        this.thread = frame.thread;
        this.lines = new Lines(code, layout);
        this.needs = new Needs(layout.analysis, layout.form, region);
        this.steps = new Steps(code, layout, frame, lines, null);
        this.ends = new Ends(this, region, together);
    }

    /** Whether of a register or variable one value is kept for all threads. */
    boolean isOnce(Object value) {
        return together && layout.uniformity.isUniform(value);
    }

    void write() {
        code.iconst_0().istore(lines.slot);
        code.iload(FROM).istore(thread);
        for (Val.Arg argument : needs.arguments()) {
            frame.field("bits", CD_long.arrayType());
            code.loadConstant(argument.number()).laload();
            frame.fromBits(argument.kind());
            frame.store(argument, argument.kind().jvm);
        }
        for (Val.Place place : needs.places()) {
            if (layout.form.isUniform(place)) {
                frame.field(frame.name(place), CD_int);
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
        ends.begin();
        Label start = code.newBoundLabel();
        Label done = code.newLabel();
        if (together && layout.splits && region.steps() <= MOST_SPLIT) {
            new Ranges(this, layout, region).write(FROM, TO, done);
        } else {
            loop(region.first(), FROM, TO, done);
        }
        code.labelBinding(done);
        if (surveys) {
            code.iconst_0().ireturn();
        } else {
            afterwards.forEach((value, array) -> {
                Kind kind = Layout.kind(value);
                code.aload(array).iconst_0();
                frame.load(value, kind);
                code.arrayStore(kind.jvm);
            });
            ends.result();
        }
        Label end = code.newBoundLabel();
        code.exceptionCatchAll(start, end, end);
        int thrown = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(thrown).aload(0).aload(thrown).iload(thread).iload(lines.slot);
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
        if (surveys) {
            Survey.write(this, parts, end, from, to, done);
            return;
        }
        Part first = parts.getFirst();
        Map<Object, Integer> before = saved(parts, List.of(first));
        StagedLoop staged = together && layout.oneDimensional && !layout.form.rows() && !layout.shuffled
                ? StagedLoop.of(this, parts, end)
                : null;
        if (staged != null) {
            staged.write(before, from, to, done);
        }
        boolean isGlobal = isGlobal();
        int stride = layout.shuffled ? shuffle(from, to, done) : 0;
        int counter = isGlobal
                ? frame.local(Val.Place.GLOBAL_X, TypeKind.INT)
                : layout.shuffled ? code.allocateLocal(TypeKind.INT) : thread;
        int limit = to;
        code.iload(from);
        if (isGlobal) {
            // A JVM that knows that the place in the grid is no negative number knows that it does not overflow.
            frame.field("base", CD_int);
            code.iadd().loadConstant(Integer.MAX_VALUE).iand();
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
        places();
        begin(first, before);
        ends.of(parts);
        for (Part part : parts) {
            code.labelBinding(ends.label(part));
            steps.write(part);
            if (part != end) {
                ends.write(part, next);
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

    /** Loads what the thread whose turn it is has kept, at the beginning of a loop over threads. */
    void begin(Part first, Map<Object, Integer> saved) {
        restore(saved);
        List<Object> live = layout.analysis.liveAt(first);
        for (Object value : kept(layout.analysis.liveAt(region.first()))) {
            if (!isOnce(value) && live.contains(value)) {
                Kind kind = Layout.kind(value);
                code.aload(array(value)).iload(thread);
                code.arrayLoad(kind.jvm);
                frame.store(value, kind.jvm);
            }
        }
        result();
    }

    private boolean isGlobal() {
        return layout.oneDimensional && needs.places().contains(Val.Place.GLOBAL_X);
    }

    /** Computes what the thread whose turn it is knows of its place. */
    void beginThread() {
        if (isGlobal()) {
            frame.field("base", CD_int);
            code.iload(thread).iadd();
            frame.store(Val.Place.GLOBAL_X, TypeKind.INT);
        }
        places();
    }

    private void places() {
        needs.places().forEach(frame::place);
        for (Val.Reg register : needs.repeated()) {
            if (!needs.isUniform(register)) {
                compute(register);
            }
        }
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
     * registers that were computed before.
     *
     * @param entries where threads begin
     */
    Map<Object, Integer> saved(List<Part> parts, List<Part> entries) {
        Set<Object> live = new HashSet<>();
        entries.forEach(entry -> live.addAll(layout.analysis.liveAt(entry)));
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

    /** The variable with the array of a value that lives behind the region. */
    int array(Object value) {
        return Objects.requireNonNull(arrays.get(value));
    }

    /** Whether the region writes what it may have got from its beginning. */
    boolean isChanged(Object value) {
        Set<Object> written = layout.written(region);
        return written.contains(value)
                || !layout.analysis.liveAt(region.first()).contains(value)
                || region.after() != null && region.after().result() == value;
    }
}
