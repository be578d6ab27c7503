// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.compiler.LibNvJitLink;
import org.comm4j.ffi.compiler.LibNvvm;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CudaArch;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelAttributes;
import org.jspecify.annotations.Nullable;

/** From NVVM IR to machine code for one architecture. */
public final class Toolchain {
    /** Raised when what is made from the same text changes. */
    private static final String VERSION = "comm4j kernel 1";

    private static final int MOST_THREADS = 1024;

    /** Functions that are not NVVM's own. */
    private static final Pattern DECLARED =
            Pattern.compile("^declare .*@(?!llvm\\.|__nv_)([\\w.$]+)\\(", Pattern.MULTILINE);

    private final CudaArch arch;
    private final CompileOptions options;
    private final DiskCache cache;

    /**
     * What is compiled.
     *
     * @param kernel as messages call it
     * @param symbol its name in the module
     * @param nvvm the module
     * @param fast as of the program
     * @param units names of device units that it needs
     */
    public record Source(String kernel, String symbol, String nvvm, boolean fast, List<String> units) {
        public Source {
            units = List.copyOf(units);
        }
    }

    public Toolchain(CudaArch arch, CompileOptions options) {
        this(arch, options, options.cached() ? DiskCache.ofProcess() : new DiskCache(null, 0));
    }

    Toolchain(CudaArch arch, CompileOptions options, DiskCache cache) {
        this.arch = arch;
        this.options = options;
        this.cache = cache;
    }

    /** Why nothing can be compiled in this process; null if it can. */
    public static @Nullable String problem() {
        String nvvm = Nvvm.problem();
        return nvvm != null ? nvvm : JitLink.problem();
    }

    /** A library's version, and what else changes when its file does. */
    static String fingerprint(NativeLibrary library) {
        Path file = library.file();
        if (file == null) {
            return "none";
        }
        try {
            return library.version() + " " + Files.size(file) + " "
                    + Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            return library.version() + " " + file;
        }
    }

    private static final class Versions {
        static final String TEXT =
                VERSION + ", " + fingerprint(LibNvvm.library()) + ", " + fingerprint(LibNvJitLink.library());
    }

    private static List<String> arithmetic(boolean fast) {
        return fast
                ? List.of("-fma=1", "-ftz=1", "-prec-div=0", "-prec-sqrt=0")
                : List.of("-fma=0", "-ftz=0", "-prec-div=1", "-prec-sqrt=1");
    }

    private List<String> nvvmOptions(Source source) {
        List<String> all = new ArrayList<>(List.of("-arch=" + arch.compute(), "-gen-lto", "-opt=3"));
        all.addAll(arithmetic(source.fast()));
        if (options.lines()) {
            all.add("-generate-line-info");
        }
        return all;
    }

    private List<String> linkOptions(Source source) {
        List<String> all = new ArrayList<>(List.of("-arch=" + arch.sm(), "-lto", "-O3"));
        all.addAll(arithmetic(source.fast()));
        if (options.lines()) {
            all.add("-lineinfo");
        }
        if (options.maxRegisters() > 0) {
            all.add("-maxrregcount=" + options.maxRegisters());
        }
        return all;
    }

    /** The device units that it needs, as they were given. */
    public List<DeviceUnit> units(Source source) {
        List<DeviceUnit> found = new ArrayList<>();
        for (String name : source.units()) {
            found.add(options.units().stream()
                    .filter(unit -> unit.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> Failure.of(
                            source.kernel(),
                            "looking for device unit " + name,
                            "it calls functions of that unit, but the compile options have only "
                                    + options.units().stream()
                                            .map(DeviceUnit::name)
                                            .toList(),
                            null)));
        }
        return found;
    }

    /** The same as they are linked. */
    private List<DeviceUnit> linked(Source source) {
        List<DeviceUnit> units = units(source);
        if (units.isEmpty()) {
            return units;
        }
        Set<String> functions = new TreeSet<>();
        DECLARED.matcher(source.nvvm()).results().map(found -> found.group(1)).forEach(functions::add);
        return units.stream().map(unit -> linked(source, unit, functions)).toList();
    }

    private static DeviceUnit linked(Source source, DeviceUnit unit, Set<String> functions) {
        try {
            return unit.forFunctions(functions);
        } catch (UnsupportedOperationException e) {
            throw Failure.of(source.kernel(), "making device unit " + unit.name(), "", e);
        }
    }

    /**
     * Machine code, from the cache or new; looked through for what would fail when it runs.
     *
     * @throws org.comm4j.kernel.KernelCompileException with the log of the library that refuses it
     */
    public byte[] cubin(Source source) {
        require(source);
        List<DeviceUnit> units = linked(source);
        List<byte[]> parts = new ArrayList<>();
        for (String part : List.of(
                "cubin",
                Versions.TEXT,
                nvvmOptions(source).toString(),
                linkOptions(source).toString(),
                source.symbol(),
                source.nvvm())) {
            parts.add(part.getBytes(StandardCharsets.UTF_8));
        }
        units.forEach(unit -> parts.addAll(Units.identity(unit)));
        String key = DiskCache.key(parts);
        byte[] known = cache.get(key);
        if (known != null) {
            return known;
        }
        byte[] made = JitLink.link(source.kernel(), inputs(source, units), linkOptions(source), false);
        check(source, made);
        cache.put(key, made);
        return made;
    }

    /** What the linker makes of it before the machine's code: PTX with everything inlined. */
    public String ptx(Source source) {
        require(source);
        byte[] text = JitLink.link(source.kernel(), inputs(source, linked(source)), linkOptions(source), true);
        return new String(text, StandardCharsets.UTF_8).replaceFirst("\0+$", "");
    }

    private static void require(Source source) {
        String problem = problem();
        if (problem != null) {
            throw Failure.of(source.kernel(), "looking for NVIDIA's compilers", problem, null);
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
        units.forEach(unit -> inputs.add(Units.ready(source.kernel(), unit, arch, cache)));
        return inputs;
    }

    private void check(Source source, byte[] made) {
        Cubin cubin = new Cubin(made);
        if (!cubin.hasKernel(source.symbol())) {
            throw Failure.of(
                    source.kernel(), "looking at what was linked", "it has no kernel " + source.symbol(), null);
        }
        List<String> unresolved = cubin.unresolved();
        if (!unresolved.isEmpty()) {
            throw Failure.of(
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
