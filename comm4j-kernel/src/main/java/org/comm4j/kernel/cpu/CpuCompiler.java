// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.reflect.Method;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.capture.KernelSource;

/** Makes kernels for this machine's processors. */
public final class CpuCompiler implements KernelCompiler<CompiledKernel> {
    private final CpuOptions options;

    public CpuCompiler(CpuOptions options) {
        this.options = options;
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
        Method method = source.method();
        if (!source.lambda() && !method.isAnnotationPresent(Kernel.class)) {
            throw new KernelCompileException(method + " is not marked @Kernel", (Throwable) null);
        }
        return new CpuKernel(source, options);
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return "KernelCompiler[" + options + "]";
    }
}
