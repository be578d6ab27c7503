// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.comm4j.bind.clang.CudaSource;
import org.comm4j.bind.clang.Node;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Function;
import org.comm4j.test.Natives;

/** NVSHMEM's functions for kernels: what its headers define for GPUs. */
final class NvshmemDevice {
    static final String TABLE = "nvshmem-device.txt";

    /** As kernels of comm4j include them (NvshmemUnit of comm4j-device). */
    private static final String TEXT = """
        #include "non_abi/nvshmem_build_options.h"
        #undef NVSHMEM_IBGDA_SUPPORT
        #undef NVSHMEM_GPUNETIO_SUPPORT
        #ifndef NVSHMEM_ENABLE_ALL_DEVICE_INLINING
        #define NVSHMEM_ENABLE_ALL_DEVICE_INLINING
        #endif
        #include "device/nvshmem_defines.h"
        #include "device/nvshmemx_defines.h"
        #include "device/nvshmem_coll_defines.cuh"
        #include "device/nvshmemx_coll_defines.cuh"
        """;

    /** The first versions that have them: what the wheels between those at hand say. */
    private static final Map<String, String> SINCE = Map.of(
            "nvshmemx_qp_\\w+", "3.5",
            "nvshmemx_(half|float|double)_atomic_(fetch_)?add|nvshmemx_flush(_\\w+)?", "3.7");

    private NvshmemDevice() {}

    /** What the headers of all versions have. They are where {@code dev/natives} puts them. */
    static SymbolTable read() {
        List<SymbolTable> tables =
                Natives.NVSHMEM_VERSIONS.stream().map(NvshmemDevice::read).toList();
        SymbolTable merged = Tables.merge(tables);
        tables.forEach(older -> requireSameTypes(older, merged));
        merged.functions().replaceAll(NvshmemDevice::withSince);
        new Families(Tables.NVSHMEM_ELEMENTS).collect(merged);
        return merged;
    }

    /** A kernel has one declaration for all versions. */
    private static void requireSameTypes(SymbolTable older, SymbolTable newest) {
        Map<String, String> types = new TreeMap<>();
        newest.functions().forEach(f -> types.put(f.name(), Families.types(f).toString()));
        for (Function f : older.functions()) {
            String now = types.getOrDefault(f.name(), "");
            if (!now.isEmpty() && !now.equals(Families.types(f).toString())) {
                throw new IllegalStateException(
                        TableText.prototype(f) + " of " + older.versions() + " has other types now: " + now);
            }
        }
    }

    private static SymbolTable read(String version) {
        CudaSource source = new CudaSource(Tables.nvshmemIncludes(version), List.of());
        Map<String, Function> functions = new TreeMap<>();
        try {
            for (String prefix : List.of("nvshmem_", "nvshmemx_")) {
                for (Node node : source.named(prefix, TEXT)) {
                    if (node.kind().equals("FunctionDecl")
                            && node.name().startsWith(prefix)
                            && has(node, "CompoundStmt")
                            && has(node, "CUDADeviceAttr")) {
                        functions.putIfAbsent(node.name(), function(node));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SymbolTable table = new SymbolTable("NVSHMEM's device code", List.of(version));
        table.functions().addAll(functions.values());
        return table;
    }

    private static boolean has(Node node, String kind) {
        return node.inner().stream().anyMatch(child -> child.kind().equals(kind));
    }

    private static Function function(Node node) {
        if (node.text("isInvalid").equals("true")) {
            throw new IllegalStateException("clang does not understand the declaration of " + node.name());
        }
        List<Declaration> parameters = new ArrayList<>();
        for (Node child : node.inner()) {
            if (child.kind().equals("ParmVarDecl")) {
                parameters.add(new Declaration(Headers.tidy(child.type()), child.name()));
            }
        }
        String result = node.type().substring(0, node.type().indexOf('(')).strip();
        return new Function(node.name(), List.of(node.name()), "", Headers.tidy(result), parameters, "");
    }

    private static Function withSince(Function f) {
        return SINCE.entrySet().stream()
                .filter(each -> f.name().matches(each.getKey()))
                .findFirst()
                .map(each -> new Function(
                        f.name(), f.symbols(), each.getValue(), f.result(), f.parameters(), f.documentation()))
                .orElse(f);
    }
}
