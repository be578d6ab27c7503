// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelCompileException.Problem;
import org.comm4j.kernel.capture.ClassBytes;
import org.comm4j.kernel.lang.DeviceFunction;
import org.jspecify.annotations.Nullable;

/** What a kernel reaches, and what follows from it for how it runs. */
final class CallGraph {
    /** What has to wait for other threads: methods of {@link KernelThread}. */
    private static final Set<String> WAITING = Set.of(
            "syncBlock",
            "syncBlockCount",
            "syncNamed",
            "syncGrid",
            "syncCluster",
            "syncWarp",
            "begin",
            "end",
            "shuffle",
            "ballot",
            "matchAny",
            "matchAll",
            "reduce",
            "gather",
            "testBarrier",
            "map");

    private static final Set<String> SHORT = Set.of(
            "java/lang/Math",
            "java/lang/StrictMath",
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double",
            "java/lang/Class",
            "java/lang/Object",
            "java/lang/Enum",
            "java/lang/Record",
            "java/util/Objects");

    private static final String THREAD = "org/comm4j/kernel/cpu/KernelThread";
    private static final String DEVICE_FUNCTION = DeviceFunction.class.descriptorString();

    private final Class<?> home;
    private final Map<String, @Nullable ClassModel> classes = new HashMap<>();
    private final Set<MethodRef> visited = new HashSet<>();
    private final Deque<Runnable> work = new ArrayDeque<>();
    private boolean asks;
    private boolean cooperative;
    private boolean meets;
    private boolean pauses;
    private boolean loops;
    /** Whether there is a loop, or a call of something that may take as long as it likes. */
    private boolean endless;

    CallGraph(Method kernel) {
        home = kernel.getDeclaringClass();
        MethodRef root = rootOf(kernel);
        MethodModel model = find(root);
        if (model == null) {
            throw new KernelCompileException(
                    CpuKernel.signature(kernel),
                    List.of(new Problem(ClassBytes.missing(home), List.of(), ClassBytes.hint(home))));
        }
        visit(root);
        while (!work.isEmpty()) {
            work.removeFirst().run();
        }
    }

    static MethodRef rootOf(Method kernel) {
        return new MethodRef(
                kernel.getDeclaringClass().getName().replace('.', '/'),
                kernel.getName(),
                java.lang.invoke.MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
                        .toMethodDescriptorString());
    }

    /** Returns the classes that it has looked at. */
    Set<Class<?>> classes() {
        Set<Class<?>> all = new HashSet<>();
        for (String owner : classes.keySet()) {
            Class<?> type = load(owner);
            if (type != null) {
                all.add(type);
            }
        }
        return all;
    }

    /** Whether threads may wait for each other, so that each needs a stack of its own. */
    boolean waits() {
        return meets || pauses;
    }

    /** Whether each thread ends by itself, whatever it is given: nothing in it loops. */
    boolean ends() {
        return !endless;
    }

    /** Whether something asks which thread is running. */
    boolean asks() {
        return asks;
    }

    /** Whether a thread may wait in the middle for what others do, or somebody else. */
    boolean waitsInside() {
        return meets || pauses && loops;
    }

    /** Whether others go first somewhere. */
    boolean pauses() {
        return pauses;
    }

    /** Whether something is called that needs all blocks at the same time. */
    boolean cooperative() {
        return cooperative;
    }

    private void visit(MethodRef method) {
        if (visited.add(method)) {
            MethodModel model = find(method);
            if (model != null) {
                work.add(() -> scan(model));
            } else if (parse(method.owner()) == null) {
                // What a class without a file does is not known: it may wait.
                meets = true;
                asks = true;
            }
        }
    }

    private void scan(MethodModel method) {
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return;
        }
        cooperative |= isCooperative(method);
        boolean own = !isVocabulary(method);
        Set<Label> passed = new HashSet<>();
        for (var element : code.elementList()) {
            switch (element) {
                case InvokeInstruction call -> {
                    MethodRef called = MethodRef.of(call);
                    if (called.owner().equals(THREAD)) {
                        asks |= called.name().equals("current");
                        pauses |= called.name().equals("pause");
                        meets |= WAITING.contains(called.name());
                    } else if (isScanned(called.owner())) {
                        if (call.opcode() == Opcode.INVOKEINTERFACE || isOpen(call, called)) {
                            // Whoever implements it may wait.
                            meets = true;
                            asks = true;
                        }
                        visit(called);
                    } else {
                        endless |= own && !isShort(called.owner());
                    }
                }
                case LabelTarget target -> passed.add(target.label());
                case BranchInstruction branch -> {
                    boolean loopsHere = passed.contains(branch.target());
                    endless |= own && loopsHere;
                    loops |= loopsHere;
                }
                case InvokeDynamicInstruction dynamic -> {
                    for (var argument : dynamic.bootstrapArgs()) {
                        if (argument instanceof DirectMethodHandleDesc handle
                                && isScanned(MethodRef.of(handle).owner())) {
                            visit(MethodRef.of(handle));
                        }
                    }
                }
                default -> {}
            }
        }
    }

    /** Loops of the vocabulary end, or wait for other threads. */
    private boolean isVocabulary(MethodModel method) {
        Class<?> type = method.parent()
                .map(parent -> load(parent.thisClass().asInternalName()))
                .orElse(null);
        return type != null && Vocabulary.has(type);
    }

    /** Of the JDK's classes, whether all methods that a kernel may call take no time. */
    private static boolean isShort(String owner) {
        return SHORT.contains(owner)
                || owner.startsWith("[")
                || owner.startsWith("java/util/function/")
                || owner.endsWith("Error")
                || owner.endsWith("Exception");
    }

    private static boolean isCooperative(MethodModel method) {
        return method.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream())
                .filter(each -> each.classSymbol().descriptorString().equals(DEVICE_FUNCTION))
                .flatMap(each -> each.elements().stream())
                .anyMatch(element -> element.name().equalsString("cooperative")
                        && element.value() instanceof AnnotationValue.OfBoolean value
                        && value.booleanValue());
    }

    /** Whether a subclass that is not known may be called. */
    private boolean isOpen(InvokeInstruction call, MethodRef called) {
        if (call.opcode() != Opcode.INVOKEVIRTUAL) {
            return false;
        }
        Class<?> type = load(called.owner());
        MethodModel model = find(called);
        return type != null
                && !Modifier.isFinal(type.getModifiers())
                && !Vocabulary.has(type)
                && (model == null
                        || !model.flags().has(AccessFlag.FINAL)
                                && !model.flags().has(AccessFlag.PRIVATE));
    }

    /** The JDK calls nothing of kernels but what it was handed, and that is seen where it is made. */
    private static boolean isScanned(String owner) {
        return !owner.startsWith("java/") && !owner.startsWith("jdk/") && !owner.startsWith("[");
    }

    private @Nullable MethodModel find(MethodRef method) {
        for (String owner = method.owner(); owner != null && isScanned(owner); ) {
            ClassModel model = parse(owner);
            if (model == null) {
                return null;
            }
            for (MethodModel candidate : model.methods()) {
                if (candidate.methodName().equalsString(method.name())
                        && candidate.methodType().equalsString(method.descriptor())) {
                    return candidate;
                }
            }
            owner = model.superclass().map(s -> s.asInternalName()).orElse(null);
        }
        return null;
    }

    private @Nullable ClassModel parse(String owner) {
        if (!classes.containsKey(owner)) {
            classes.put(owner, read(owner));
        }
        return classes.get(owner);
    }

    private @Nullable ClassModel read(String owner) {
        Class<?> type = load(owner);
        byte[] bytes = type == null ? null : ClassBytes.bytes(type);
        return bytes == null ? null : ClassFile.of().parse(bytes);
    }

    private @Nullable Class<?> load(String owner) {
        try {
            return Class.forName(owner.replace('/', '.'), false, home.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
