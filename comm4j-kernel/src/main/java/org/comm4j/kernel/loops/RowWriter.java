// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes the loop over the threads of a row in the shapes that the JIT compiler (C2 of JDK 25) makes vector
 * instructions of where memory is off the heap:
 *
 * <ul>
 *   <li>It does not compare addresses at run time, so a write to memory that it cannot tell apart from what is read in
 *   the next turn makes a loop a scalar one. So in each
 *       turn of the loop a group of threads reads before any of them writes; the group is a vector, whatever the next
 *       one reads. Where that cannot be, the loop writes Java arrays, which cannot be what a pointer points to, and
 *       what is in them is copied afterwards.
 *   <li>A {@code float} in a {@code MemorySegment} is to it an {@code int} that is moved to another register, for which
 *   it has no vector instruction. A {@code FloatBuffer} is read
 *       as it is.
 *   <li>An {@code int} sum is a place in memory that it understands only if the sum cannot overflow: so threads are
 *   counted from 0 to {@link #MOST}, and where a row begins is a number
 *       of which some bits are known to be 0.
 * </ul>
 */
final class RowWriter {
    /** Threads of a loop. */
    static final int MOST = 2048;

    /** Threads of a loop that writes to memory at once. */
    static final int FAR = 1 << 20;

    /**
     * Bits that each turn of a loop over groups flips, to no other end: C2 unrolls a loop of more than 60 nodes only if
     * it has four exclusive ors, as checksums have. Without unrolling there are no vectors. Once the loop is unrolled,
     * they cancel each other out.
     */
    static final int TOGGLES = 4;

    /** Bytes that they write to one array: all of them stay in the first cache. */
    static final int PIECE = 4096;

    /** Elements of a buffer that indices reach. */
    static final int REACH = 1 << 28;

    /** {@code values(long[] values, int x)}. */
    private static final MethodTypeDesc VALUES = MethodTypeDesc.of(CD_void, CD_long.arrayType(), CD_int);

    /** {@code group(Object[] buffers, int[] starts, Object[] results, int count, int x)}. */
    private static final MethodTypeDesc RUN = MethodTypeDesc.of(
            CD_void, CD_Object.arrayType(), CD_int.arrayType(), CD_Object.arrayType(), CD_int, CD_int);

    private static final int BUFFERS = 1;
    private static final int STARTS = 2;
    private static final int RESULTS = 3;
    private static final int COUNT = 4;
    private static final int X = 5;

    private final Layout layout;
    private final RowShape shape;

    RowWriter(Layout layout, RowShape shape) {
        this.layout = layout;
        this.shape = shape;
    }

    void write(ClassBuilder type) {
        type.withMethodBody("values", VALUES, ClassFile.ACC_PROTECTED, this::values);
        if (shape.lanes() > 0) {
            type.withMethodBody("group", RUN, ClassFile.ACC_PROTECTED, code -> new Loop(code, shape.lanes()).write());
        }
        if (shape.collects()) {
            type.withMethodBody("collect", RUN, ClassFile.ACC_PROTECTED, code -> new Loop(code, 0).write());
        }
    }

    // ---- what all threads have the same of ----

    /** Loads what is the same for all threads: arguments, places, memory. */
    private void loadUniform(LoopFrame frame, CodeBuilder code, Set<Object> wanted, List<Op> steps) {
        for (Object value : wanted) {
            switch (value) {
                case Val.Arg argument -> {
                    frame.field("bits", CD_long.arrayType());
                    code.loadConstant(argument.number()).laload();
                    frame.fromBits(argument.kind());
                    frame.store(argument, argument.kind().jvm);
                }
                case Val.Place place
                when layout.form.isUniform(place) -> {
                    frame.field(frame.name(place), CD_int);
                    frame.store(place, TypeKind.INT);
                }
                default -> {}
            }
        }
        for (Op op : steps) {
            if (op instanceof Op.Load load && !shape.path().places().containsKey(load)) {
                frame.room(load.pointer().room());
            }
        }
    }

    private void loadPlaces(LoopFrame frame, CodeBuilder code, Set<Object> wanted, Runnable x) {
        if (wanted.contains(Val.Place.GLOBAL_X)) {
            x.run();
            frame.store(Val.Place.GLOBAL_X, TypeKind.INT);
        }
        if (wanted.contains(Val.Place.TID_X)) {
            x.run();
            frame.field("base", CD_int);
            code.isub();
            frame.store(Val.Place.TID_X, TypeKind.INT);
        }
    }

    // ---- numbers ----

    private void values(CodeBuilder code) {
        LoopFrame frame = new LoopFrame(code, layout);
        Steps steps = new Steps(code, layout, frame, new Lines(code, layout), null);
        Set<Object> wanted = new LinkedHashSet<>(shape.terms());
        List<Op> some = shape.path().slice(wanted, false);
        wanted.addAll(shape.terms());
        loadUniform(frame, code, wanted, some);
        loadPlaces(frame, code, wanted, () -> code.iload(2));
        steps.write(some);
        for (int i = 0; i < shape.terms().size(); i++) {
            Val term = shape.terms().get(i);
            code.aload(1).loadConstant(i);
            steps.push(term);
            if (term.kind() == Kind.INT) {
                code.i2l();
            }
            code.lastore();
        }
        code.return_();
    }

    // ---- threads ----

    /** A loop over threads: in groups of lanes, or for what is collected one by one. */
    private final class Loop {
        private final CodeBuilder code;
        private final int lanes;
        private final LoopFrame frame;
        private final Lines lines;
        private final int[] buffers;
        private final int[] starts;
        private final int[] arrays;
        private final int[][] results;
        private final int limit;
        private final int thread;
        private final Set<Object> wanted = new HashSet<>();
        private final List<Op> path;

        Loop(CodeBuilder code, int lanes) {
            this.code = code;
            this.lanes = lanes;
            this.frame = new LoopFrame(code, layout);
            this.lines = new Lines(code, layout);
            this.path = shape.path().slice(wanted, true);
            this.limit = code.allocateLocal(TypeKind.INT);
            this.thread = code.allocateLocal(TypeKind.INT);
            int windows = shape.windows().size();
            int writes = shape.writes().size();
            buffers = new int[windows];
            starts = new int[windows];
            arrays = new int[writes];
            results = new int[Math.max(1, lanes)][writes];
            for (int i = 0; i < windows; i++) {
                buffers[i] = code.allocateLocal(TypeKind.REFERENCE);
                starts[i] = code.allocateLocal(TypeKind.INT);
            }
            for (int i = 0; i < writes; i++) {
                arrays[i] = code.allocateLocal(TypeKind.REFERENCE);
                for (int[] ofLane : results) {
                    ofLane[i] =
                            code.allocateLocal(shape.writes().get(i).kind().type.asLoadable());
                }
            }
        }

        void write() {
            for (int i = 0; i < buffers.length; i++) {
                code.aload(BUFFERS).loadConstant(i).aaload();
                code.checkcast(shape.windows().get(i).kind().buffer).astore(buffers[i]);
                code.aload(STARTS).loadConstant(i).iaload();
                code.loadConstant(REACH - 1).iand().istore(starts[i]);
            }
            for (int i = 0; i < arrays.length && lanes == 0; i++) {
                code.aload(RESULTS).loadConstant(i).aaload();
                code.checkcast(shape.writes().get(i).kind().primitive.arrayType())
                        .astore(arrays[i]);
            }
            loadUniform(frame, code, wanted, path);
            code.iload(COUNT).loadConstant(lanes > 0 ? FAR : MOST);
            code.invokestatic(ClassDesc.of("java.lang.Math"), "min", MethodTypeDesc.of(CD_int, CD_int, CD_int));
            code.istore(COUNT);
            code.iconst_0().istore(limit);
            if (lanes > 1) {
                groups();
            }
            code.iload(limit).istore(thread);
            loop(COUNT, 1, () -> {
                thread(0);
                if (lanes > 0) {
                    publish(1);
                }
            });
            code.return_();
        }

        private void groups() {
            code.iload(COUNT).loadConstant(-lanes).iand().istore(limit);
            int[] toggles = new int[TOGGLES];
            for (int i = 0; i < TOGGLES; i++) {
                toggles[i] = code.allocateLocal(TypeKind.INT);
                code.aload(STARTS).loadConstant(buffers.length + i).iaload().istore(toggles[i]);
            }
            code.iconst_0().istore(thread);
            loop(limit, lanes, () -> {
                for (int toggle : toggles) {
                    code.iload(toggle).iconst_1().ixor().istore(toggle);
                }
                for (int lane = 0; lane < lanes; lane++) {
                    thread(lane);
                }
                publish(lanes);
            });
            for (int i = 0; i < TOGGLES; i++) {
                code.aload(STARTS)
                        .loadConstant(buffers.length + i)
                        .iload(toggles[i])
                        .iastore();
            }
        }

        private void loop(int end, int step, Runnable body) {
            Label condition = code.newBoundLabel();
            Label done = code.newLabel();
            code.iload(thread).iload(end).if_icmpge(done);
            body.run();
            code.iinc(thread, step).goto_(condition);
            code.labelBinding(done);
        }

        /** What one thread does; what it writes is kept. */
        private void thread(int lane) {
            LoopFrame own = new LoopFrame(code, layout, frame);
            Steps steps = new Steps(code, layout, own, lines, load -> {
                Integer window = shape.path().places().get(load);
                if (window == null) {
                    return false;
                }
                ElementKind kind = shape.windows().get(window).kind();
                code.aload(buffers[window]);
                index(window, lane);
                code.invokevirtual(kind.buffer, "get", MethodTypeDesc.of(kind.primitive, CD_int));
                return true;
            });
            loadPlaces(own, code, wanted, () -> {
                code.iload(X).iload(thread).iadd();
                if (lane > 0) {
                    code.loadConstant(lane).iadd();
                }
            });
            for (Op op : path) {
                if (op instanceof Op.Store store) {
                    int write = Objects.requireNonNull(shape.path().places().get(store));
                    ElementKind kind = shape.writes().get(write).kind();
                    if (lanes == 0) {
                        code.aload(arrays[write]).iload(thread);
                        steps.push(store.value());
                        code.arrayStore(kind.type);
                    } else {
                        steps.push(store.value());
                        code.storeLocal(kind.type.asLoadable(), results[lane][write]);
                    }
                } else {
                    steps.write(List.of(op));
                }
            }
        }

        private void index(int window, int lane) {
            code.iload(starts[window]).iload(thread).iadd();
            if (lane > 0) {
                code.loadConstant(lane).iadd();
            }
        }

        /** Writes what threads have kept for when all of them have read. */
        private void publish(int count) {
            Map<Integer, Integer> windows = new HashMap<>();
            for (int i = 0; i < shape.writes().size(); i++) {
                windows.put(i, shape.windows().indexOf(shape.writes().get(i)));
            }
            windows.forEach((write, window) -> {
                ElementKind kind = shape.writes().get(write).kind();
                for (int lane = 0; lane < count; lane++) {
                    code.aload(buffers[window]);
                    index(window, lane);
                    code.loadLocal(kind.type.asLoadable(), results[lane][write]);
                    if (kind == ElementKind.I8) {
                        code.i2b();
                    } else if (kind == ElementKind.I16) {
                        code.i2s();
                    }
                    code.invokevirtual(kind.buffer, "put", MethodTypeDesc.of(kind.buffer, CD_int, kind.primitive));
                    code.pop();
                }
            });
        }
    }
}
