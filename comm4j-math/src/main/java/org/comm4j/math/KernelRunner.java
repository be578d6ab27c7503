// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.Kernel;

/** The kernels of this module on one queue, each compiled for its constants when it is first needed. */
final class KernelRunner implements AutoCloseable {
    private static final int THREADS = 256;

    private static final Map<String, Method> METHODS = Stream.of(
                    VectorKernels.class,
                    ReductionKernels.class,
                    SweepKernels.class,
                    ExactKernels.class,
                    StencilKernels.class,
                    FilterKernels.class,
                    PlaneKernels.class,
                    GradientKernels.class,
                    AxisKernels.class,
                    LineKernels.class,
                    MatrixKernels.class,
                    MapKernels.class,
                    PointKernels.class,
                    HaloKernels.class,
                    ExchangeKernels.class)
            .flatMap(each -> Stream.of(each.getDeclaredMethods()))
            .filter(each -> each.isAnnotationPresent(Kernel.class))
            .collect(Collectors.toMap(
                    each -> each.getDeclaringClass().getSimpleName().replace("Kernels", "") + "." + each.getName(),
                    each -> each));

    private record Variant(String kernel, List<Object> constants) {}

    private final KernelQueue queue;
    private final Map<Variant, CompiledKernel> compiled = new HashMap<>();

    KernelRunner(KernelQueue queue) {
        this.queue = queue;
    }

    /** Launches a kernel with a thread for each of {@code threads}. */
    void run(String kernel, long threads, Object[] constants, Object... arguments) {
        launch(
                kernel,
                LaunchConfig.grid(Math.toIntExact((threads + THREADS - 1) / THREADS))
                        .block(THREADS),
                constants,
                arguments);
    }

    void launch(String kernel, LaunchConfig config, Object[] constants, Object... arguments) {
        queue.launch(compiled(kernel, constants), config, arguments);
    }

    /** Returns the launch of a kernel, ready to be made often. */
    Runnable prepare(String kernel, LaunchConfig config, Object[] constants, Object... arguments) {
        return queue.prepare(compiled(kernel, constants), config, arguments);
    }

    /** Returns a kernel, which this keeps. */
    CompiledKernel compiled(String kernel, Object... constants) {
        return compiled.computeIfAbsent(new Variant(kernel, Arrays.asList(constants)), _ -> {
            queue.settle();
            return queue.compiler().compile(requireNonNull(METHODS.get(kernel), kernel), constants);
        });
    }

    @Override
    public void close() {
        compiled.values().forEach(CompiledKernel::close);
        compiled.clear();
    }
}
