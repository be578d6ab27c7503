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
import org.comm4j.bench.kernels.HostCosts;
import org.comm4j.bench.kernels.KernelBench;
import org.comm4j.bench.kernels.KernelCase;
import org.comm4j.bench.kernels.KernelRow;
import org.comm4j.bench.kernels.KernelSettings;
import org.comm4j.bench.kernels.KernelTable;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.lang.CudaArch;
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
                    + " elements, with indices checked and not."
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
        String problem = Cuda.problem();
        if (problem != null) {
            throw new IllegalStateException("bench kernels: " + problem);
        }
        if (device < 0 || device >= Cuda.deviceCount()) {
            throw new ParameterException(
                    command.commandLine(), "--device " + device + ": there are " + Cuda.deviceCount() + " GPUs");
        }
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
}
