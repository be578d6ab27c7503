// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import org.comm4j.cuda.ComputeCapability;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.lang.CudaArch;

/** For one GPU. What it has made lives on after it. */
final class GpuCompiler implements KernelCompiler<GpuKernel> {
    private final Device device;
    private final CompileOptions options;
    private volatile boolean closed;

    GpuCompiler(Device device, CompileOptions options) {
        this.device = nonNull(device, "KernelCompiler.of", "device");
        this.options = nonNull(options, "KernelCompiler.of", "options");
    }

    private GpuKernel compile(KernelSource source) {
        if (closed) {
            throw new IllegalStateException(this + " was closed");
        }
        ComputeCapability capability = device.computeCapability();
        return GpuKernel.load(device, KernelCode.compile(source, new CudaArch(capability, options.suffix()), options));
    }

    @Override
    public GpuKernel compile(Method method, Object... constants) {
        return compile(KernelSource.of(method, constants));
    }

    @Override
    public GpuKernel compileReference(KernelMethod kernel, Object... constants) {
        return compile(KernelSource.of(kernel, constants));
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "KernelCompiler[" + device + "]";
    }
}
