// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.loops.RegionWriter.Manner;
import org.jspecify.annotations.Nullable;

/**
 * The class that was made for a kernel.
 *
 * @param form what it was made for
 * @param flat of it, what launches need has to be there
 * @param file the class file
 * @param constructor of a subclass of {@link LoopState}
 * @param kinds of what lives from region to region
 * @param uniform which of that all threads have the same of
 * @param together by the numbers of stops, whether threads that are together there are so where they come next
 * @param surveyed by the same numbers, whether it is known before what such threads access
 * @param uniformArguments by the same numbers, of which arguments all threads have the same
 * @param lines by the numbers that the code has of them
 * @param keeps whether threads keep what they have called
 * @param merges whether nobody asks where a block ends, so that neighbours are one loop
 * @param unit the bytes of the smallest access of the arguments' and dynamic shared memory
 * @param shape of rows whose loop has vector instructions; null if there is none
 * @param tables of constants, by the numbers of rooms: Java arrays, or memory
 */
record LoopCode(
        Form form,
        Flat flat,
        byte[] file,
        MethodHandle constructor,
        List<Kind> kinds,
        List<Integer> uniform,
        List<Boolean> together,
        BitSet surveyed,
        List<List<Boolean>> uniformArguments,
        List<Line> lines,
        boolean keeps,
        boolean merges,
        int unit,
        @Nullable RowShape shape,
        @Nullable Object[] tables) {
    /** The JVM compiles no method that is longer. */
    private static final int MOST_BYTES = 8000;

    /** Steps that are hardly ever fewer bytes. */
    private static final int MOST_STEPS = 800;

    private static final int MOST_CUTS = 5;

    static final LoopCode NONE = new LoopCode(
            new Form(true, false, false, false, false),
            new Flat(List.of(), List.of(), List.of(), List.of(), List.of()),
            new byte[0],
            MethodHandles.constant(Object.class, ""),
            List.of(),
            List.of(),
            List.of(),
            new BitSet(),
            List.of(),
            List.of(),
            false,
            false,
            0,
            null,
            new Object[0]);

    LoopState newState() {
        try {
            return (LoopState) constructor.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("no memory for the loops of a kernel", e);
        }
    }

    /** Makes the class; regions that are too long are cut in halves, some times. */
    static LoopCode of(Flat flat, Form form) {
        boolean splits = form.oneDimensional()
                && !form.shuffled()
                && !form.checked()
                && !(form.rows() && flat.rooms().stream().anyMatch(room -> room.where == Room.Where.LOCAL));
        Flat whole = flat;
        for (int cuts = 0; ; ) {
            Layout layout = new Layout(whole, form, splits);
            try {
                return of(whole, layout, cuts == MOST_CUTS);
            } catch (TooLong e) {
                if (splits && e.regions().stream().allMatch(region -> region.steps() <= MOST_STEPS)) {
                    splits = false;
                    continue;
                }
                if (form.rows()) {
                    throw e;
                }
                cuts++;
                for (Region region : e.regions()) {
                    whole = Cut.of(whole, layout, region);
                }
            }
        }
    }

    /** @param isFinal whether what is too long stays so: the JVM interprets it */
    private static LoopCode of(Flat flat, Layout layout, boolean isFinal) {
        List<Region> regions = Region.of(flat);
        List<Region> tooLong =
                regions.stream().filter(region -> region.steps() > MOST_STEPS).toList();
        if (!tooLong.isEmpty() && !isFinal) {
            throw new TooLong(tooLong);
        }
        if (!layout.analysis.liveAt(regions.getFirst().first()).isEmpty()) {
            throw new Unsupported("a value that is read before it is written");
        }
        RowShape shape = layout.form.rows() ? RowShape.of(flat, layout) : null;
        BitSet surveyed = new BitSet();
        regions.stream()
                .filter(region -> layout.checked && Survey.isFor(layout, region, flat))
                .forEach(region -> surveyed.set(region.number()));
        byte[] bytes = write(layout, regions, surveyed, shape, isFinal);
        if (layout.checked && layout.lines().size() > Visit.MOST_LINES) {
            throw new Unsupported("more than " + Visit.MOST_LINES + " lines");
        }
        Boolean[] together = new Boolean[flat.stops().size() + 1];
        Arrays.fill(together, false);
        regions.forEach(region -> together[region.number()] = layout.isTogether(region));
        return new LoopCode(
                layout.form,
                flat,
                bytes,
                constructor(bytes, flat),
                layout.kinds(),
                layout.uniform(),
                List.of(together),
                surveyed,
                flat.stops().stream()
                        .map(stop -> stop.arguments().stream()
                                .map(layout.uniformity::isUniform)
                                .toList())
                        .toList(),
                layout.lines(),
                flat.callees().stream().anyMatch(Callee::keeps),
                LoopRows.merges(flat, new Needs(layout.analysis, layout.form, regions.getFirst()).places()),
                unit(flat),
                shape,
                tables(flat));
    }

    /** Defines the class of a file. */
    static MethodHandle constructor(byte[] file, Flat flat) {
        try {
            MethodHandles.Lookup hidden = MethodHandles.lookup()
                    .defineHiddenClassWithClassData(
                            file, flat.callees().stream().map(Callee::handle).toList(), true);
            return hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class))
                    .asType(MethodType.methodType(LoopState.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the loops of a kernel cannot be used", e);
        }
    }

    /** @param surveyed stops behind which it is said before what threads access, less those where that is too long */
    private static byte[] write(
            Layout layout, List<Region> regions, BitSet surveyed, @Nullable RowShape shape, boolean isFinal) {
        ClassDesc self = ClassDesc.of(LoopCode.class.getPackageName() + ".Loops");
        byte[] bytes = ClassFile.of().build(self, type -> {
            type.withSuperclass(Layout.STATE)
                    .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC);
            type.withMethodBody(
                    ConstantDescs.INIT_NAME,
                    ConstantDescs.MTD_void,
                    0,
                    code -> code.aload(0)
                            .invokespecial(Layout.STATE, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                            .return_());
            MethodTypeDesc loop = MethodTypeDesc.of(CD_int, CD_int, CD_int);
            boolean isAlwaysTogether = regions.stream().allMatch(region -> isAlwaysTogether(layout, region));
            for (Region region : regions) {
                if (!isAlwaysTogether) {
                    type.withMethodBody(
                            "region" + region.number(),
                            loop,
                            0,
                            code -> new RegionWriter(code, layout, region, Manner.APART).write());
                }
                if (layout.isTogether(region)) {
                    type.withMethodBody(
                            "together" + region.number(),
                            loop,
                            0,
                            code -> new RegionWriter(code, layout, region, Manner.TOGETHER).write());
                }
                if (surveyed.get(region.number())) {
                    Layout unchecked = layout.unchecked();
                    type.withMethodBody(
                            "survey" + region.number(),
                            loop,
                            0,
                            code -> new RegionWriter(code, unchecked, region, Manner.SURVEY).write());
                    type.withMethodBody(
                            "unchecked" + region.number(),
                            loop,
                            0,
                            code -> new RegionWriter(code, unchecked, region, Manner.TOGETHER).write());
                }
            }
            if (shape != null) {
                new RowWriter(layout, shape).write(type);
            }
            choose(type, self, "run", "region", isAlwaysTogether ? List.of() : regions);
            choose(
                    type,
                    self,
                    "together",
                    "together",
                    regions.stream().filter(layout::isTogether).toList());
            List<Region> known = regions.stream()
                    .filter(region -> surveyed.get(region.number()))
                    .toList();
            if (!known.isEmpty()) {
                choose(type, self, "survey", "survey", known);
                choose(type, self, "unchecked", "unchecked", known);
            }
        });
        Set<Integer> tooLong = new HashSet<>();
        BitSet kept = (BitSet) surveyed.clone();
        ClassFile.of().parse(bytes).methods().forEach(method -> {
            if (method.methodName().stringValue().matches("\\D+\\d+")
                    && method.code().orElse(null) instanceof CodeAttribute code
                    && code.codeLength() > MOST_BYTES) {
                String name = method.methodName().stringValue();
                int number = Integer.parseInt(name.replaceAll("\\D", ""));
                if (name.startsWith("survey") || name.startsWith("unchecked")) {
                    kept.clear(number);
                } else {
                    tooLong.add(number);
                }
            }
        });
        if (!tooLong.isEmpty() && !isFinal) {
            throw new TooLong(regions.stream()
                    .filter(region -> tooLong.contains(region.number()))
                    .toList());
        }
        if (!kept.equals(surveyed)) {
            surveyed.and(kept);
            return write(layout, regions, surveyed, shape, isFinal);
        }
        return bytes;
    }

    /** Returns whether threads come to a region together, if they have been so before, and end it together. */
    private static boolean isAlwaysTogether(Layout layout, Region region) {
        boolean comeTogether = region.after() == null
                || region.after().what().isOfBlock()
                || region.after().what() == Stop.What.CUT;
        return comeTogether && layout.isTogether(region);
    }

    /** Writes a method that calls, of those of some regions, the one of a number. */
    private static void choose(ClassBuilder type, ClassDesc self, String name, String of, List<Region> regions) {
        type.withMethodBody(
                name,
                MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_int),
                ClassFile.ACC_PROTECTED,
                code -> choose(code, regions, region -> {
                    code.aload(0).iload(2).iload(3);
                    code.invokevirtual(self, of + region.number(), MethodTypeDesc.of(CD_int, CD_int, CD_int));
                }));
    }

    private static void choose(CodeBuilder code, List<Region> regions, Consumer<Region> call) {
        Label none = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        regions.forEach(region -> cases.add(SwitchCase.of(region.number(), code.newLabel())));
        code.iload(1).lookupswitch(none, cases);
        for (int i = 0; i < regions.size(); i++) {
            code.labelBinding(cases.get(i).target());
            call.accept(regions.get(i));
            code.ireturn();
        }
        code.labelBinding(none);
        code.iconst_m1().ireturn();
    }

    /** The bytes of the smallest access of the arguments' and dynamic shared memory. */
    static int unit(Flat flat) {
        int unit = Long.BYTES;
        for (Part part : flat.parts()) {
            for (Op op : part.ops) {
                unit = Math.min(
                        unit,
                        switch (op) {
                            case Op.Load load -> (int) load.type().bytes();
                            case Op.Store store -> (int) store.type().bytes();
                            case Op.Invoke invoke
                            when invoke.callee().access() != 0 ->
                                invoke.callee().access() >>> 8 & 0xff;
                            default -> unit;
                        });
            }
        }
        return unit;
    }

    static @Nullable Object[] tables(Flat flat) {
        @Nullable Object[] tables = new @Nullable Object[flat.rooms().size()];
        for (Room room : flat.rooms()) {
            if (room.where == Room.Where.CONSTANT) {
                tables[room.number] = room.isArray() ? array(room.element, room.content) : memory(room.content);
            }
        }
        return tables;
    }

    private static MemorySegment memory(byte[] content) {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(content.length, 1), Double.BYTES);
        MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
        return memory;
    }

    private static Object array(Type.Scalar element, byte[] content) {
        MemorySegment memory = MemorySegment.ofArray(content);
        return switch (element) {
            case F32 -> memory.toArray(LoopState.OF_F32);
            case F64 -> memory.toArray(LoopState.OF_F64);
            case I64 -> memory.toArray(LoopState.OF_I64);
            case I32 -> memory.toArray(LoopState.OF_I32);
            case I16 -> memory.toArray(LoopState.OF_I16);
            default -> content.clone();
        };
    }
}
