// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.lang.Kernel;

/**
 * Makes kernels for this machine's processors. The compiler for GPUs reads each kernel first, and refuses what a GPU
 * cannot do, unless {@link CpuOptions#anyJava} allows it.
 */
public final class CpuCompiler implements KernelCompiler<CompiledKernel> {
    private final CpuOptions options;
    private volatile boolean closed;

    public CpuCompiler(CpuOptions options) {
        this.options = nonNull(options, "KernelCompiler.cpu", "options");
    }

    @Override
    public CompiledKernel compile(Method method, Object... constants) {
        return compile(KernelSource.of(method, constants));
    }

    @Override
    public CompiledKernel compileReference(KernelMethod kernel, Object... constants) {
        return compile(KernelSource.of(kernel, constants));
    }

    private CompiledKernel compile(KernelSource source) {
        if (closed) {
            throw new IllegalStateException(this + " was closed");
        }
        if (options.portable()) {
            return new CpuKernel(source, options, CpuCode.portable(source, options));
        }
        Method method = source.method();
        if (!source.lambda() && !method.isAnnotationPresent(Kernel.class)) {
            throw new KernelCompileException(method + " is not marked @Kernel", (Throwable) null);
        }
        return new CpuKernel(source, options, CpuCode.of(source, options));
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "KernelCompiler[" + options + "]";
    }
}
