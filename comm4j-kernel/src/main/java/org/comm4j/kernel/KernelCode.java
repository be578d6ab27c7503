// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Printer;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.ir.Verifier;
import org.comm4j.kernel.launch.Arguments;
import org.comm4j.kernel.launch.Packing;
import org.comm4j.kernel.launch.Parameter;
import org.comm4j.kernel.link.Disassembler;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.kernel.nvvm.NvvmEmitter;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's code for an architecture, as every stage of the compiler has it; needs no GPU. What a stage makes is made when it is asked for. Machine
 * code is made once, so that several devices can load it; threads may share it.
 */
public final class KernelCode {
    private final Method method;
    private final Program program;
    private final List<Parameter> parameters;
    private final Supplier<Set<Integer>> written;
    private final String nvvm;
    private final Toolchain toolchain;
    private final boolean cooperative;
    /** Null until it is made. Guarded by this: who comes meanwhile waits for it. */
    private byte @Nullable [] cubin;

    /**
     * @param parameters those of the program's kernel, in their order
     * @param written through which of them it may write
     * @param cooperative whether all blocks have to run at the same time
     */
    KernelCode(
            Method method,
            Program program,
            List<Parameter> parameters,
            Supplier<Set<Integer>> written,
            boolean cooperative,
            CudaArch arch,
            CompileOptions options) {
        Verifier.verify(program);
        this.method = method;
        this.program = program;
        this.parameters = parameters;
        this.written = written;
        this.cooperative = cooperative;
        this.toolchain = new Toolchain(arch, options);
        this.nvvm = NvvmEmitter.emit(program);
    }

    /** Why this process can compile nothing for GPUs: which of NVIDIA's compilers is missing, and where it was looked for; null if it can. */
    public static @Nullable String problem() {
        return Toolchain.problem();
    }

    /**
     * Translates a method.
     *
     * @param method static, without a result, and marked {@link Kernel}
     * @param constants values of the parameters that are marked {@link Constant}, in their order
     * @throws KernelCompileException with everything that cannot be compiled
     */
    public static KernelCode compile(Method method, CudaArch arch, CompileOptions options, Object... constants) {
        return compile(KernelSource.of(method, constants), arch, options);
    }

    /** The same for a reference to a method, or a lambda. */
    public static KernelCode compile(KernelMethod kernel, CudaArch arch, CompileOptions options, Object... constants) {
        return compile(KernelSource.of(kernel, constants), arch, options);
    }

    static KernelCode compile(KernelSource source, CudaArch arch, CompileOptions options) {
        int number = arch.capability().major() * 10 + arch.capability().minor();
        Frontend.Result result = Frontend.compile(
                source, new FrontendOptions(options.checked(), options.checked(), options.lines(), number));
        List<Parameter> parameters = result.parameters().stream()
                .map(each -> new Parameter(each.name(), each.type(), each.restricted(), each.bound()))
                .toList();
        return new KernelCode(
                source.method(), result.program(), parameters, result::written, result.cooperative(), arch, options);
    }

    /** As messages call it: {@code Jacobi.step}. */
    public String name() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    public Method method() {
        return method;
    }

    public CudaArch arch() {
        return toolchain.arch();
    }

    /** The kernel's name in its code. */
    public String symbol() {
        return program.kernel().name();
    }

    /**
     * Whether it calls functions that wait for other blocks or GPUs ({@link DeviceFunction#cooperative}), so that each launch of it is cooperative.
     */
    public boolean cooperative() {
        return cooperative;
    }

    /** The device code that is linked into it. */
    List<DeviceUnit> deviceUnits() {
        return toolchain.units(input());
    }

    /** Names of the device units that it calls functions of, which {@link CompileOptions#units} must have. */
    public List<String> units() {
        return program.units();
    }

    /** Checks what launches give. */
    Arguments arguments(Arguments.Reach reach) {
        return new Arguments(name(), parameters, reach, written);
    }

    /** Makes of it what the GPU reads. */
    Packing packing() {
        return new Packing(
                parameters,
                program.kernel().parameters().stream()
                        .map(Value.Parameter::type)
                        .toList());
    }

    private Toolchain.Source input() {
        return new Toolchain.Source(name(), symbol(), nvvm, program.fast(), program.units());
    }

    /** The compiler's own intermediate representation. */
    public String ir() {
        return Printer.print(program);
    }

    /** What libNVVM reads. */
    public String nvvm() {
        return nvvm;
    }

    /**
     * What comes out of the linker before machine code.
     *
     * @throws KernelCompileException with the log of libNVVM, NVRTC or nvJitLink
     */
    public String ptx() {
        return toolchain.ptx(input());
    }

    /**
     * Machine code, from the disk cache if it is there.
     *
     * @throws KernelCompileException with the log of libNVVM, NVRTC or nvJitLink
     */
    public synchronized byte[] cubin() {
        byte[] made = cubin;
        if (made == null) {
            made = toolchain.cubin(input());
            cubin = made;
        }
        return made.clone();
    }

    /**
     * Machine code as text, by {@code nvdisasm} or {@code cuobjdump} of a CUDA toolkit.
     *
     * @throws KernelCompileException if neither is there, too
     */
    public String sass() {
        return Disassembler.text(name(), cubin());
    }

    /** What the kernel uses, as its machine code says. */
    public KernelAttributes attributes() {
        Function.Launch launch = program.kernel().launch();
        return Toolchain.attributes(cubin(), symbol(), launch == null ? 0 : launch.maxThreads());
    }

    @Override
    public String toString() {
        return "KernelCode[" + name() + " for " + arch() + "]";
    }
}
