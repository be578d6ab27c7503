// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.bind.clang.Clang;
import org.comm4j.bindgen.SymbolTable.Constant;
import org.comm4j.bindgen.SymbolTable.Enumeration;
import org.comm4j.bindgen.SymbolTable.Function;
import org.comm4j.bindgen.SymbolTable.Layout;
import org.comm4j.bindgen.SymbolTable.Struct;
import org.comm4j.test.Natives;

/** Makes the symbol tables from the headers. */
final class Tables {
    /**
     * When functions came, where the headers at hand are not dense enough to tell: NCCL's release notes, NVSHMEM's
     * wheels.
     */
    private static final Map<String, String> SINCE = since();

    private static Map<String, String> since() {
        Map<String, String> since = new LinkedHashMap<>();
        Map.of(
                        "2.29.2",
                        """
                        ncclCommGetUniqueId ncclCommGrow ncclPutSignal ncclSignal ncclWaitSignal ncclWinGetUserPtr
                        ncclCommQueryProperties ncclGetLsaMultimemDevicePointer ncclGetMultimemDevicePointer
                        ncclGetLsaDevicePointer ncclGetPeerDevicePointer
                        """,
                        "2.29.7",
                        "ncclCommSuspend ncclCommResume ncclCommMemStats",
                        "2.30.3",
                        "ncclGinOutboxCreateRequirement ncclGinInboxA2ACreateRequirement",
                        "2.30.4",
                        """
                        ncclParamBind ncclParamGetI8 ncclParamGetI16 ncclParamGetI32 ncclParamGetI64 ncclParamGetU8
                        ncclParamGetU16 ncclParamGetU32 ncclParamGetU64 ncclParamGetStr ncclParamGet ncclParamGetParameter
                        ncclParamGetAllParameterKeys ncclParamDumpAll
                        """,
                        "3.5",
                        "nvshmemx_qp_create",
                        "3.6",
                        "nvshmemx_buffer_register_symmetric_at_preferred_address",
                        "3.7",
                        """
                        nvshmemx_flush nvshmemx_flush_on_stream
                        nvshmemx_half_atomic_add nvshmemx_float_atomic_add nvshmemx_double_atomic_add
                        nvshmemx_half_atomic_fetch_add nvshmemx_float_atomic_fetch_add nvshmemx_double_atomic_fetch_add
                        """,
                        "3.8",
                        """
                        nvshmemx_region_start nvshmemx_region_stop nvshmemx_region_is_active nvshmemx_signal_counted_reset
                        nvshmemx_collective_launch nvshmemx_collective_launch_attr nvshmemx_collective_launch_query_gridsize
                        """)
                .forEach((version, names) -> {
                    for (String name : names.strip().split("\\s+")) {
                        since.put(name, version);
                    }
                });
        return since;
    }

    /** The words for types in the names of NVSHMEM's functions. */
    static final Map<String, String> NVSHMEM_ELEMENTS = elements("""
        bfloat16 __nv_bfloat16; half half; float float; double double;
        char char; schar signed char; short short; int int; long long; longlong long long;
        uchar unsigned char; ushort unsigned short; uint unsigned int; ulong unsigned long; ulonglong unsigned long long;
        int8 int8_t; int16 int16_t; int32 int32_t; int64 int64_t;
        uint8 uint8_t; uint16 uint16_t; uint32 uint32_t; uint64 uint64_t; size size_t; ptrdiff ptrdiff_t
        """);

    /**
     * CUDA's classes around 16 bits, which functions take as elements only, and what the driver's bindings have under
     * another name.
     */
    private static final Set<String> OPAQUE = Set.of("__half", "half", "__nv_bfloat16", "cudaLaunchAttribute");

    private static Map<String, String> elements(String text) {
        Map<String, String> elements = new LinkedHashMap<>();
        for (String each : text.split(";")) {
            String[] words = each.strip().split("\\s+", 2);
            elements.put(words[0], words[1]);
        }
        return elements;
    }

    private Tables() {}

    /** What the headers of a library declare, as far as it is bound. They are where {@code dev/natives} puts them. */
    static SymbolTable read(Library library) {
        return switch (library) {
            case CUDA -> cuda();
            case NCCL -> nccl();
            case NVSHMEM -> nvshmem();
            case OPENSHMEM -> openshmem();
            case NVRTC -> compiler(library, "nvidia-cuda-nvrtc");
            case NVJITLINK -> compiler(library, "nvidia-nvjitlink");
            case NVVM -> compiler(library, "nvidia-nvvm");
            case CUBLAS -> cublas();
            case CUFFT -> cufft();
            case CBLAS -> cblas();
            case MPI -> mpi();
        };
    }

    private static SymbolTable cuda() {
        Library.Source source = Library.CUDA.source();
        Path include = Natives.folder("nvidia-cuda-runtime").resolve("nvidia/cu13/include");
        Clang clang = new Clang(source.language(), List.of(include));
        Headers headers = new Headers(clang, source.text(), source.macroNames());
        Headers allSymbols =
                new Headers(clang, "#define __CUDA_API_VERSION_INTERNAL\n" + source.text(), Pattern.compile("-"));
        String typedefs = read(include.resolve("cudaTypedefs.h"));
        SymbolTable table = new SymbolTable(
                source.name(), List.of(cudaVersion(headers.macros().get("CUDA_VERSION"))));
        for (String name : source.functions().strip().split("\\s+")) {
            String symbol = headers.symbol(name);
            Function function = headers.function(name, symbol, "", false);
            List<String> symbols = sameSignature(allSymbols, function);
            String since = cudaSince(typedefs, name, symbols.size());
            table.functions().add(new Function(name, symbols, since, function.result(), function.parameters(), ""));
        }
        table.constants().addAll(headers.constants());
        headers.addTypes(table, source.alsoTypes(), table.versions().getFirst());
        return table;
    }

    /** The symbol, and older ones of the same name with the very same types for drivers that lack it, newest first. */
    private static List<String> sameSignature(Headers headers, Function function) {
        List<String> symbols = new ArrayList<>(function.symbols());
        Pattern versions = Pattern.compile(Pattern.quote(function.name()) + "(_v\\d+)?");
        new TreeSet<>(headers.functionNames())
                .descendingSet().stream()
                        .filter(name -> versions.matcher(name).matches() && name.compareTo(symbols.getFirst()) < 0)
                        .filter(name ->
                                types(headers.function(name, name, "", false)).equals(types(function)))
                        .forEach(symbols::add);
        return symbols;
    }

    private static List<String> types(Function function) {
        List<String> types = new ArrayList<>(List.of(function.result()));
        function.parameters().forEach(parameter -> types.add(parameter.type()));
        return types;
    }

    /**
     * The CUDA version that brought the oldest of a function's symbols: cudaTypedefs.h has a function-pointer type for
     * each, with the version in its name.
     */
    private static String cudaSince(String typedefs, String name, int symbols) {
        Matcher matcher = Pattern.compile("\\*PFN_" + name + "_v(\\d+)\\)").matcher(typedefs);
        TreeSet<Integer> versions = new TreeSet<>();
        while (matcher.find()) {
            versions.add(Integer.valueOf(matcher.group(1)));
        }
        return versions.descendingSet().stream()
                .limit(symbols)
                .min(Comparator.naturalOrder())
                .map(code -> cudaVersion("" + code))
                .orElse("");
    }

    private static String cudaVersion(String code) {
        int number = Integer.parseInt(code);
        return number / 1000 + "." + number % 1000 / 10;
    }

    private static SymbolTable compiler(Library library, String wheel) {
        Library.Source source = library.source();
        Path folder = Natives.folder(wheel);
        Path cu = folder.resolve("nvidia/cu13");
        Clang clang = new Clang(source.language(), List.of(cu.resolve("include"), cu.resolve("nvvm/include")));
        Headers headers = new Headers(clang, source.text(), source.macroNames());
        SymbolTable table = new SymbolTable(source.name(), List.of(shortVersion(wheel, folder)));
        for (String name : headers.functionNames()) {
            if (name.startsWith(source.prefix())) {
                table.functions().add(headers.function(name, name, "", false));
            }
        }
        table.constants().addAll(headers.constants());
        headers.addTypes(table, source.alsoTypes(), table.versions().getFirst());
        return table;
    }

    /** 13.5 of nvidia-nvvm-13.5.37. */
    private static String shortVersion(String wheel, Path folder) {
        String version = folder.getFileName().toString().substring(wheel.length() + 1);
        String[] parts = version.split("\\.");
        return parts[0] + "." + parts[1];
    }

    /**
     * Under the names of the C interface, and those that the builds of OpenBLAS in wheels and for 64-bit integers have.
     */
    private static SymbolTable cblas() {
        Library.Source source = Library.CBLAS.source();
        Headers headers = new Headers(new Clang(source.language(), List.of()), source.text(), source.macroNames());
        SymbolTable table = new SymbolTable(source.name(), List.of("3"));
        for (String name : source.functions().strip().split("\\s+")) {
            List<String> symbols = new ArrayList<>();
            for (String suffix : List.of("", "64_", "_64")) {
                symbols.add(name + suffix);
                symbols.add("scipy_" + name + suffix);
            }
            Function plain = headers.function(name, name, "", false);
            table.functions().add(new Function(name, symbols, "", plain.result(), plain.parameters(), ""));
        }
        headers.addTypes(table, source.alsoTypes(), table.versions().getFirst());
        return table;
    }

    private static SymbolTable mpi() {
        Library.Source source = Library.MPI.source();
        Headers headers = new Headers(new Clang(source.language(), List.of()), source.text(), source.macroNames());
        SymbolTable table = new SymbolTable(source.name(), List.of("3.1"));
        for (String name : source.functions().strip().split("\\s+")) {
            table.functions().add(headers.function(name, name, "", false));
        }
        return table;
    }

    /** The headers of a library whose headers include the CUDA runtime's. */
    static List<Path> mathIncludes(String wheel) {
        List<Path> includes = new ArrayList<>(ncclIncludes(Natives.NCCL_VERSIONS.getLast()));
        includes.set(0, Natives.folder(wheel).resolve("nvidia/cu13/include"));
        return includes;
    }

    private static SymbolTable cublas() {
        return math(Library.CUBLAS, "nvidia-cublas", Set.of("cuComplex", "cuDoubleComplex"));
    }

    private static SymbolTable cufft() {
        return math(
                Library.CUFFT,
                "nvidia-cufft",
                Set.of("cufftReal", "cufftDoubleReal", "cufftComplex", "cufftDoubleComplex"));
    }

    private static SymbolTable math(Library library, String wheel, Set<String> elements) {
        Library.Source source = library.source();
        Headers headers =
                new Headers(new Clang(source.language(), mathIncludes(wheel)), source.text(), source.macroNames());
        String version = shortVersion(wheel, Natives.folder(wheel));
        SymbolTable table = new SymbolTable(source.name(), List.of(version));
        for (String name : source.functions().strip().split("\\s+")) {
            table.functions().add(headers.function(name, headers.symbol(name), "", false));
        }
        headers.addTypes(table, source.alsoTypes(), version, elements);
        return table;
    }

    /** NCCL's headers include the CUDA runtime's, and those CUDA's C++ library. */
    static List<Path> ncclIncludes(String version) {
        Path cccl = Natives.folder("nvidia-cuda-cccl").resolve("nvidia/cu13/include");
        return List.of(
                Natives.folder("nvidia-nccl-cu13-" + version).resolve("nvidia/nccl/include"),
                Natives.folder("nvidia-cuda-runtime").resolve("nvidia/cu13/include"),
                Natives.folder("nvidia-cuda-crt").resolve("nvidia/cu13/include"),
                cccl.resolve("cccl"),
                cccl);
    }

    private static SymbolTable nccl() {
        List<SymbolTable> tables =
                Natives.NCCL_VERSIONS.stream().map(Tables::nccl).toList();
        return merge(
                tables.stream().map(table -> renamed(table, tables.getLast())).toList());
    }

    /** An older table with the newest one's names for structs: some got a typedef only later. */
    private static SymbolTable renamed(SymbolTable older, SymbolTable newest) {
        Set<String> names = new LinkedHashSet<>();
        newest.structs().forEach(struct -> names.add(struct.name()));
        String text = TableText.write(older);
        for (Struct struct : older.structs()) {
            if (!names.contains(struct.name()) && names.contains(struct.name() + "_t")) {
                text = text.replaceAll("\\b" + struct.name() + "\\b", struct.name() + "_t");
            }
        }
        return TableText.read(text);
    }

    private static SymbolTable nccl(String version) {
        Library.Source source = Library.NCCL.source();
        Clang clang = new Clang(source.language(), ncclIncludes(version));
        Headers headers = new Headers(clang, source.text(), source.macroNames());
        SymbolTable table = new SymbolTable(source.name(), List.of(version));
        for (String name : headers.functionNames()) {
            if (name.matches("nccl[A-Z]\\w*") && !headers.isDefined(name) && !Library.NOT_EXPORTED.containsKey(name)) {
                table.functions().add(headers.function(name, name, "", true));
            }
        }
        table.constants().addAll(headers.constants());
        headers.addTypes(table, source.alsoTypes(), version);
        return table;
    }

    /** NVSHMEM's own headers, and those of the CUDA runtime. */
    static List<Path> nvshmemIncludes(String version) {
        List<Path> includes = new ArrayList<>(ncclIncludes(Natives.NCCL_VERSIONS.getLast()));
        includes.set(0, Natives.folder("nvidia-nvshmem-cu13-" + version).resolve("nvidia/nvshmem/include"));
        return includes;
    }

    private static SymbolTable nvshmem() {
        SymbolTable merged =
                merge(Natives.NVSHMEM_VERSIONS.stream().map(Tables::nvshmem).toList());
        new Families(NVSHMEM_ELEMENTS).collect(merged);
        return merged;
    }

    private static SymbolTable nvshmem(String version) {
        Library.Source source = Library.NVSHMEM.source();
        Headers headers =
                new Headers(new Clang(source.language(), nvshmemIncludes(version)), source.text(), source.macroNames());
        SymbolTable table = new SymbolTable(source.name(), List.of(version));
        for (String name : headers.functionNames()) {
            if (name.matches("nvshmemx?_[a-z]\\w*")
                    && !headers.isDefined(name)
                    && !Nvshmem.NOT_ON_HOST.matcher(name).matches()) {
                table.functions().add(headers.function(name, name, "", false));
            }
        }
        table.functions().sort(Comparator.comparing(Function::name));
        table.constants().addAll(headers.constants());
        headers.addTypes(table, source.alsoTypes(), version, OPAQUE);
        return table;
    }

    /** Where the package libopenmpi-dev puts its headers. */
    static Optional<Path> openshmemInclude() {
        try (Stream<Path> folders = Files.list(Path.of("/usr/lib"))) {
            return folders.map(folder -> folder.resolve("openmpi/include"))
                    .filter(folder -> Files.exists(folder.resolve("shmem.h")))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SymbolTable openshmem() {
        Library.Source source = Library.OPENSHMEM.source();
        Path include = openshmemInclude()
                .orElseThrow(() -> new IllegalStateException(
                        "no shmem.h of Open MPI below /usr/lib; dev/oshmem installs it (package libopenmpi-dev)"));
        Headers headers =
                new Headers(new Clang(source.language(), List.of(include)), source.text(), source.macroNames());
        Map<String, String> macros = headers.macros();
        SymbolTable table = new SymbolTable(
                source.name(),
                List.of(macros.get("SHMEM_MAJOR_VERSION").strip() + "."
                        + macros.get("SHMEM_MINOR_VERSION").strip()));
        for (String name : source.functions().strip().split("\\s+")) {
            table.functions().add(headers.function(name, name, "", false));
        }
        table.constants().addAll(headers.constants());
        headers.addTypes(table, source.alsoTypes(), table.versions().getFirst());
        return table;
    }

    /** The newest table, in which each thing says since when it is there; a struct has all layouts that it ever had. */
    static SymbolTable merge(List<SymbolTable> tables) {
        SymbolTable newest = tables.getLast();
        SymbolTable merged = new SymbolTable(
                newest.library(),
                tables.stream().map(table -> table.versions().getFirst()).toList());
        merged.handles().addAll(newest.handles());
        merged.aliases().putAll(newest.aliases());
        merged.callbacks().putAll(newest.callbacks());
        for (Enumeration each : newest.enums()) {
            merged.enums().add(new Enumeration(each.name(), since(tables, each.constants())));
        }
        merged.constants().addAll(since(tables, newest.constants()));
        for (Struct struct : newest.structs()) {
            merged.structs().add(new Struct(struct.name(), layouts(tables, struct.name())));
        }
        for (Function f : newest.functions()) {
            String first = firstWith(
                    tables,
                    table -> table.functions().stream().anyMatch(g -> g.name().equals(f.name())));
            String since =
                    SINCE.getOrDefault(f.name(), first.equals(merged.versions().getFirst()) ? "" : first);
            merged.functions()
                    .add(new Function(f.name(), f.symbols(), since, f.result(), f.parameters(), f.documentation()));
        }
        return merged;
    }

    private static String firstWith(List<SymbolTable> tables, Predicate<SymbolTable> has) {
        return tables.stream()
                .filter(has)
                .map(table -> table.versions().getFirst())
                .findFirst()
                .orElseThrow();
    }

    private static List<Constant> since(List<SymbolTable> tables, List<Constant> constants) {
        String oldest = tables.getFirst().versions().getFirst();
        return constants.stream()
                .map(constant -> {
                    String first =
                            firstWith(tables, table -> constantNames(table).contains(constant.name()));
                    return new Constant(constant.name(), constant.value(), first.equals(oldest) ? "" : first);
                })
                .toList();
    }

    private static Set<String> constantNames(SymbolTable table) {
        Set<String> names = new LinkedHashSet<>();
        table.constants().forEach(constant -> names.add(constant.name()));
        table.enums().forEach(each -> each.constants().forEach(constant -> names.add(constant.name())));
        return names;
    }

    private static List<Layout> layouts(List<SymbolTable> tables, String struct) {
        List<Layout> layouts = new ArrayList<>();
        for (SymbolTable table : tables) {
            for (Struct each : table.structs()) {
                Layout layout = each.newest();
                if (each.name().equals(struct)
                        && (layouts.isEmpty() || !layouts.getLast().fields().equals(layout.fields()))) {
                    layouts.add(layout);
                }
            }
        }
        return layouts;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
