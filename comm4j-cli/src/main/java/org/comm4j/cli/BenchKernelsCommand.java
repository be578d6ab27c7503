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
import org.comm4j.bench.Sizes;
import org.comm4j.bench.kernels.CudaCompiler;
import org.comm4j.bench.kernels.HostCosts;
import org.comm4j.bench.kernels.KernelBench;
import org.comm4j.bench.kernels.KernelCase;
import org.comm4j.bench.kernels.KernelRow;
import org.comm4j.bench.kernels.KernelSettings;
import org.comm4j.bench.kernels.KernelTable;
import org.comm4j.bench.suite.Suite;
import org.comm4j.bench.suite.SuiteBench;
import org.comm4j.bench.suite.SuiteCase;
import org.comm4j.bench.suite.SuiteRow;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bench kernels}: kernels in Java beside the same kernels in CUDA C++. */
@Command(
        name = "kernels",
        description = {
            "Measure kernels in Java beside the same kernels in CUDA C++, in turns, on one GPU.",
            "KERNEL: copy, saxpy, pointers, views, stencil, product, tensor, reduction, histogram, transpose, scan;"
                    + " several with commas between them; or all. Views and pointers are the same saxpy of single"
                    + " elements, with indices checked and not.",
            "--set suite: forty kernels of problems of Rodinia, PolyBench, HeCBench and Altis, such as hotspot,lud,"
                    + " with CUDA arithmetic beside nvcc -O3 and FAST beside nvcc --use_fast_math."
        },
        footer = {
            "",
            "CUDA C++ is compiled by nvcc -O3 where it is on the PATH, else by NVRTC. Results are compared with plain"
                    + " Java's."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:All results are right, and all ratios reach the threshold.",
            "1:They do not, or there is no GPU.",
            "2:The command line is wrong."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchKernelsCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "KERNEL", defaultValue = "all", description = "What to measure.")
    private String kernels = "";

    @Option(
            names = "--set",
            paramLabel = "SET",
            defaultValue = "bench",
            description = "bench, the default, or suite, of which --rounds, --device, --math and --tsv apply.")
    private String set = "";

    @Option(
            names = "--math",
            paramLabel = "MATH",
            defaultValue = "CUDA,FAST",
            split = ",",
            description = "Of --set suite: CUDA, FAST or, by default, both.")
    private List<Kernel.Math> maths = List.of();

    @Option(names = "--tsv", description = "Of --set suite: columns with tabs between them.")
    private boolean tabs;

    @Option(
            names = {"-n", "--elements"},
            paramLabel = "N",
            defaultValue = "64M",
            description = "Elements of arrays (suffixes K, M, G), rounded; 64M by default.")
    private String elements = "";

    @Option(
            names = "--order",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Rows of the product's matrices, rounded; 4096 by default.")
    private int order;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How often Java and CUDA C++ take turns; the least time counts; 20 by default.")
    private int rounds;

    @Option(
            names = "--launches",
            paramLabel = "N",
            defaultValue = "20",
            description = "Launches that are timed together; 20 by default.")
    private int launches;

    @Option(names = "--device", paramLabel = "N", defaultValue = "0", description = "The GPU; 0 by default.")
    private int device;

    @Option(
            names = "--peak-bandwidth",
            paramLabel = "GB/S",
            defaultValue = "0",
            description = "What the memory can do at most; by default from the driver's clocks.")
    private double bandwidth;

    @Option(
            names = "--peak-flops",
            paramLabel = "GFLOP/S",
            defaultValue = "0",
            description = "What the processors can do at most; by default from the driver's clocks.")
    private double flops;

    @Option(
            names = "--threshold",
            paramLabel = "RATIO",
            defaultValue = "0",
            description = "The least ratio that is good enough, such as 0.97; none by default.")
    private double threshold;

    @Option(
            names = "--host-costs",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Measure the time to compile and to launch, too; done by default.")
    private boolean hostCosts;

    @Option(
            names = {"-J", "--json"},
            paramLabel = "FILE",
            description = "Write the results to this file, too.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        if (set.equals("suite")) {
            return suite(command);
        }
        if (!set.equals("bench")) {
            throw new ParameterException(command.commandLine(), "--set " + set + ": bench or suite");
        }
        KernelSettings settings = BenchOptions.understood(
                command,
                () -> new KernelSettings(
                        KernelCase.list(kernels),
                        Sizes.parse(elements),
                        order,
                        rounds,
                        launches,
                        1e9 * bandwidth,
                        1e9 * flops));
        OutputFile.check(command, "--json", json);
        checkDevice(command);
        PrintWriter out = command.commandLine().getOut();
        try (Device gpu = Device.of(device)) {
            HostCosts costs = hostCosts
                    ? HostCosts.ofCompiling(CudaArch.of(gpu.computeCapability()))
                            .withLaunches(gpu)
                    : null;
            try (KernelBench bench = new KernelBench(gpu, settings)) {
                String name = gpu.name() + ", " + gpu.computeCapability().sm();
                KernelTable.header(name, bench.compiler(), bench.peak(), settings)
                        .forEach(out::println);
                out.flush();
                List<KernelRow> rows = bench.run(row -> {
                    out.println(KernelTable.row(row));
                    out.flush();
                });
                KernelTable.footer(rows, costs).forEach(out::println);
                out.flush();
                if (json != null) {
                    Files.writeString(
                            json, KernelTable.json(name, bench.compiler(), bench.peak(), settings, rows, costs));
                }
                return KernelRow.reaches(rows, threshold) ? 0 : 1;
            }
        }
    }

    private void checkDevice(CommandSpec command) {
        String problem = Cuda.problem();
        if (problem != null) {
            throw new IllegalStateException("bench kernels: " + problem);
        }
        if (device < 0 || device >= Cuda.deviceCount()) {
            throw new ParameterException(
                    command.commandLine(), "--device " + device + ": there are " + Cuda.deviceCount() + " GPUs");
        }
    }

    private int suite(CommandSpec command) {
        List<SuiteCase> cases = BenchOptions.understood(command, () -> Suite.list(kernels));
        if (rounds < 1) {
            throw new ParameterException(command.commandLine(), "--rounds " + rounds + ": at least 1");
        }
        if (maths.contains(Kernel.Math.EXACT) || maths.contains(Kernel.Math.DEFAULT)) {
            throw new ParameterException(command.commandLine(), "--math: nvcc has nothing but CUDA and FAST");
        }
        checkDevice(command);
        Path nvcc = CudaCompiler.nvcc()
                .orElseThrow(() -> new IllegalStateException(
                        "bench kernels --set suite: there is no nvcc on the PATH; a CUDA toolkit has it"));
        PrintWriter out = command.commandLine().getOut();
        try (Device gpu = Device.of(device);
                SuiteBench bench = new SuiteBench(gpu, nvcc, cases, maths, rounds)) {
            bench.header(tabs).forEach(out::println);
            List<SuiteRow> rows = bench.run(tabs, row -> {
                out.println(row);
                out.flush();
            });
            SuiteBench.footer(rows).forEach(out::println);
            out.flush();
            return rows.stream().allMatch(SuiteRow::right) ? 0 : 1;
        }
    }
}
