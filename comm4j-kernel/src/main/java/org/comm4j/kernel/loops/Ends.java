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

/** Writes how parts of a region end, and what the region tells of where its threads are then. */
final class Ends {
    private final RegionWriter writer;
    private final CodeBuilder code;
    private final Region region;
    private final boolean together;
    private final int least;
    private final int most;
    private final Map<Part, Label> labels = new HashMap<>();
    /** Places of the parts in the loop that is being written. */
    private final Map<Part, Integer> places = new HashMap<>();
    /** Variables with operands of stops that are the same for all threads, by the names of their arrays. */
    private final Map<Stop, Map<String, Integer>> operands = new LinkedHashMap<>();

    Ends(RegionWriter writer, Region region, boolean together) {
        this.writer = writer;
        this.code = writer.code;
        this.region = region;
        this.together = together;
        this.least = code.allocateLocal(TypeKind.INT);
        this.most = code.allocateLocal(TypeKind.INT);
    }

    private boolean hasOneExit() {
        return region.exits().size() <= 1;
    }

    /** Writes what is known before any thread has ended. */
    void begin() {
        if (together) {
            for (Part part : region.parts()) {
                if (part.end() instanceof Part.End.Wait wait) {
                    Stop stop = wait.stop();
                    for (int i = stop.hasOperand() ? 1 : 0; i < stop.arguments().size(); i++) {
                        Val value = stop.arguments().get(i);
                        if (!(value instanceof Val.Num) && writer.isOnce(value)) {
                            code.iconst_0();
                            operands.computeIfAbsent(stop, _ -> new LinkedHashMap<>())
                                    .put(operand(stop, i), writer.frame.store(new Object(), TypeKind.INT));
                        }
                    }
                }
            }
        }
        code.loadConstant(Integer.MAX_VALUE).istore(least);
        code.iconst_m1().istore(most);
    }

    /** Begins a loop over threads of some parts. */
    void of(List<Part> parts) {
        labels.clear();
        places.clear();
        for (Part part : parts) {
            labels.put(part, code.newLabel());
            places.put(part, places.size());
        }
    }

    Label label(Part part) {
        return Objects.requireNonNull(labels.get(part));
    }

    /** Returns where all threads are; −1 if that differs. */
    void result() {
        operands.forEach((stop, all) -> {
            // Other stops have theirs in the same arrays.
            Label another = code.newLabel();
            if (!hasOneExit()) {
                code.iload(most).loadConstant(stop.number()).if_icmpne(another);
            }
            all.forEach((name, slot) -> {
                writer.frame.field(name, CD_int.arrayType());
                code.iconst_0().iload(slot).iastore();
            });
            code.labelBinding(another);
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

    /** Writes how a part ends; a thread that has done its share goes to {@code next}. */
    void write(Part part, Label next) {
        switch (part.end()) {
            case Part.End.Jump jump -> jump(part, jump.target());
            case Part.End.Branch branch -> {
                poll(part, branch.ifTrue());
                poll(part, branch.ifFalse());
                if (isNext(part, branch.ifTrue())) {
                    writer.steps.branch(branch.condition(), false, label(branch.ifFalse()));
                } else {
                    writer.steps.branch(branch.condition(), true, label(branch.ifTrue()));
                    jump(part, branch.ifFalse());
                }
            }
            case Part.End.Choice choice -> {
                writer.steps.push(choice.value());
                List<SwitchCase> cases = new ArrayList<>();
                choice.cases().forEach((key, target) -> cases.add(SwitchCase.of(key, label(target))));
                code.lookupswitch(label(choice.otherwise()), cases);
            }
            case Part.End.Return _ -> exit(0, next);
            case Part.End.Fail fail -> {
                writer.lines.at(fail.at());
                fail(fail);
            }
            case Part.End.Wait(Stop stop, Part after) -> {
                writer.lines.at(stop.at());
                operands(stop);
                for (Object value : writer.layout.analysis.liveAt(after)) {
                    if (value != stop.result() && writer.isChanged(value) && !writer.isOnce(value)) {
                        Kind kind = Layout.kind(value);
                        code.aload(writer.array(value)).iload(writer.frame.thread);
                        writer.frame.load(value, kind);
                        code.arrayStore(kind.jvm);
                    }
                }
                exit(stop.number(), next);
            }
        }
    }

    private void fail(Part.End.Fail fail) {
        if (fail.values().isEmpty()) {
            code.loadConstant(fail.message());
            code.invokestatic(Layout.CHECKS, "failed", MethodTypeDesc.of(CD_Throwable, CD_String));
        } else {
            code.loadConstant(fail.message());
            for (Val value : fail.values()) {
                writer.steps.push(value);
                if (value.kind() == Kind.INT) {
                    code.i2l();
                }
            }
            code.invokestatic(Layout.CHECKS, "outside", MethodTypeDesc.of(CD_Throwable, CD_String, CD_long, CD_long));
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
        if (writer.layout.polls && place(target) <= place(part)) {
            code.aload(0).invokevirtual(Layout.STATE, "poll", MethodTypeDesc.ofDescriptor("()V"));
        }
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
            writer.frame.field("at", CD_int.arrayType());
            code.iload(writer.frame.thread).loadConstant(stop).iastore();
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
            Integer once =
                    isOperand ? null : operands.getOrDefault(stop, Map.of()).get(operand(stop, i));
            if (once != null) {
                writer.steps.push(value);
                code.istore(once);
                continue;
            }
            writer.frame.field(operand(stop, i), value.kind().array());
            code.iload(writer.frame.thread);
            writer.steps.push(value);
            code.arrayStore(value.kind().jvm);
        }
    }
}
