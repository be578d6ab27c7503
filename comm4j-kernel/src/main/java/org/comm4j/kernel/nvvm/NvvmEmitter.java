// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Global;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.SharedArrays;
import org.comm4j.kernel.ir.Type;

/** Writes a module: globals, functions, declarations of what is elsewhere, metadata. */
public final class NvvmEmitter {
    private static final String HEAD = """
        target datalayout = "e-p:64:64:64-p3:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
        target triple = "nvptx64-nvidia-cuda"

        """;

    /** A name that no array has: names of these are letters and digits. */
    private static final String SHARED = "$shared";

    private final Program program;
    private final SharedArrays shared;
    private final Metadata metadata;
    /** As of {@link Loops#meeting}. */
    private final Set<Function> meeting;

    private final StringBuilder text = new StringBuilder(HEAD);
    /** Lines that declare what is elsewhere, by symbol. */
    private final Map<String, String> declarations = new LinkedHashMap<>();
    /** Names of constants, by their text. */
    private final Map<String, String> strings = new LinkedHashMap<>();

    private NvvmEmitter(Program program) {
        this.program = program;
        this.shared = SharedArrays.of(program);
        this.metadata = new Metadata(program.lines());
        this.meeting = Loops.meeting(program.functions());
    }

    /**
     * The whole program as NVVM IR.
     *
     * @param program that the verifier has no objection to
     */
    public static String emit(Program program) {
        NvvmEmitter emitter = new NvvmEmitter(program);
        emitter.module();
        return emitter.text.toString();
    }

    private void module() {
        program.globals().stream().filter(global -> !isPart(global)).forEach(this::global);
        if (shared.dynamicBytes() > 0) {
            text.append("@" + SHARED + " = external addrspace(3) global [0 x i8], align 16\n");
        }
        StringBuilder functions = new StringBuilder();
        program.functions().forEach(function -> new FunctionEmitter(this, function, functions).write());
        new FunctionEmitter(this, program.kernel(), functions).write();
        strings.forEach((content, name) -> {
            byte[] bytes = (content + "\0").getBytes(StandardCharsets.UTF_8);
            text.append('@')
                    .append(name)
                    .append(" = internal unnamed_addr addrspace(1) constant [")
                    .append(bytes.length)
                    .append(" x i8] c\"")
                    .append(Llvm.escape(bytes))
                    .append("\", align 1\n");
        });
        String kernel = reference(program.kernel());
        text.append("@llvm.used = appending global [1 x i8*] [i8* bitcast (")
                .append(kernel)
                .append(" to i8*)], section \"llvm.metadata\"\n")
                .append(functions)
                .append('\n');
        declarations.values().forEach(line -> text.append(line).append('\n'));
        annotate(kernel);
        metadata.write(text);
    }

    /** The kernel with its type: {@code void (i32)* @f}. */
    private static String reference(Function kernel) {
        return kernel.parameters().stream()
                .map(parameter -> Llvm.memory(parameter.type()))
                .collect(Collectors.joining(", ", "void (", ")* @" + kernel.name()));
    }

    private void annotate(String reference) {
        metadata.annotate(reference, "kernel", 1);
        Function.Launch launch = program.kernel().launch();
        if (launch == null) {
            return;
        }
        if (launch.maxThreads() > 0) {
            metadata.annotate(reference, "maxntidx", launch.maxThreads());
            metadata.annotate(reference, "maxntidy", 1);
            metadata.annotate(reference, "maxntidz", 1);
        }
        if (launch.minBlocks() > 0) {
            metadata.annotate(reference, "minctasm", launch.minBlocks());
        }
        if (launch.clusterX() > 0) {
            metadata.annotate(reference, "cluster_dim_x", launch.clusterX());
            metadata.annotate(reference, "cluster_dim_y", Math.max(launch.clusterY(), 1));
            metadata.annotate(reference, "cluster_dim_z", Math.max(launch.clusterZ(), 1));
        }
    }

    /** The type that the module declares a global with: bytes where it has content. */
    private static String declared(Global global) {
        byte[] content = global.content();
        return content == null ? Llvm.memory(global.type()) : "[" + content.length + " x i8]";
    }

    /** No elements: the dynamic shared memory, whose size the launch gives. */
    private static boolean isDynamic(Global global) {
        return global.space() == Type.Space.SHARED && global.type().bytes() == 0;
    }

    /** Whether it has a place in dynamic shared memory that the compiler has chosen. */
    private boolean isPart(Global global) {
        return shared.dynamicBytes() > 0 && global.space() == Type.Space.SHARED;
    }

    private void global(Global global) {
        byte[] content = global.content();
        text.append('@')
                .append(global.name())
                .append(" = ")
                .append(isDynamic(global) ? "external" : "internal")
                .append(Llvm.space(global.space()))
                .append(global.space() == Type.Space.CONSTANT ? " constant " : " global ")
                .append(declared(global));
        if (content != null) {
            text.append(" c\"").append(Llvm.escape(content)).append('"');
        } else if (!isDynamic(global)) {
            text.append(global.space() == Type.Space.SHARED ? " undef" : " zeroinitializer");
        }
        text.append(", align ")
                .append(Math.max(global.alignment(), global.type().alignment()))
                .append('\n');
    }

    /** A global as a pointer to bytes in its space. */
    String address(Global global) {
        if (isPart(global)) {
            return "getelementptr ([0 x i8], [0 x i8] addrspace(3)* @" + SHARED + ", i32 0, i32 " + shared.place(global)
                    + ")";
        }
        String space = Llvm.space(global.space());
        return "bitcast (" + declared(global) + space + "* @" + global.name() + " to i8" + space + "*)";
    }

    /** A text that ends with a zero, as a generic pointer. */
    String string(String content) {
        String name = strings.computeIfAbsent(content, key -> "string." + strings.size());
        int bytes = content.getBytes(StandardCharsets.UTF_8).length + 1;
        String array = "[" + bytes + " x i8]";
        return "addrspacecast (i8 addrspace(1)* getelementptr inbounds (" + array + ", " + array + " addrspace(1)* @"
                + name + ", i64 0, i64 0) to i8*)";
    }

    static boolean isIntrinsic(External external) {
        return external.symbol().startsWith("llvm.");
    }

    /** Whether it is no function but an instruction. */
    static boolean isAtomic(External external) {
        return external.symbol().startsWith("atomicrmw.") || external.symbol().startsWith("cmpxchg.");
    }

    private static String type(External external, Type type) {
        return isIntrinsic(external) ? Llvm.type(type) : Llvm.memory(type);
    }

    void declare(External external) {
        StringBuilder line = new StringBuilder("declare ")
                .append(type(external, external.result()))
                .append(" @")
                .append(external.symbol())
                .append(external.parameters().stream()
                        .map(parameter -> type(external, parameter))
                        .collect(Collectors.joining(", ", "(", ")")));
        if (!isIntrinsic(external)) {
            line.append(" nounwind");
        }
        line.append(external.pure() ? " readnone" : "").append(external.convergent() ? " convergent" : "");
        declarations.put(external.symbol(), line.toString());
    }

    void declare(String symbol, String line) {
        declarations.putIfAbsent(symbol, line);
    }

    Program program() {
        return program;
    }

    Metadata metadata() {
        return metadata;
    }

    Set<Function> meeting() {
        return meeting;
    }
}
