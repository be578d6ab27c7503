// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.bench.CompileBench;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bench compile}: how long kernels that communicate take to compile. */
@Command(
        name = "compile",
        description = {
            "Measure how long kernels that call NVSHMEM take to compile; needs NVIDIA's compilers and headers, and no"
                    + " GPU.",
            "KERNEL: put, get, put_signal, signal, elements, atomic, barrier, all_to_all, reduction; several with"
                    + " commas between them; or all. The last three are collectives, which are slow to link for PEs over a"
                    + " network."
        },
        footer = {
            "",
            "What a program pays with a GPU, loading and launching included, is measured by comm4j bench device"
                    + " first_call,first_kernel.",
            "-Dorg.comm4j.device.direct=false in JAVA_TOOL_OPTIONS is for kernels that can reach PEs over a network."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:All was measured.",
            "1:Something is missing that kernels are compiled with.",
            "2:The command line is wrong."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchCompileCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "KERNEL",
            defaultValue = "put,get,put_signal,signal,elements,atomic",
            description = "What to compile; those that are no collectives by default.")
    private String kernels = "";

    @Option(
            names = "--arch",
            paramLabel = "ARCH",
            defaultValue = "sm_90",
            description = "The architecture to compile for, such as sm_100; sm_90 by default.")
    private String arch = "";

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each is measured; the least time counts; 5 by default.")
    private int rounds;

    @Option(
            names = {"-J", "--json"},
            paramLabel = "FILE",
            description = "Write the results to this file, too.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        List<CompileBench.Case> cases = BenchOptions.understood(command, () -> CompileBench.Case.named(kernels));
        CudaArch target = BenchOptions.understood(command, () -> CudaArch.parse(arch));
        if (rounds < 1 || rounds > 100) {
            throw new ParameterException(command.commandLine(), "--rounds " + rounds + ": it is 1 to 100");
        }
        OutputFile.check(command, "--json", json);
        String problem = KernelCode.problem();
        if (problem != null) {
            throw new IllegalStateException("bench compile: " + problem);
        }
        PrintWriter out = command.commandLine().getOut();
        CompileBench.header(target, rounds).forEach(out::println);
        out.flush();
        List<CompileBench.Row> rows = new CompileBench(target, rounds).run(cases, row -> {
            out.println(CompileBench.line(row));
            out.flush();
        });
        if (json != null) {
            Files.writeString(json, CompileBench.json(target, rounds, rows));
        }
        return 0;
    }
}
