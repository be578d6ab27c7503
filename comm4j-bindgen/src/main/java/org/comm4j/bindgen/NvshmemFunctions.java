// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Family;
import org.comm4j.bindgen.SymbolTable.Function;

/**
 * The class of comm4j-device that declares NVSHMEM's functions for kernels. A family whose functions take or give a
 * value of its type is a Java method for each type, any other family is one method, in the name of which the type of
 * the elements or the operation is a parameter. Each method's body is the method of {@code Twin} with the family's
 * name.
 */
final class NvshmemFunctions {
    static final String FILE = "org/comm4j/device/NvshmemFunctions.java";

    /** What is declared, without scopes, in the order of the Java file: names of functions without {@code nvshmem_}. */
    private static final Map<String, String> DECLARED = sections("""
            who is there: my_pe n_pes team_my_pe team_n_pes team_translate_pe ptr mc_ptr
            put and get: putmem putmem_nbi getmem getmem_nbi putmem_signal putmem_signal_nbi iput<N> iget<N> <T>_p <T>_g
            order: fence quiet flush
            signals: signal_op signal_fetch signal_wait_until
            waits: <T>_wait_until <T>_test <T>_wait_until_all <T>_wait_until_any <T>_wait_until_some <T>_test_all <T>_test_any
             <T>_test_some <T>_wait_until_all_vector <T>_wait_until_any_vector <T>_wait_until_some_vector <T>_test_all_vector
             <T>_test_any_vector <T>_test_some_vector
            atomics: <T>_atomic_fetch <T>_atomic_set <T>_atomic_swap <T>_atomic_compare_swap <T>_atomic_inc <T>_atomic_fetch_inc
             <T>_atomic_add <T>_atomic_fetch_add <T>_atomic_and <T>_atomic_fetch_and <T>_atomic_or <T>_atomic_fetch_or
             <T>_atomic_xor <T>_atomic_fetch_xor
            collectives: barrier_all sync_all barrier team_sync <T>_broadcast <T>_fcollect <T>_alltoall <T>_reduce <T>_reducescatter
             double2_maxloc_reduce
            """);

    /**
     * Names of functions that are not declared, with {@code <T>} for the word of a type, {@code <N>} for a size and
     * {@code <S>} for a scope, and why.
     */
    private static final Map<Pattern, String> REASONS = reasons("""
            nvshmemx_qp_.*: queue pairs are those of a GPU that talks to InfiniBand by itself, which is not compiled in: its headers are not in the packages
            nvshmemx_region_.*: batches for the same ways to InfiniBand
            nvshmemx_(ask|give|release)_smem: shared memory for bulk copies, which are off unless the environment says otherwise, and no faster (see MOVES in NvshmemUnit)
            nvshmemx_signal_counted_reset: of signals that count what arrives over InfiniBand
            nvshmemx?_(vendor_get_version_info|info_get_(name|version)): the host says it
            nvshmemx_barrier_warpgroup: there are no warp groups in Java; a block's barrier is for all of its threads
            nvshmemx?_(<T>_)?(put|get)<N>?(_signal)?(_nbi)?<S>: moves are of bytes, putmem and getmem: the library makes no difference
            nvshmemx?_<T>_i(put|get)<S>: strided moves are of elements of a size, iput and iget
            nvshmemx?_i(put|get)128<S>: kernels have no elements of 16 bytes
            nvshmemx?_(alltoall|broadcast|fcollect)mem<S>: the ones of elements of 8 bits are the same
            nvshmem_double_atomic_swap: 3.4 returns the bits as a number; Shmem.atomicSwap exchanges bits
            nvshmemx_(half|float|double)_atomic_(fetch_)?add: new in 3.7; Shmem.atomicAdd of floats compares and swaps, in all versions
            nvshmemx?_(half|bfloat16)_(p|g): values of 16 bits are those of int16, which C passes alike
            nvshmemx?_<T>_(p|g|wait_until.*|test.*|atomic_.*): another word for a type that is declared, or one that kernels have not: they have no unsigned integers, and wait for 32 and 64 bits
            nvshmemx?_<T>_(broadcast|fcollect|alltoall)<S>: copies are of elements of a size, int8 to int64
            nvshmemx?_<T>_(sum|prod|min|max|and|or|xor)_reduce(scatter)?<S>: another word for a type that is declared, or an unsigned one, which kernels have not
            """);

    private static final String SCOPE = "(_warp|_block|_warpgroup)?";

    /** Functions that the unit has of its own, under another prefix. */
    private static final Pattern OWN = Pattern.compile(
            "^nvshmemx?_((put|get)mem.*|i(put|get)\\$1.*|.*_[pg]|fence|signal_op|signal_wait_until|int(32|64)_wait_until)$");

    /** What kernels have for the elements, the words that are tried, and the type of a value. */
    private enum Element {
        I8("byte", "int8", "uint8"),
        I16("short", "int16", "uint16"),
        I32("int", "int32", "uint32"),
        I64("long", "int64", "uint64"),
        F32("float", "float"),
        F64("double", "double");

        final String java;
        private final String words;

        Element(String java, String... words) {
            this.java = java;
            this.words = String.join(" ", words);
        }

        String wordOf(Family family) {
            return Arrays.stream(words.split(" "))
                    .filter(family.members()::contains)
                    .findFirst()
                    .orElse("");
        }
    }

    /** Of the data types that are reduced, the words. */
    private static final Map<String, String> NUMBERS = pairs(
            "INT8 int8, INT16 int16, INT32 int32, INT64 int64, FLOAT16 half, BFLOAT16 bfloat16, FLOAT32 float, FLOAT64 double");

    private static final String SIZES =
            "INT8 8, INT16 16, INT32 32, INT64 64, FLOAT16 16, BFLOAT16 16, FLOAT32 32, FLOAT64 64,"
                    + " FLOAT8_E4M3 8, FLOAT8_E5M2 8";

    private static final Map<String, String> OPERATIONS =
            pairs("SUM sum, PROD prod, MIN min, MAX max, BAND and, BOR or, BXOR xor");

    private final SymbolTable table;
    private final Set<String> declared = new TreeSet<>();
    /** Of annotations, to the constants that have them. */
    private final Map<String, String> words = new LinkedHashMap<>();

    NvshmemFunctions(SymbolTable table) {
        this.table = table;
        words.put(SIZES, "SIZES");
    }

    private static Map<String, String> sections(String text) {
        Map<String, String> sections = new LinkedHashMap<>();
        for (String line : text.replace("\n ", " ").lines().toList()) {
            sections.put(line.substring(0, line.indexOf(": ")), line.substring(line.indexOf(": ") + 2));
        }
        return sections;
    }

    private static Map<Pattern, String> reasons(String text) {
        String types = "(" + String.join("|", Tables.NVSHMEM_ELEMENTS.keySet()) + ")";
        Map<Pattern, String> reasons = new LinkedHashMap<>();
        sections(text)
                .forEach((names, why) -> reasons.put(
                        Pattern.compile(names.replace("<T>", types)
                                .replace("<N>", "(8|16|32|64|128)")
                                .replace("<S>", SCOPE)),
                        why));
        return reasons;
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String each : text.split(", ")) {
            pairs.put(each.split(" ")[0], each.split(" ")[1]);
        }
        return pairs;
    }

    /** The Java file. */
    String file() {
        StringBuilder methods = new StringBuilder();
        DECLARED.forEach((section, names) -> {
            methods.append("// ---- " + section + " ----\n\n");
            for (String scope : List.of("", "_warp", "_block")) {
                for (String name : names.split(" ")) {
                    methods.append(methods(name, scope));
                }
            }
        });
        return Bindings.formatted(
                FILE,
                Template.fill(
                        """
                        ${licence}package org.comm4j.device;

                        import org.comm4j.core.ReduceOp;
                        import org.comm4j.kernel.lang.DeviceFunction;
                        import org.comm4j.kernel.lang.F32Ptr;
                        import org.comm4j.kernel.lang.F64Ptr;
                        import org.comm4j.kernel.lang.I16Ptr;
                        import org.comm4j.kernel.lang.I32Ptr;
                        import org.comm4j.kernel.lang.I64Ptr;
                        import org.comm4j.kernel.lang.I8Ptr;
                        import org.comm4j.kernel.lang.KernelLibrary;
                        import org.comm4j.kernel.lang.Ptr;
                        import org.jspecify.annotations.Nullable;

                        /**
                         * The functions of NVSHMEM's device library that {@link Shmem}, {@link ShmemWarp} and {@link ShmemBlock} are made of, under their names in C without the type; generated by
                         * comm4j-bindgen from its symbol table {@code ${table}}, of the headers of NVSHMEM ${versions}. Those with {@code comm4j} in their names are {@link NvshmemUnit}'s own, around those of NVSHMEM.
                         */
                        @KernelLibrary
                        @SuppressWarnings("MemberName") // C's
                        final class NvshmemFunctions {
                            // What stands for types and operations in names.
                            ${words}

                            private NvshmemFunctions() {}

                            ${methods}
                        }
                        """,
                        Map.of(
                                "licence", JavaNames.LICENCE,
                                "table", NvshmemDevice.TABLE,
                                "versions", String.join(", ", table.versions()),
                                "words",
                                        words.entrySet().stream()
                                                .map(each -> "private static final String " + each.getValue() + " = \""
                                                        + each.getKey() + "\";\n")
                                                .collect(Collectors.joining()),
                                "methods", methods.toString())));
    }

    /** Names of functions in C that are declared; known after {@link #file}. */
    Set<String> declared() {
        return declared;
    }

    /** Names of functions, and why those of them that are not declared are not. */
    static Map<Pattern, String> reasons() {
        return REASONS;
    }

    private String methods(String name, String scope) {
        if (name.startsWith("<T>_reduce")) {
            return reductions(name.substring("<T>_".length()) + scope, scope);
        }
        Pattern wanted = Pattern.compile("nvshmemx?_" + Pattern.quote(name + scope));
        StringBuilder text = new StringBuilder();
        for (Function f : table.functions()) {
            if (wanted.matcher(f.name()).matches()) {
                declared.add(f.name());
                text.append(method(f, scope, f.name(), "", "Ptr", "", ""));
            }
        }
        for (Family family : table.families()) {
            Function f = family.function();
            // Sums of floats that came later are families of their own.
            if (wanted.matcher(f.name()).matches() && f.since().isEmpty()) {
                text.append(family.isTyped() ? typed(family, scope) : sized(family, scope));
            }
        }
        return text.toString();
    }

    private String sized(Family family, String scope) {
        Function f = family.function();
        Set<String> sizes = new TreeSet<>(pairs(SIZES).values());
        sizes.forEach(size -> declared.add(f.name().replace(SymbolTable.NUMBER, size)));
        return method(f, scope, f.name().replace(SymbolTable.NUMBER, "$1"), "SIZES", "Ptr", "", "");
    }

    private String typed(Family family, String scope) {
        Function f = family.function();
        if (!f.name().matches(".*_(p|g|wait_until.*|test.*|atomic_.*)")) {
            List.of("8", "16", "32", "64")
                    .forEach(size -> declared.add(f.name().replace(SymbolTable.TYPE, "int" + size)));
            return method(f, scope, f.name().replace(SymbolTable.TYPE, "int$2"), "SIZES", "Ptr", "", "");
        }
        StringBuilder text = new StringBuilder();
        for (Element element : Element.values()) {
            String word = element.wordOf(family);
            String name = f.name().replace(SymbolTable.TYPE, word);
            if (!word.isEmpty() && !name.equals("nvshmem_double_atomic_swap")) {
                declared.add(name);
                text.append(method(f, scope, name, "", element + "Ptr", element.java, ""));
            }
        }
        return text.toString();
    }

    /** The operations that have the same types are one method. */
    private String reductions(String name, String scope) {
        Map<String, List<String>> operations = new LinkedHashMap<>();
        List<Function> functions = new ArrayList<>();
        for (Map.Entry<String, String> operation : OPERATIONS.entrySet()) {
            for (Family family : table.families()) {
                if (family.function().name().matches("nvshmemx?_<T>_" + operation.getValue() + "_" + name)) {
                    String types = NUMBERS.entrySet().stream()
                            .filter(type -> family.members().contains(type.getValue()))
                            .peek(type ->
                                    declared.add(family.function().name().replace(SymbolTable.TYPE, type.getValue())))
                            .map(type -> type.getKey() + " " + type.getValue())
                            .collect(Collectors.joining(", "));
                    operations
                            .computeIfAbsent(types, all -> new ArrayList<>())
                            .add(operation.getKey() + " " + operation.getValue());
                    functions.add(family.function());
                }
            }
        }
        String c = functions.getFirst().name().replaceFirst("<T>_[a-z]+_", "\\$2_\\$5_");
        StringBuilder text = new StringBuilder();
        operations.forEach((types, each) -> {
            String group = each.contains("BAND and") ? "bitwise" : "arithmetic";
            String constant = words.computeIfAbsent(
                    types + ", " + String.join(", ", each), all -> group.toUpperCase(Locale.ROOT));
            text.append(method(functions.getFirst(), scope, c, constant, "Ptr", "", group + "_"));
        });
        return text.toString();
    }

    /**
     * A method.
     *
     * @param c the function's name
     * @param words of the annotation, empty if the name has no parameters
     * @param pointer what {@code T *} is, {@code value} what {@code T} is
     * @param group of reductions, whose operation is a parameter
     */
    private String method(
            Function f, String scope, String c, String words, String pointer, String value, String group) {
        String name = f.name().replaceAll("<T>_|<N>", "");
        if (!group.isEmpty()) {
            name = name.replaceFirst("_[a-z]+_reduce", "_" + group + "reduce");
        }
        List<String> parameters = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        for (Declaration each : f.parameters()) {
            String parameter = camelCase(each.name());
            parameters.add(type(each, pointer, value) + " " + parameter);
            arguments.add(parameter);
        }
        if (!group.isEmpty()) {
            parameters.add("ReduceOp op");
            arguments.add("op");
        }
        boolean waits = f.name().matches(".*_(wait_until|test)(_.*)?")
                || f.name()
                        .matches(".*_(reduce|reducescatter|alltoall|fcollect|broadcast|barrier|sync)(_all)?" + SCOPE);
        List<String> annotation = new ArrayList<>();
        annotation.add("value = \"" + OWN.matcher(c).replaceFirst("comm4j_$1") + "\"");
        annotation.add("unit = NvshmemUnit.NAME");
        if (!words.isEmpty()) {
            annotation.add("words = " + words);
        }
        if (!scope.isEmpty()) {
            annotation.add("convergent = true");
        }
        if (waits) {
            annotation.add("cooperative = true");
        }
        String result = type(new Declaration(f.result(), "its result"), pointer, value);
        return (f.since().isEmpty() ? "" : "@Since(\"" + f.since() + "\")\n")
                + "@DeviceFunction(" + String.join(", ", annotation) + ")\n"
                + "static " + (result.equals("Ptr") ? "I8Ptr" : result) + " " + name
                + "(" + String.join(", ", parameters) + ") {\n"
                + (result.equals("void") ? "" : "return ") + twin(name, scope, arguments) + ";\n}\n\n";
    }

    private static String type(Declaration each, String pointer, String value) {
        return switch (each.type()) {
            case "T" -> value;
            case "T *", "const T *" -> pointer;
            case "void *", "const void *" -> "Ptr";
            case "uint64_t *", "size_t *" -> "I64Ptr";
            case "const int *" -> "@Nullable I32Ptr";
            case "double2 *", "const double2 *" -> "F64Ptr";
            case "uint64_t", "size_t", "ptrdiff_t" -> "long";
            case "nvshmem_team_t", "int" -> "int";
            case "void" -> "void";
            default -> throw new IllegalStateException("a kernel has no " + each.type() + " " + each.name());
        };
    }

    /** The call of the Java method that does the same. */
    private String twin(String name, String scope, List<String> arguments) {
        String base = name.replaceFirst("nvshmemx?_", "")
                .replaceFirst(scope + "$", "")
                .replaceFirst("_(nbi|vector)$", "")
                .replaceFirst("^(bitwise|arithmetic|double2)_", "");
        List<String> all = new ArrayList<>(arguments);
        if (base.matches("(barrier|sync)_all|barrier|team_sync")) {
            if (all.isEmpty()) {
                all.add("0");
            }
            base = "barrier";
        }
        Matcher atomic =
                Pattern.compile("atomic_(?:fetch_)?(add|inc|and|or|xor)").matcher(base);
        if (atomic.matches()) {
            base = "atomic_fetch_" + atomic.group(1);
            if (atomic.group(1).equals("inc")) {
                base = "atomic_fetch_add";
                all.add(1, "1");
            }
        }
        if (isForGroups(name.replaceFirst("nvshmemx?_", "").replaceFirst(scope + "$", ""))) {
            all.addFirst(
                    "Twin." + (scope.isEmpty() ? "THREAD" : scope.substring(1).toUpperCase(Locale.ROOT)));
        }
        return "Twin." + camelCase(base) + "(" + String.join(", ", all) + ")";
    }

    /** Whether the threads of a warp or block can call it together. */
    private static boolean isForGroups(String name) {
        return name.matches(
                "(put|get)mem.*|i(put|get)|flush|.*(reduce|reducescatter)|alltoall|fcollect|broadcast|barrier|barrier_all|sync_all|team_sync");
    }

    private static String camelCase(String name) {
        return Pattern.compile("_(\\w)")
                .matcher(name)
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }
}
