// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.comm4j.bindgen.CTypes.Aggregate;
import org.comm4j.bindgen.CTypes.DataPointer;
import org.comm4j.bindgen.CTypes.Handle;
import org.comm4j.bindgen.CTypes.Kind;
import org.comm4j.bindgen.CTypes.Nothing;
import org.comm4j.bindgen.CTypes.Pointer;
import org.comm4j.bindgen.CTypes.Value;

/** From C's names and types to Java's. */
final class JavaNames {
    static final String LICENCE = """
        // Copyright the comm4j authors.
        // SPDX-License-Identifier: Apache-2.0

        """;

    /** Handles that go by another library's type. */
    private static final Map<String, String> FOREIGN = Map.of(
            "cudaStream_t", "CUstream", "cudaEvent_t", "CUevent", "CUmodule", "CUmodule", "CUlibrary", "CUlibrary");

    private static final String CUDA_PACKAGE = "org.comm4j.ffi.cuda";

    static final String HANDLE_PACKAGE = "org.comm4j.ffi.handle";

    /** Libraries whose handles are in the API of comm4j's modules: these have a package without functions. */
    private static final Set<String> PUBLIC_HANDLES = Set.of(CUDA_PACKAGE, "org.comm4j.ffi.nccl");

    private static final Set<String> RESERVED = Set.of("default", "native", "package", "new", "class", "final", "this");

    private JavaNames() {}

    /** Whether a handle's class is that of the CUDA driver's package, seen from another one. */
    static boolean isForeign(String handle, String packageName) {
        return FOREIGN.containsKey(handle) && !packageName.equals(CUDA_PACKAGE);
    }

    /** The package of a library's own handles. */
    static String packageOfHandles(String packageName) {
        return PUBLIC_HANDLES.contains(packageName) ? HANDLE_PACKAGE : packageName;
    }

    /** The package of a handle's class, seen from a library's package. */
    static String packageOf(String handle, String packageName) {
        return packageOfHandles(isForeign(handle, packageName) ? CUDA_PACKAGE : packageName);
    }

    /** The class of a C type: {@code ncclConfig_t} is NcclConfig. */
    static String ofClass(String c) {
        String name = FOREIGN.getOrDefault(c, c.endsWith("_t") ? c.substring(0, c.length() - 2) : c);
        return Character.toUpperCase(name.charAt(0))
                + (name.contains("shmem") ? camelCase(name.substring(1)) : name.substring(1));
    }

    private static String camelCase(String name) {
        return Pattern.compile("_(\\w)")
                .matcher(name)
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    /** The class of a struct's layout that later versions did not keep. */
    static String ofClass(String struct, String version) {
        return ofClass(struct) + "V" + version.replace('.', '_');
    }

    /** A parameter or field, which may have a name that Java reserves. */
    static String ofVariable(String c) {
        return RESERVED.contains(c) ? c + "_" : c;
    }

    static String ofType(Kind kind) {
        return switch (kind) {
            case Nothing() -> "void";
            case Value value -> value.java();
            case DataPointer() -> "long";
            case Pointer(), Aggregate _ -> "MemorySegment";
            case Handle handle -> ofClass(handle.name());
        };
    }

    /** C as people write it, with asterisks at the name. */
    static String asWritten(String c) {
        return c.replace("* ", "*").replace("*const*", "*const *");
    }
}
