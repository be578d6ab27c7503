// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;

/**
 * The compiler's NVVM IR, made machine code of this processor by LLVM 14, the last that reads typed pointers without
 * being asked to: by clang, or by LLVM's own tools and any C compiler. A small C program has the thread's indices, and
 * what NVIDIA's intrinsics and libdevice do. It runs in a process of its own.
 */
final class LlvmExecutor implements Executor {
    static final String CLANG = "clang-14";

    private static final int MINUTE = 60;

    private final Path folder;
    private final String optimisation;
    private final CompileOptions options;

    LlvmExecutor(Path folder, String optimisation, CompileOptions options) {
        this.folder = folder;
        this.optimisation = optimisation;
        this.options = options;
    }

    static boolean isThere() {
        return isThere(CLANG)
                || Stream.of(tool("llvm-link"), tool("opt"), tool("llc"), "cc").allMatch(LlvmExecutor::isThere);
    }

    private static boolean isThere(String program) {
        return program.startsWith("/")
                ? Files.isExecutable(Path.of(program))
                : Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    /** Names a tool of LLVM 14, as Debian has it. */
    private static String tool(String name) {
        return isThere(name + "-14") ? name + "-14" : "/usr/lib/llvm-14/bin/" + name;
    }

    @Override
    public String name() {
        return "LLVM " + optimisation + (options.checked() ? " checked" : "");
    }

    @Override
    public List<Object> run(List<Case> cases) {
        List<Object> results = new ArrayList<>(cases.size());
        Map<Integer, String> modules = new TreeMap<>();
        for (int i = 0; i < cases.size(); i++) {
            results.add(null);
            try {
                KernelCode code = KernelCode.compile(cases.get(i).kernel(), CudaArch.parse("sm_90"), options);
                modules.put(i, runnable(code.nvvm(), code.symbol(), i));
            } catch (RuntimeException e) {
                results.set(i, e);
            }
        }
        try {
            together(List.copyOf(modules.keySet()), modules, results);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return results;
    }

    /** If something fails, one by one: that is the one to blame. */
    private void together(List<Integer> which, Map<Integer, String> modules, List<Object> results)
            throws IOException, InterruptedException {
        if (which.isEmpty()) {
            return;
        }
        try {
            List<Case.Results> made = execute(which, modules);
            for (int i = 0; i < which.size(); i++) {
                results.set(which.get(i), made.get(i));
            }
        } catch (IllegalStateException e) {
            if (which.size() == 1) {
                results.set(which.getFirst(), e);
                return;
            }
            for (int each : which) {
                together(List.of(each), modules, results);
            }
        }
    }

    private static String runnable(String nvvm, String symbol, int index) {
        return nvvm.replaceAll("(?m)^target .*$", "")
                .replaceAll("(?m)^!.*$", "")
                .replaceAll(", !dbg !\\d+|, !llvm\\.loop !\\d+| !dbg !\\d+", "")
                .replace("@llvm.nvvm.", "@nvvm.")
                .replaceAll("call (i\\d+) asm \"neg[^\"]*\", \"[^\"]*\"\\(i\\d+ ([^)]*)\\).*", "sub $1 0, $2")
                .replaceAll("call (float|double) asm \"mov\\.f.*", "fadd $1 0x7FF8000000000000, 0.0")
                .replaceAll("(?m)^.*call void asm sideeffect \"exit;\".*$", "")
                .replaceAll("@" + symbol + "\\b", "@case" + index);
    }

    private List<Case.Results> execute(List<Integer> which, Map<Integer, String> modules)
            throws IOException, InterruptedException {
        List<String> files = new ArrayList<>();
        StringBuilder table = new StringBuilder();
        StringBuilder calls = new StringBuilder();
        for (int each : which) {
            Files.writeString(folder.resolve("case" + each + ".ll"), modules.get(each));
            files.add("case" + each + ".ll");
            table.append("extern kernel case").append(each).append(";\n");
            calls.append("case").append(each).append(", ");
        }
        try (InputStream in = LlvmExecutor.class.getResourceAsStream("run.c")) {
            String program = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(
                    folder.resolve("run.c"),
                    program.replace("/*DECLARATIONS*/", table).replace("/*KERNELS*/", calls));
        }
        build(files);
        List<HostArray> inputs = Case.inputs();
        try (var out = Files.newOutputStream(folder.resolve("in"))) {
            for (HostArray input : inputs) {
                out.write(input.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
            }
        }
        start(List.of(folder.resolve("run").toString()));
        ByteBuffer read =
                ByteBuffer.wrap(Files.readAllBytes(folder.resolve("out"))).order(ByteOrder.LITTLE_ENDIAN);
        List<Case.Results> all = new ArrayList<>();
        for (int i = 0; i < which.size(); i++) {
            Case.Results results = new Case.Results(
                    new int[Case.RESULTS], new long[Case.RESULTS], new float[Case.RESULTS], new double[Case.RESULTS]);
            read.asIntBuffer().get(results.ints());
            read.position(read.position() + 4 * Case.RESULTS);
            read.asLongBuffer().get(results.longs());
            read.position(read.position() + 8 * Case.RESULTS);
            read.asFloatBuffer().get(results.floats());
            read.position(read.position() + 4 * Case.RESULTS);
            read.asDoubleBuffer().get(results.doubles());
            read.position(read.position() + 8 * Case.RESULTS);
            all.add(results);
        }
        return all;
    }

    private void build(List<String> files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (isThere(CLANG)) {
            command.addAll(List.of(CLANG, optimisation, "-ffp-contract=off", "-w", "-mfma", "-o", "run", "-x", "c"));
            command.addAll(List.of("run.c", "-x", "ir"));
            command.addAll(files);
            command.add("-lm");
            start(command);
            return;
        }
        command.addAll(List.of(tool("llvm-link"), "-o", "all.bc"));
        command.addAll(files);
        start(command);
        start(List.of(tool("opt"), optimisation, "-mtriple=x86_64-pc-linux-gnu", "all.bc", "-o", "best.bc"));
        start(List.of(
                tool("llc"),
                optimisation,
                "-mtriple=x86_64-pc-linux-gnu",
                "-mattr=+fma",
                "-fp-contract=off",
                "-relocation-model=pic",
                "-filetype=obj",
                "best.bc",
                "-o",
                "all.o"));
        start(List.of("cc", "-O2", "-ffp-contract=off", "-w", "-mfma", "-o", "run", "run.c", "all.o", "-lm"));
    }

    private void start(List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(MINUTE, TimeUnit.SECONDS)) {
                throw new IllegalStateException(command.getFirst() + " does not end");
            }
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(
                    command.getFirst() + " ends with " + process.exitValue() + ":\n" + Files.readString(log));
        }
    }
}
