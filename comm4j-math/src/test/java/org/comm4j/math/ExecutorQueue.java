// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;

/** The executor on the CPU in the place of a stream: a launch is over when it returns. */
final class ExecutorQueue implements KernelQueue {
    private final KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
    private int launches;

    @Override
    public String name() {
        return "executor";
    }

    @Override
    public KernelCompiler<?> compiler() {
        return compiler;
    }

    @Override
    public Memory allocate(DataType type, long count) {
        return new CpuCompute().allocate(type, count);
    }

    @Override
    public String unreachable(Buffer buffer) {
        return buffer instanceof HostArray ? "" : "is not in host memory";
    }

    @Override
    public void launch(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
        launches++;
        kernel.launch(config, arguments);
    }

    /** Returns how many kernels were launched. */
    int launches() {
        return launches;
    }

    @Override
    public Runnable prepare(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
        return () -> launch(kernel, config, arguments);
    }

    @Override
    public Snapshot snapshot(Buffer numbers) {
        return new CpuCompute().snapshot(numbers);
    }

    @Override
    public void copy(Buffer from, Buffer to) {
        to.copyFrom((HostArray) from);
    }

    @Override
    public Blas blas(KernelRunner runner) {
        return new KernelBlas(runner);
    }

    @Override
    public Fft fft(DataType type, long outer, int length, long inner) {
        // A library's on a GPU, which has no weights.
        return new JavaFft(type, outer, length, inner, 1, 1);
    }

    @Override
    public GroupedOperations operations(Communicator communicator) {
        return communicator;
    }

    @Override
    public Recording record(Runnable body) {
        return new CpuCompute().record(body);
    }

    @Override
    public void synchronize() {}

    @Override
    public void close() {
        compiler.close();
    }
}
