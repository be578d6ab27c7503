// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.ir.Printer;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Verifier;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.launch.Arguments;
import org.comm4j.kernel.launch.Packing;
import org.comm4j.kernel.launch.Parameter;
import org.comm4j.kernel.link.Disassembler;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.kernel.nvvm.NvvmEmitter;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's code for an architecture, as every stage of the compiler has it; needs no GPU. What a stage makes is made
 * when it is asked for. Machine code is made once, so that several devices can load it; threads may share it.
 */
public final class KernelCode {
    private final Method method;
    private final KernelMetadata facts;
    private final Supplier<Translation> translator;
    private final Toolchain toolchain;
    /** Null until it is asked for, of a kernel that an earlier process has translated. Guarded by this. */
    private @Nullable Translation translation;
    /** Null until it is made. Guarded by this: who comes meanwhile waits for it. */
    private byte @Nullable [] cubin;

    /**
     * What the compiler makes of a method.
     *
     * @param written through which of its parameters the kernel may write
     */
    private record Translation(Program program, String nvvm, Supplier<Set<Integer>> written) {}

    private KernelCode(Method method, KernelMetadata facts, Supplier<Translation> translator, Toolchain toolchain) {
        this.method = method;
        this.facts = facts;
        this.translator = translator;
        this.toolchain = toolchain;
    }

    /**
     * @param parameters those of the program's kernel, in their order
     * @param written through which of them it may write
     * @param cooperative whether all blocks have to run at the same time
     */
    static KernelCode of(
            Method method,
            Program program,
            List<Parameter> parameters,
            Supplier<Set<Integer>> written,
            boolean cooperative,
            CudaArch arch,
            CompileOptions options) {
        Verifier.verify(program);
        String nvvm = NvvmEmitter.emit(program);
        Translation translation = new Translation(program, nvvm, written);
        return new KernelCode(
                method,
                KernelMetadata.of(program, nvvm, parameters, cooperative),
                () -> translation,
                new Toolchain(arch, options));
    }

    private synchronized Translation translation() {
        Translation made = translation;
        if (made == null) {
            made = translator.get();
            translation = made;
        }
        return made;
    }

    /**
     * Why this process can compile nothing for GPUs: which of NVIDIA's compilers is missing, and where it was looked
     * for; null if it can.
     */
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
        nonNull(method, "compile", "method");
        nonNull(arch, "compile", "arch");
        nonNull(options, "compile", "options");
        nonNull(constants, "compile", "constants");
        return compile(KernelSource.of(method, constants), arch, options);
    }

    /** The same for a reference to a method, or a lambda. */
    public static KernelCode compile(KernelMethod kernel, CudaArch arch, CompileOptions options, Object... constants) {
        nonNull(kernel, "compile", "kernel");
        nonNull(arch, "compile", "arch");
        nonNull(options, "compile", "options");
        nonNull(constants, "compile", "constants");
        return compile(KernelSource.of(kernel, constants), arch, options);
    }

    static KernelCode compile(KernelSource source, CudaArch arch, CompileOptions options) {
        DiskCache cache = Toolchain.cache(options);
        TranslationCache remembered = TranslationCache.of(cache, source, arch, options);
        KernelMetadata known = remembered == null ? null : remembered.recall();
        if (known != null) {
            return known(source, known, arch, options, cache);
        }
        Frontend.Result result = read(source, arch, options);
        KernelCode code = translate(source, result, arch, options);
        if (remembered != null) {
            remembered.keep(code.facts, result);
        }
        return code;
    }

    /** Of a kernel that need not be translated. */
    static KernelCode known(
            KernelSource source, KernelMetadata facts, CudaArch arch, CompileOptions options, DiskCache cache) {
        return new KernelCode(
                source.method(),
                facts,
                () -> translate(source, arch, options).translation(),
                new Toolchain(arch, options, cache));
    }

    private static KernelCode translate(KernelSource source, CudaArch arch, CompileOptions options) {
        return translate(source, read(source, arch, options), arch, options);
    }

    private static Frontend.Result read(KernelSource source, CudaArch arch, CompileOptions options) {
        int number = arch.capability().major() * 10 + arch.capability().minor();
        return Frontend.compile(
                source,
                new FrontendOptions(
                        options.checked(),
                        options.checked(),
                        options.lines(),
                        number,
                        options.math(),
                        !arch.suffix().isEmpty()));
    }

    private static KernelCode translate(
            KernelSource source, Frontend.Result result, CudaArch arch, CompileOptions options) {
        List<Parameter> parameters = result.parameters().stream()
                .map(each -> new Parameter(each.name(), each.type(), each.restricted(), each.bound()))
                .toList();
        return of(source.method(), result.program(), parameters, result::written, result.cooperative(), arch, options);
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
        return facts.symbol();
    }

    /** Names of the device units that it calls functions of, which {@link CompileOptions#units} must have. */
    public List<String> units() {
        return facts.units();
    }

    /** The device code that is linked into it. */
    List<DeviceUnit> deviceUnits() {
        return toolchain.units(input());
    }

    /**
     * Whether it calls functions that wait for other blocks or GPUs ({@link DeviceFunction#cooperative}), so that each
     * launch of it is cooperative.
     */
    public boolean cooperative() {
        return facts.cooperative();
    }

    /** Whether it waits for the kernel before it in the stream, as one that is launched {@code dependently} has to. */
    boolean awaitsPrevious() {
        return facts.awaitsPrevious();
    }

    /** Bytes of dynamic shared memory that its own arrays take, before what a launch asks for. */
    int sharedArrays() {
        return facts.sharedArrays();
    }

    /** What a launch passes. */
    List<Parameter> parameters() {
        return facts.parameters();
    }

    /** Checks what launches give. */
    Arguments arguments(Arguments.Reach reach) {
        return new Arguments(
                name(), facts.parameters(), reach, () -> translation().written().get());
    }

    /** Makes of it what the GPU reads. */
    Packing packing() {
        return new Packing(facts.parameters(), facts.memory());
    }

    private Toolchain.Source input() {
        return new Toolchain.Source(
                name(), symbol(), this::nvvm, facts.hash(), facts.functions(), facts.math(), facts.units());
    }

    /** The compiler's own intermediate representation. */
    public String ir() {
        return Printer.print(translation().program());
    }

    /** What libNVVM reads. */
    public String nvvm() {
        return translation().nvvm();
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

    /** Machine code, if the disk cache has it. */
    byte @Nullable [] kept() {
        return toolchain.kept(input());
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
        return Toolchain.attributes(cubin(), symbol(), facts.maxThreads()).withShared(facts.sharedArrays());
    }

    /**
     * Returns the bytes of values that are one of several records, by the name of their sealed interface: a tag of 8
     * bytes, and the bytes of the largest.
     */
    public SortedMap<String, Long> unions() {
        return translation().program().unions();
    }

    @Override
    public String toString() {
        return "KernelCode[" + name() + " for " + arch() + "]";
    }
}
