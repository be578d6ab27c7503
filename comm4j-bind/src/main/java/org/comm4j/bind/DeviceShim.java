// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.bind.DeviceBinding.Argument;
import org.comm4j.bind.DeviceBinding.How;
import org.comm4j.bind.DeviceBinding.Result;
import org.comm4j.bind.DeviceBinding.Return;
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.Role;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Field;
import org.comm4j.bind.DeviceType.Impossible;
import org.comm4j.bind.DeviceType.Leaf;
import org.comm4j.bind.DeviceType.Nothing;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.bind.DeviceType.Structure;
import org.comm4j.bind.clang.Node;

/**
 * The CUDA C++ with a wrapper for each function: what Java's declarations call. It checks, when it is compiled, that
 * layouts are as Java has them.
 */
final class DeviceShim {
    private static final String HELPERS = """
        template <class T> static __forceinline__ __device__ void comm4j_put(void* at, T value) {
            memcpy(at, &value, sizeof(T));
        }
        template <class T> static __forceinline__ __device__ T comm4j_get(const void* at) {
            T value;
            memcpy(&value, at, sizeof(T));
            return value;
        }
        static __forceinline__ __device__ long long comm4j_bits(int value) {
            return value;
        }
        static __forceinline__ __device__ long long comm4j_bits(long long value) {
            return value;
        }
        static __forceinline__ __device__ long long comm4j_bits(float value) {
            return __float_as_int(value);
        }
        static __forceinline__ __device__ long long comm4j_bits(double value) {
            return __double_as_longlong(value);
        }
        """;

    private DeviceShim() {}

    static String write(
            DeviceConfig config,
            String provenance,
            List<DeviceBinding> bindings,
            Collection<Struct> structs,
            Collection<Enumeration> enums) {
        StringBuilder text = new StringBuilder();
        provenance.lines().forEach(line -> text.append(("// " + line).strip()).append('\n'));
        text.append('\n');
        config.defines.forEach(define ->
                text.append("#define ").append(define.replaceFirst("=", " ")).append('\n'));
        config.headers.forEach(header -> text.append("#include ")
                .append(header.matches("[<\"].*") ? header : "\"" + header + "\"")
                .append('\n'));
        // Helpers that no wrapper needs, and types that are going to be replaced, are no reason for warnings.
        text.append("\n#pragma nv_diag_suppress 177, 1444\n");
        text.append('\n').append(HELPERS).append('\n');
        structs.forEach(struct -> assertLayout(struct, text));
        enums.forEach(enumeration -> enumeration.enumerators().forEach(each -> {
            String cpp = "::" + enumeration.name();
            text.append("static_assert((")
                    .append(DeviceType.underlying(new Enumerated(enumeration)).cpp())
                    .append(") ");
            text.append(cpp)
                    .append("::")
                    .append(each.name())
                    .append(" == (")
                    .append(DeviceType.underlying(new Enumerated(enumeration)).cpp());
            text.append(") ")
                    .append(each.value())
                    .append("ll, \"")
                    .append(each.name())
                    .append("\");\n");
        }));
        bindings.forEach(binding -> text.append('\n').append(wrapper(binding)));
        return text.toString();
    }

    /** Uses of the macros, each on a line, with the values that the header was tried with. */
    static String tried(List<DeviceBinding> bindings) {
        StringBuilder text = new StringBuilder("\n");
        for (DeviceBinding binding : bindings) {
            Gaps gaps = binding.callable().gaps();
            if (gaps != null) {
                text.append(gaps.tried(binding.symbol())).append('\n');
            }
        }
        return text.toString();
    }

    private static void assertLayout(Struct struct, StringBuilder text) {
        String cpp = "::" + struct.cpp();
        text.append("static_assert(sizeof(").append(cpp).append(") == ").append(struct.bytes());
        text.append(" && alignof(").append(cpp).append(") == ").append(struct.alignment());
        text.append(", \"").append(struct.cpp()).append(": size\");\n");
        if (DeviceNames.isKnown(struct)) {
            return;
        }
        for (Field field : struct.fields()) {
            if (isPublic(struct, field.name())) {
                // What offsetof is to EDG's compilers: NVRTC before 13.5 has no __builtin_offsetof.
                text.append("static_assert(__INTADDR__(&((")
                        .append(cpp)
                        .append("*)0)->")
                        .append(field.name());
                text.append(") == ").append(field.offset());
                text.append(", \"")
                        .append(struct.cpp())
                        .append("::")
                        .append(field.name())
                        .append("\");\n");
            }
        }
    }

    private static boolean isPublic(Struct struct, String field) {
        boolean open = !struct.aggregate().node().text("tagUsed").equals("class");
        for (Node node : struct.aggregate().node().inner()) {
            if (node.kind().equals("AccessSpecDecl")) {
                open = node.text("access").equals("public");
            } else if (node.kind().equals("FieldDecl") && node.name().equals(field)) {
                return open;
            }
        }
        return false;
    }

    private static String carrier(Numeric number) {
        return number.carrier().equals("long") ? "long long" : number.carrier();
    }

    private static String wrapper(DeviceBinding binding) {
        List<String> parameters = new ArrayList<>();
        List<String> body = new ArrayList<>();
        List<String> passed = new ArrayList<>();
        if (binding.returning() == Return.SLOTS) {
            parameters.add("long long* results");
        }
        for (int i = 0; i < binding.arguments().size(); i++) {
            argument(binding.arguments().get(i), i, parameters, body, passed);
        }
        String call = call(binding, passed);
        Gaps gaps = binding.callable().gaps();
        if (binding.callable().role() == Role.COLLECTIVE && gaps != null) {
            body.addAll(0, storage(gaps));
        }
        String result;
        if (binding.isPointerResult()) {
            boolean pointer =
                    binding.results().getFirst().value() instanceof Reference reference && reference.pointer();
            body.add("return (void*) " + (pointer ? "" : "&") + "(" + call + ");");
            result = "void*";
        } else {
            result = results(binding, call, body);
        }
        String text = "extern \"C\" __device__ " + result + " " + (gaps == null ? binding.symbol() : "NAME") + "("
                + String.join(", ", parameters) + ") {\n"
                + body.stream().map(line -> "    " + line + "\n").collect(Collectors.joining())
                + "}\n";
        return "// " + binding.callable().qualified() + ": "
                + binding.callable().type() + "\n"
                + (gaps == null
                        ? text
                        : ("#define " + binding.symbol() + "(NAME" + gaps.parameters() + ")\n" + text)
                                        .stripTrailing()
                                        .replace("\n", " \\\n")
                                + "\n");
    }

    /**
     * The object's memory. It is the wrapper's own, and threads that still use it from the last call are waited for. A
     * class for warps has one object in each (logical) warp.
     */
    private static List<String> storage(Gaps gaps) {
        List<String> lines = new ArrayList<>(List.of("using Collective = " + gaps.cpp() + ";"));
        if (!gaps.template().matches(".*::Warp\\w*")) {
            lines.add("__shared__ typename Collective::TempStorage storage;");
            lines.add("__syncthreads();");
            return lines;
        }
        String threads = "32";
        for (int i = 0; i < gaps.values().size(); i++) {
            if (gaps.values().get(i).name().replace("_", "").equalsIgnoreCase("LogicalWarpThreads")) {
                threads = "(V" + i + ")";
            }
        }
        lines.add("constexpr int threads = " + threads + ";");
        lines.add("constexpr int stride = (threads & threads - 1) == 0 ? threads : 32;");
        lines.add("const int rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;");
        lines.add("__shared__ typename Collective::TempStorage storages[1024 / stride];");
        lines.add("typename Collective::TempStorage& storage = storages[rank / stride];");
        lines.add("__syncwarp((0xffffffffu >> (32 - threads)) << (rank % 32 / stride * stride));");
        return lines;
    }

    private static void argument(
            Argument argument, int i, List<String> parameters, List<String> body, List<String> passed) {
        if (argument.how() == How.POINTER) {
            Reference reference = (Reference) argument.declared();
            parameters.add("void* a" + i);
            passed.add((reference.pointer() ? "" : "*") + "((" + reference.cpp() + "*) a" + i + ")");
            return;
        }
        String type = cpp(argument.value());
        String value = "v" + i;
        List<Leaf> leaves = DeviceType.leaves(argument.value());
        if (argument.value() instanceof Structure structure) {
            body.add("alignas(" + type + ") unsigned char s" + i + "["
                    + structure.of().bytes() + "];");
            body.add(type + "& " + value + " = *(" + type + "*) s" + i + ";");
            for (int j = 0; j < leaves.size() && argument.how() == How.VALUE; j++) {
                Numeric number = leaves.get(j).number();
                parameters.add(carrier(number) + " a" + i + "_" + j);
                body.add("comm4j_put(s" + i + " + " + leaves.get(j).offset() + ", "
                        + converted(number, "a" + i + "_" + j) + ");");
            }
        } else if (argument.how() == How.VALUE) {
            Numeric number = leaves.getFirst().number();
            parameters.add(carrier(number) + " a" + i);
            boolean truth = number.java().equals("boolean");
            body.add(type + " " + value + " = " + (truth ? converted(number, "a" + i) : "(" + type + ") a" + i) + ";");
        } else {
            body.add(type + " " + value + " = {};");
        }
        passed.add(passing(argument, value));
    }

    private static String converted(Numeric number, String value) {
        return number.java().equals("boolean") ? value + " != 0" : "(" + number.cpp() + ") " + value;
    }

    /** A copy's name or address, of the exact type, so that no other overload is meant. */
    private static String passing(Argument argument, String value) {
        return switch (argument.declared()) {
            case Reference reference when reference.pointer() -> "(" + reference.cpp() + "*) &" + value;
            case Reference reference when reference.temporary() -> "(" + reference.cpp() + "&&) " + value;
            case Reference reference -> "(" + reference.cpp() + "&) " + value;
            default -> value;
        };
    }

    private static String call(DeviceBinding binding, List<String> passed) {
        DeviceHeader.Callable callable = binding.callable();
        return switch (callable.role()) {
            case FRIEND -> callable.call() + "(" + String.join(", ", passed) + ")";
            case FREE, STATIC ->
                (callable.gaps() == null ? "::" + callable.scope() : "") + callable.call() + "("
                        + String.join(", ", passed) + ")";
            case COLLECTIVE -> "Collective(storage)." + callable.call() + "(" + String.join(", ", passed) + ")";
            case CONSTRUCTOR -> "::" + callable.owner() + "(" + String.join(", ", passed) + ")";
            case METHOD ->
                "(" + passed.getFirst() + ")." + callable.call() + "("
                        + String.join(", ", passed.subList(1, passed.size())) + ")";
            case CONVERSION ->
                "(" + passed.getFirst() + ").operator "
                        + cpp(binding.results().getFirst().value()).replaceFirst("^::", "") + "()";
        };
    }

    /** The statements that give the results back; returns the wrapper's result type. */
    private static String results(DeviceBinding binding, String call, List<String> body) {
        List<String> leaves = new ArrayList<>();
        List<Numeric> numbers = new ArrayList<>();
        boolean first = true;
        for (Result result : binding.results()) {
            boolean ofCall = first && !isReturnArgument(binding, result.name());
            String name = "r";
            if (ofCall) {
                body.add(cpp(result.value()) + " r = " + call + ";");
            } else {
                if (first) {
                    body.add(call + ";");
                }
                name = "v" + indexOf(binding, result.name());
            }
            first = false;
            for (Leaf leaf : DeviceType.leaves(result.value())) {
                boolean struct = result.value() instanceof Structure;
                leaves.add(
                        struct
                                ? "(" + carrier(leaf.number()) + ") comm4j_get<"
                                        + leaf.number().cpp() + ">((char*) &" + name + " + " + leaf.offset() + ")"
                                : "(" + carrier(leaf.number()) + ") " + name);
                numbers.add(leaf.number());
            }
        }
        return switch (binding.returning()) {
            case NOTHING -> {
                body.add(call + ";");
                yield "void";
            }
            case SINGLE -> {
                body.add("return " + leaves.getFirst() + ";");
                yield carrier(numbers.getFirst());
            }
            case PACKED -> {
                body.add("return (comm4j_bits(" + leaves.getFirst() + ") & 0xffffffffll) | comm4j_bits("
                        + leaves.getLast() + ") << 32;");
                yield "long long";
            }
            case SLOTS -> {
                for (int i = 0; i < leaves.size(); i++) {
                    body.add("results[" + i + "] = comm4j_bits(" + leaves.get(i) + ");");
                }
                yield "void";
            }
        };
    }

    private static boolean isReturnArgument(DeviceBinding binding, String name) {
        return binding.arguments().stream()
                .anyMatch(argument ->
                        argument.how() == How.RETURN && argument.name().equals(name));
    }

    private static int indexOf(DeviceBinding binding, String name) {
        for (int i = 0; i < binding.arguments().size(); i++) {
            if (binding.arguments().get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no argument " + name);
    }

    private static String cpp(DeviceType type) {
        return switch (type) {
            case Numeric number -> number.cpp();
            case Enumerated enumerated -> "::" + enumerated.of().name();
            case Structure structure -> "::" + structure.of().cpp();
            case Reference reference -> reference.cpp() + (reference.pointer() ? "*" : "&");
            case Nothing() -> "void";
            case Impossible impossible -> throw new IllegalArgumentException(impossible.reason());
        };
    }
}
