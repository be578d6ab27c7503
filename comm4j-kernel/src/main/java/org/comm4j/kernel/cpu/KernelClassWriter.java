// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a class with copies of a kernel and of what it calls in its own class. A copy gets its indices as parameters
 * instead of asking for them, which is what lets the JVM compile a loop over threads like any other loop. The class is
 * a hidden nest mate of the kernel's, so that it may do what that may; since frames of hidden classes are not in stack
 * traces, each copy keeps its line in a variable, which costs nothing, and puts it into what is thrown.
 */
final class KernelClassWriter {
    static final int FLAGS = ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final CallGraph closure;
    private final Method kernel;
    private final boolean polls;
    final ClassDesc self;
    final List<Index> indices;

    /** Of the kernel's parameters, and then the others. */
    final MethodTypeDesc kernelType;

    private final Map<String, MethodHandle> hooks = new LinkedHashMap<>();
    private final Map<CallGraph.Key, String> names = new LinkedHashMap<>();

    /**
     * @param block runs threads as a loop: the kernel's arguments; from, to, and where the block begins, in x over all
     *     blocks; from and to in y and z; the block, and the dimensions
     */
    record Copy(MethodHandle block, @Nullable VectorKernel row) {}

    private final @Nullable AccessPattern row;

    /** @param row if it is to have rows, too */
    KernelClassWriter(CallGraph closure, Method kernel, boolean polls, @Nullable AccessPattern row) {
        this.closure = closure;
        this.kernel = kernel;
        this.polls = polls;
        this.row = row;
        self = ClassDesc.of(kernel.getDeclaringClass().getName() + SourceLines.COPY);
        indices = List.copyOf(closure.indices());
        kernelType = MethodTypeDesc.ofDescriptor(CallGraph.rootOf(kernel).descriptor());
        int number = 0;
        for (CallGraph.Key key : closure.copied().keySet()) {
            names.put(key, key.method().name().replace('<', '_').replace('>', '_') + "$" + number++);
        }
    }

    Copy define(Lookup lookup) {
        byte[] bytes = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(
                        kernel.getDeclaringClass().getClassLoader())))
                .build(self, this::write);
        try {
            Lookup hidden = lookup.defineHiddenClassWithClassData(
                    bytes, List.copyOf(hooks.values()), true, Lookup.ClassOption.NESTMATE);
            Class<?> type = hidden.lookupClass();
            return new Copy(
                    hidden.findStatic(
                            type, "block", MethodType.fromMethodDescriptorString(BLOCK.descriptorString(), null)),
                    row == null ? null : VectorLoopWriter.find(hidden, row));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the copy of " + kernel + " cannot be used", e);
        }
    }

    private void write(ClassBuilder builder) {
        builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC);
        closure.copied()
                .values()
                .iterator()
                .next()
                .parent()
                .flatMap(c -> c.findAttribute(java.lang.classfile.Attributes.sourceFile()))
                .ifPresent(a -> builder.with(SourceFileAttribute.of(a.sourceFile())));
        closure.copied().forEach((key, model) -> writeCopy(builder, key, model));
        writeBlock(builder);
        if (row != null) {
            new VectorLoopWriter(this, row).write(builder);
        }
        int number = 0;
        for (var hook : hooks.entrySet()) {
            writeHook(
                    builder,
                    hook.getKey(),
                    hook.getValue().type().describeConstable().orElseThrow(),
                    number++);
        }
    }

    // ---- copies ----

    MethodTypeDesc indexed(MethodTypeDesc type) {
        return type.insertParameterTypes(
                type.parameterCount(), indices.stream().map(i -> CD_int).toArray(ClassDesc[]::new));
    }

    static int slots(MethodTypeDesc type) {
        int slots = 0;
        for (ClassDesc parameter : type.parameterList()) {
            slots += TypeKind.from(parameter).slotSize();
        }
        return slots;
    }

    private void writeCopy(ClassBuilder builder, CallGraph.Key key, MethodModel model) {
        MethodTypeDesc type = MethodTypeDesc.ofDescriptor(key.method().descriptor());
        String name = names.get(key);
        builder.withMethodBody(name, key.indices() ? indexed(type) : type, FLAGS, code -> {
            CodeModel from = model.code().orElseThrow();
            int own = slots(type);
            int extra = key.indices() ? indices.size() : 0;
            int line = maxLocals(from) + extra;
            new Body(code, key, own, extra, line).write(from);
        });
    }

    /** What {@link GlobalIndex} has recognised in the kernel. */
    List<CodeElement> kernelCode() {
        return GlobalIndex.recognised(
                closure.copied().values().iterator().next().code().orElseThrow());
    }

    private static int maxLocals(CodeModel code) {
        return code instanceof CodeAttribute attribute ? attribute.maxLocals() : 256;
    }

    /** Copies instruction by instruction. */
    private final class Body {
        private final CodeBuilder code;
        private final CallGraph.Key key;
        private final int own;
        private final int extra;
        private final int line;
        private final Set<Label> passed = new HashSet<>();

        Body(CodeBuilder code, CallGraph.Key key, int own, int extra, int line) {
            this.code = code;
            this.key = key;
            this.own = own;
            this.extra = extra;
            this.line = line;
        }

        void write(CodeModel from) {
            Label start = code.newLabel();
            Label end = code.newLabel();
            code.iconst_0().istore(line);
            code.labelBinding(start);
            for (CodeElement element : key.indices() ? GlobalIndex.recognised(from) : from.elementList()) {
                copy(element);
            }
            code.labelBinding(end);
            Label handler = code.newBoundLabel();
            code.exceptionCatchAll(start, end, handler);
            code.loadConstant(key.method().owner().replace('/', '.'));
            code.loadConstant(key.method().name());
            code.iload(line);
            code.invokestatic(
                    self,
                    hook("fault", Throwable.class, Throwable.class, String.class, String.class, int.class),
                    MethodTypeDesc.of(
                            CD_Throwable, CD_Throwable, ConstantDescs.CD_String, ConstantDescs.CD_String, CD_int));
            code.athrow();
        }

        private int slot(int slot) {
            return slot < own ? slot : slot + extra;
        }

        private void copy(CodeElement element) {
            switch (element) {
                case LoadInstruction load -> code.loadLocal(load.typeKind(), slot(load.slot()));
                case StoreInstruction store -> code.storeLocal(store.typeKind(), slot(store.slot()));
                case IncrementInstruction increment -> code.iinc(slot(increment.slot()), increment.constant());
                case LocalVariable _, LocalVariableType _ -> {}
                case LineNumber number -> {
                    code.with(number);
                    code.loadConstant(number.line()).istore(line);
                }
                case LabelTarget target -> {
                    passed.add(target.label());
                    code.with(target);
                }
                case BranchInstruction branch -> {
                    if (polls && passed.contains(branch.target())) {
                        code.invokestatic(self, hook("poll", void.class), MethodTypeDesc.of(CD_void));
                    }
                    code.with(branch);
                }
                case InvokeInstruction call -> call(call);
                case InvokeDynamicInstruction dynamic -> code.invokedynamic(redirected(dynamic));
                default -> code.with(element);
            }
        }

        private void call(InvokeInstruction call) {
            MethodRef called = MethodRef.of(call);
            Index index = Index.of(called);
            if (index != null && key.indices()) {
                code.iload(own + indices.indexOf(index));
                return;
            }
            CallGraph.Key copy = call.opcode() == Opcode.INVOKESTATIC ? closure.copyOf(called, key.indices()) : null;
            if (copy != null) {
                MethodTypeDesc type = call.typeSymbol();
                if (copy.indices()) {
                    for (int i = 0; i < indices.size(); i++) {
                        code.iload(own + i);
                    }
                    type = indexed(type);
                }
                code.invokestatic(self, names.get(copy), type);
            } else {
                code.with(call);
            }
        }

        /** Lambdas: their bodies are copies, too. */
        private DynamicCallSiteDesc redirected(InvokeDynamicInstruction dynamic) {
            List<ConstantDesc> arguments = new ArrayList<>();
            for (ConstantDesc argument : dynamic.bootstrapArgs()) {
                CallGraph.Key copy =
                        argument instanceof DirectMethodHandleDesc h ? closure.copyOf(MethodRef.of(h), false) : null;
                arguments.add(
                        copy == null
                                ? argument
                                : MethodHandleDesc.ofMethod(
                                        DirectMethodHandleDesc.Kind.STATIC,
                                        self,
                                        names.get(copy),
                                        MethodTypeDesc.ofDescriptor(
                                                copy.method().descriptor())));
            }
            return DynamicCallSiteDesc.of(
                    dynamic.bootstrapMethod(),
                    dynamic.name().stringValue(),
                    dynamic.typeSymbol(),
                    arguments.toArray(ConstantDesc[]::new));
        }
    }

    // ---- loops ----

    private static final MethodTypeDesc BLOCK = MethodTypeDesc.of(
            CD_void,
            CD_Object.arrayType(),
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int,
            CD_int);

    /**
     * From the array, which is parameter 0, into variables from {@code slot} on. Handles that are bound for each launch
     * would be compiled for each launch.
     */
    void unpackArguments(CodeBuilder code, int slot) {
        int at = slot;
        for (int i = 0; i < kernelType.parameterCount(); i++) {
            ClassDesc type = kernelType.parameterType(i);
            code.aload(0).loadConstant(i).aaload();
            if (type.isPrimitive()) {
                Class<?> boxed = MethodType.methodType(kernel.getParameterTypes()[i])
                        .wrap()
                        .returnType();
                ClassDesc box = boxed.describeConstable().orElseThrow();
                code.checkcast(box).invokevirtual(box, type.displayName() + "Value", MethodTypeDesc.of(type));
            } else {
                code.checkcast(type);
            }
            code.storeLocal(TypeKind.from(type), at);
            at += TypeKind.from(type).slotSize();
        }
    }

    void loadArguments(CodeBuilder code, int slot) {
        int at = slot;
        for (ClassDesc parameter : kernelType.parameterList()) {
            TypeKind kind = TypeKind.from(parameter);
            code.loadLocal(kind, at);
            at += kind.slotSize();
        }
    }

    /** The threads of a block, or of several in a row. */
    private void writeBlock(ClassBuilder builder) {
        builder.withMethodBody("block", BLOCK, FLAGS, code -> {
            int from = 1;
            int to = 2;
            int first = 3;
            int fromY = 4;
            int fromZ = 6;
            int block = 8;
            int blockDim = block + 3;
            int global = block + 9;
            int arguments = global + 3;
            unpackArguments(code, arguments);
            Label start = code.newLabel();
            Label end = code.newLabel();
            // That it is not negative is known to the caller, now also to the JVM.
            code.iload(from).loadConstant(Integer.MAX_VALUE).iand().istore(from);
            for (int i = 0; i < 3; i++) {
                code.iconst_0().istore(global + i);
            }
            code.labelBinding(start);
            loop(
                    code,
                    global + 2,
                    fromZ,
                    fromZ + 1,
                    () -> loop(
                            code,
                            global + 1,
                            fromY,
                            fromY + 1,
                            () -> loop(code, global, from, to, () -> {
                                if (closure.asks()) {
                                    code.iload(global)
                                            .iload(first)
                                            .isub()
                                            .iload(global + 1)
                                            .iload(global + 2);
                                    code.invokestatic(
                                            self,
                                            hook("enter", void.class, int.class, int.class, int.class),
                                            MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_int));
                                }
                                loadArguments(code, arguments);
                                for (Index index : indices) {
                                    switch (index) {
                                        case THREAD_X ->
                                            code.iload(global).iload(first).isub();
                                        case THREAD_Y -> code.iload(global + 1);
                                        case THREAD_Z -> code.iload(global + 2);
                                        case GLOBAL_X -> code.iload(global);
                                        default -> code.iload(block + index.ordinal() - Index.BLOCK_X.ordinal());
                                    }
                                }
                                code.invokestatic(
                                        self, names.values().iterator().next(), indexed(kernelType));
                            })));
            code.return_();
            code.labelBinding(end);
            Label handler = code.newBoundLabel();
            code.exceptionCatchAll(start, end, handler);
            code.iload(global).iload(blockDim).irem().iload(global + 1).iload(global + 2);
            code.iload(global).iload(blockDim).idiv().iload(block + 1).iload(block + 2);
            code.invokestatic(
                    self,
                    hook(
                            "at",
                            Throwable.class,
                            Throwable.class,
                            int.class,
                            int.class,
                            int.class,
                            int.class,
                            int.class,
                            int.class),
                    MethodTypeDesc.of(CD_Throwable, CD_Throwable, CD_int, CD_int, CD_int, CD_int, CD_int, CD_int));
            code.athrow();
        });
    }

    /** @param from a variable; −1 for 0 */
    static void loop(CodeBuilder code, int variable, int from, int limit, Runnable body) {
        loop(code, variable, from, limit, 1, body);
    }

    static void loop(CodeBuilder code, int variable, int from, int limit, int step, Runnable body) {
        if (from < 0) {
            code.iconst_0().istore(variable);
        } else {
            code.iload(from).istore(variable);
        }
        Label condition = code.newLabel();
        Label end = code.newLabel();
        code.labelBinding(condition);
        code.iload(variable).iload(limit).if_icmpge(end);
        body.run();
        code.iinc(variable, step).goto_(condition);
        code.labelBinding(end);
    }

    // ---- what copies call ----

    /** The name of a method of the copy that calls {@code Hooks.name}, which classes of other modules do not see. */
    private String hook(String name, Class<?> result, Class<?>... parameters) {
        hooks.computeIfAbsent(name, n -> {
            try {
                return MethodHandles.lookup()
                        .findStatic(RuntimeCallbacks.class, n, MethodType.methodType(result, parameters));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("Hooks." + n, e);
            }
        });
        return "hook$" + name;
    }

    private void writeHook(ClassBuilder builder, String name, MethodTypeDesc type, int number) {
        builder.withMethodBody("hook$" + name, type, FLAGS, code -> {
            code.loadConstant(DynamicConstantDesc.ofNamed(
                    ConstantDescs.ofConstantBootstrap(
                            MethodHandles.class.describeConstable().orElseThrow(), "classDataAt", CD_Object, CD_int),
                    ConstantDescs.DEFAULT_NAME,
                    CD_MethodHandle,
                    number));
            int slot = 0;
            for (ClassDesc parameter : type.parameterList()) {
                TypeKind kind = TypeKind.from(parameter);
                code.loadLocal(kind, slot);
                slot += kind.slotSize();
            }
            code.invokevirtual(CD_MethodHandle, "invokeExact", type);
            code.return_(TypeKind.from(type.returnType()));
        });
    }
}
