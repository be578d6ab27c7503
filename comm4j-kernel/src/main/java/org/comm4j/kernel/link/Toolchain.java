// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.compiler.LibNvJitLink;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.disk.Sha256;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;

/** From NVVM IR to machine code for one architecture. */
public final class Toolchain {
    /** Raised when what is made from the same text changes. */
    private static final String VERSION = "comm4j kernel 2";

    private static final int MOST_THREADS = 1024;

    /** Functions that are not NVVM's own. */
    private static final class Declared {
        static final Pattern LINE = Pattern.compile("^declare .*@(?!llvm\\.|__nv_)([\\w.$]+)\\(", Pattern.MULTILINE);
    }

    private final CudaArch arch;
    private final CompileOptions options;
    private final DiskCache cache;

    /**
     * What is compiled.
     *
     * @param kernel as messages call it
     * @param symbol its name in the module
     * @param text the module, if it is not in the cache what it becomes
     * @param hash of the module
     * @param functions outside of it that it calls, but for NVVM's own
     * @param math as of the program
     * @param units names of device units that it needs
     */
    public record Source(
            String kernel,
            String symbol,
            Supplier<String> text,
            String hash,
            Set<String> functions,
            Kernel.Math math,
            List<String> units) {
        public Source {
            functions = new TreeSet<>(functions);
            units = List.copyOf(units);
        }

        /** Of a module that is there. */
        public Source(String kernel, String symbol, String nvvm, Kernel.Math math, List<String> units) {
            this(kernel, symbol, () -> nvvm, Toolchain.hash(nvvm), Toolchain.functions(nvvm), math, units);
        }

        String nvvm() {
            return text.get();
        }
    }

    public Toolchain(CudaArch arch, CompileOptions options) {
        this(arch, options, cache(options));
    }

    public Toolchain(CudaArch arch, CompileOptions options, DiskCache cache) {
        this.arch = arch;
        this.options = options;
        this.cache = cache;
    }

    /** Why nothing can be compiled in this process; null if it can. */
    public static @Nullable String problem() {
        String nvvm = Nvvm.problem();
        return nvvm != null ? nvvm : JitLink.problem();
    }

    /** What a module is known by. */
    public static String hash(String nvvm) {
        return Sha256.hex(nvvm.getBytes(StandardCharsets.UTF_8));
    }

    /** The functions that a module only declares, but for NVVM's own. */
    public static Set<String> functions(String nvvm) {
        Set<String> functions = new TreeSet<>();
        Declared.LINE.matcher(nvvm).results().map(found -> found.group(1)).forEach(functions::add);
        return functions;
    }

    /** Where finished code is kept. */
    public static DiskCache cache(CompileOptions options) {
        return options.cached() ? DiskCache.ofProcess() : DiskCache.none();
    }

    private static List<String> arithmetic(Kernel.Math math) {
        if (math == Kernel.Math.FAST) {
            return List.of("-fma=1", "-ftz=1", "-prec-div=0", "-prec-sqrt=0");
        }
        String fused = math == Kernel.Math.CUDA ? "-fma=1" : "-fma=0";
        return List.of(fused, "-ftz=0", "-prec-div=1", "-prec-sqrt=1");
    }

    private List<String> nvvmOptions(Source source) {
        List<String> all = new ArrayList<>(List.of("-arch=".concat(arch.compute()), "-gen-lto", "-opt=3"));
        all.addAll(arithmetic(source.math()));
        if (options.lines()) {
            all.add("-generate-line-info");
        }
        return all;
    }

    private List<String> linkOptions(Source source, List<DeviceUnit> units) {
        List<String> all = new ArrayList<>(List.of("-arch=".concat(arch.sm()), "-lto", "-O3"));
        all.addAll(arithmetic(source.math()));
        if (options.lines()) {
            all.add("-lineinfo");
        }
        if (options.maxRegisters() > 0) {
            all.add("-maxrregcount=" + options.maxRegisters());
        }
        List<String> variables = new ArrayList<>();
        for (DeviceUnit unit : units) {
            List<String> ofUnit = unit.hostVariables();
            if (ofUnit == null) {
                return all;
            }
            variables.addAll(ofUnit);
        }
        if (!variables.isEmpty()) {
            all.add("-variables-used=".concat(String.join(",", variables)));
        }
        return all;
    }

    /** The device units that it needs, as they were given. */
    public List<DeviceUnit> units(Source source) {
        List<DeviceUnit> found = new ArrayList<>();
        for (String name : source.units()) {
            add(unit(source, name), found);
        }
        return found;
    }

    /** Adds a unit and those that define its functions, each once. */
    private static void add(DeviceUnit unit, List<DeviceUnit> found) {
        for (DeviceUnit other : found) {
            if (other.name().equals(unit.name())) {
                return;
            }
        }
        found.add(unit);
        for (DeviceUnit definitions : unit.definitions()) {
            add(definitions, found);
        }
    }

    private DeviceUnit unit(Source source, String name) {
        for (DeviceUnit unit : options.units()) {
            if (unit.name().equals(name)) {
                return unit;
            }
        }
        throw CompilerLog.of(
                source.kernel(),
                "looking for device unit " + name,
                "it calls functions of that unit, but the compile options have only "
                        + options.units().stream().map(DeviceUnit::name).toList(),
                null);
    }

    private String key(Source source, List<DeviceUnit> units, ToolVersions versions) {
        List<byte[]> parts = new ArrayList<>();
        for (String part : List.of(
                VERSION,
                versions.of(LibraryName.NVVM),
                versions.of(LibraryName.NVJITLINK),
                nvvmOptions(source).toString(),
                linkOptions(source, units).toString(),
                source.symbol(),
                source.hash())) {
            parts.add(part.getBytes(StandardCharsets.UTF_8));
        }
        for (DeviceUnit unit : units) {
            try {
                parts.addAll(Units.identity(unit, source.functions(), versions));
            } catch (UnsupportedOperationException e) {
                throw notMade(source, unit, e);
            }
        }
        return DiskCache.key(parts);
    }

    private static List<DeviceUnit> made(Source source, DeviceUnit unit) {
        try {
            return unit.forFunctions(source.functions());
        } catch (UnsupportedOperationException e) {
            throw notMade(source, unit, e);
        }
    }

    /** A library that is too old for what the kernel calls. */
    private static RuntimeException notMade(Source source, DeviceUnit unit, UnsupportedOperationException e) {
        return CompilerLog.of(source.kernel(), "making device unit " + unit.name(), "", e);
    }

    /** Machine code, if the cache has it. */
    public byte @Nullable [] kept(Source source) {
        return cache.get(key(source, units(source), ToolVersions.kept(cache)));
    }

    /**
     * Machine code, from the cache or new; looked through for what would fail when it runs. NVIDIA's compilers are
     * loaded only if something has to be compiled.
     *
     * @throws org.comm4j.kernel.KernelCompileException with the log of the library that refuses it
     */
    public byte[] cubin(Source source) {
        List<DeviceUnit> units = units(source);
        String kept = key(source, units, ToolVersions.kept(cache));
        byte[] known = cache.get(kept);
        if (known != null) {
            return known;
        }
        require(source);
        String key = key(source, units, ToolVersions.loaded(cache));
        known = key.equals(kept) ? null : cache.get(key);
        if (known != null) {
            return known;
        }
        byte[] made = JitLink.link(source.kernel(), inputs(source, units), linkOptions(source, units), false);
        check(source, made);
        cache.put(key, made);
        return made;
    }

    /** What the linker makes of it before the machine's code: PTX with everything inlined. */
    public String ptx(Source source) {
        require(source);
        List<DeviceUnit> units = units(source);
        byte[] text = JitLink.link(source.kernel(), inputs(source, units), linkOptions(source, units), true);
        return new String(text, StandardCharsets.UTF_8).replaceFirst("\0+$", "");
    }

    private static void require(Source source) {
        String problem = problem();
        if (problem != null) {
            throw CompilerLog.of(source.kernel(), "looking for NVIDIA's compilers", problem, null);
        }
    }

    private List<JitLink.Input> inputs(Source source, List<DeviceUnit> units) {
        List<JitLink.Input> inputs = new ArrayList<>();
        byte[] module = Nvvm.compile(
                source.kernel(),
                source.nvvm(),
                nvvmOptions(source),
                source.nvvm().contains(" @__nv_"));
        inputs.add(new JitLink.Input(source.symbol(), LibNvJitLink.NVJITLINK_INPUT_LTOIR, module));
        for (DeviceUnit unit : units) {
            for (DeviceUnit made : made(source, unit)) {
                inputs.add(Units.ready(source.kernel(), made, arch, cache));
            }
        }
        return inputs;
    }

    private void check(Source source, byte[] made) {
        Cubin cubin = new Cubin(made);
        if (!cubin.hasKernel(source.symbol())) {
            throw CompilerLog.of(
                    source.kernel(), "looking at what was linked", "it has no kernel " + source.symbol(), null);
        }
        List<String> unresolved = cubin.unresolved();
        if (!unresolved.isEmpty()) {
            throw CompilerLog.of(
                    source.kernel(),
                    "linking",
                    "nothing that was linked has " + String.join(", ", unresolved)
                            + "; add the device unit that defines it to the compile options"
                            + (source.units().isEmpty() ? "" : " (linked: " + String.join(", ", source.units()) + ")"),
                    null);
        }
    }

    /** What a kernel uses, as its code says. */
    public static KernelAttributes attributes(byte[] cubin, String symbol, int maxThreads) {
        Cubin code = new Cubin(cubin);
        return new KernelAttributes(
                code.registers(symbol),
                code.sharedBytes(symbol),
                code.localBytes(symbol),
                maxThreads > 0 ? maxThreads : MOST_THREADS);
    }

    public CudaArch arch() {
        return arch;
    }
}
