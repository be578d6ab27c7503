// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bind.DeviceBinding.Argument;
import org.comm4j.bind.DeviceBinding.How;
import org.comm4j.bind.DeviceBinding.Result;
import org.comm4j.bind.DeviceBinding.Return;
import org.comm4j.bind.DeviceConstants.Constant;
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.Role;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Leaf;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Struct;

/** The Java class of a header: constants, enums, records, pointers, and a static method for each function. */
final class DeviceClass {
    private static final Set<String> KERNEL_TYPES = Set.of(
            "BF16Ptr",
            "BFloat16",
            "BFloat162",
            "Constant",
            "DeviceFunction",
            "DeviceUnit",
            "Double2",
            "F16Ptr",
            "F32Ptr",
            "F64Ptr",
            "F8E4M3Ptr",
            "F8E5M2Ptr",
            "Float2",
            "Float4",
            "Half",
            "Half2",
            "I16Ptr",
            "I32Ptr",
            "I64Ptr",
            "I8Ptr",
            "Int2",
            "Int4",
            "Long2");

    private final DeviceConfig config;
    private final DeviceNames names;
    private final String simple;
    private final JavaText text = new JavaText();
    private final ValueCode code;
    private final StructCode types;
    /** The components of records of results, by the name of what they are the results of. */
    private final Map<String, List<String>> resultRecords = new HashMap<>();

    private final Set<String> recordsWritten = new HashSet<>();

    DeviceClass(DeviceConfig config, DeviceNames names) {
        this.config = config;
        this.names = names;
        this.code = new ValueCode(names);
        this.types = new StructCode(names, text, code);
        this.simple = config.className.substring(config.className.lastIndexOf('.') + 1);
    }

    /** The file, not formatted. */
    String write(
            String provenance,
            Map<String, Constant> constants,
            Collection<Struct> structs,
            Collection<Enumeration> enums,
            List<DeviceBinding> bindings) {
        Set<String> constantNames = new TreeSet<>();
        constants.forEach((name, constant) -> {
            String java = names.constant(name);
            if (constantNames.add(java)) {
                text.line("/** " + JavaText.quoted(name) + ". */");
                text.line("public static final " + constant.type() + " " + java + " = " + constant.value() + ";\n");
            }
        });
        text.line("private static volatile Cpu cpu = new Cpu() {};\n");
        text.line("private " + simple + "() {}\n");
        text.line("/**");
        text.line(" * Gives the functions their versions for the CPU, where kernels then call them. Without, each is an"
                + " exception.");
        text.line(" *");
        text.line(" * @param versions overrides those that are needed");
        text.line(" */");
        text.line("public static void cpu(Cpu versions) {");
        text.line("cpu = java.util.Objects.requireNonNull(versions, \"versions\");");
        text.line("}\n");
        text.line("/**");
        text.line(" * The device code that the functions call, to be given to the compiler of kernels.");
        text.line(" *");
        text.line(" * @param includes folders of headers: those of CUDA and all others that the header needs");
        text.line(" */");
        text.line("public static DeviceUnit deviceUnit(java.nio.file.Path... includes) {");
        text.line(
                "try (java.io.InputStream source = " + simple + ".class.getResourceAsStream(\"" + simple + ".cu\")) {");
        text.line("if (source == null) {");
        text.line("throw new IllegalStateException(\"" + simple + ".cu is not beside the class " + config.className
                + "\");");
        text.line("}");
        String options =
                config.nvrtcOptions().stream().map(each -> ", \"" + each + "\"").collect(Collectors.joining());
        text.line("String text = new String(source.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);");
        if (bindings.stream().anyMatch(binding -> binding.callable().gaps() != null)) {
            text.line("return DeviceUnit.templates(\"" + config.className + "\", text, java.util.List.of(includes)"
                    + options + ");");
        } else {
            text.line("DeviceUnit unit = DeviceUnit.source(\"" + config.className + "\", text" + options + ");");
            text.line("for (java.nio.file.Path include : includes) {\nunit = unit.include(include);\n}");
            text.line("return unit;");
        }
        text.line("} catch (java.io.IOException e) {\nthrow new java.io.UncheckedIOException(e);\n}");
        text.line("}\n");
        enums.forEach(types::enumeration);
        for (Struct struct : structs) {
            if (!struct.isOpaque() && !DeviceNames.isKnown(struct)) {
                types.record(struct);
            }
            if (DeviceNames.isWrapped(struct)) {
                types.pointer(struct);
            }
        }
        bindings.stream().filter(binding -> binding.results().size() > 1).forEach(this::resultRecord);
        bindings.forEach(this::method);
        text.line("/** What the functions do on the CPU. */");
        text.line("public interface Cpu {");
        bindings.forEach(this::twin);
        text.line("}");
        text.line("}");
        String body = text.toString();
        String imports = KERNEL_TYPES.stream()
                .filter(type -> body.matches("(?s).*\\b" + type + "\\b.*"))
                .map(type -> type.equals("DeviceUnit") ? type : "lang." + type)
                .sorted()
                .map(type -> "import org.comm4j.kernel." + type + ";\n")
                .collect(Collectors.joining());
        String head =
                provenance.lines().map(each -> ("// " + each).strip() + "\n").collect(Collectors.joining());
        return head + "\npackage " + config.className.substring(0, config.className.lastIndexOf('.')) + ";\n\n"
                + imports
                + "\n/**\n * Device functions of " + JavaText.code(String.join(", ", config.headers))
                + " for kernels in Java, under their C++ names. The device code that they call is {@code " + simple
                + ".cu} beside this class.\n"
                + " *\n"
                + " * <p>Numbers without a sign are Java's of the same size. On the CPU a function does what {@link"
                + " #cpu(Cpu)} was given.\n"
                + " */\n"
                + "@SuppressWarnings({\"all\", \"cast\"}) // names are C++'s\n"
                + "public final class " + simple + " {\n" + body;
    }

    /** Overloads with the same results share their record. */
    private String resultName(DeviceBinding binding) {
        String name = binding.name() + "_result";
        String components = resultComponents(binding);
        List<String> others = resultRecords.computeIfAbsent(name, _ -> new ArrayList<>());
        if (!others.contains(components)) {
            others.add(components);
        }
        int which = others.indexOf(components);
        return names.ofType(which == 0 ? name : name + "_of_" + components.replaceAll("(\\S+) [^,]+", "$1"));
    }

    private String resultComponents(DeviceBinding binding) {
        return binding.results().stream()
                .map(result -> code.componentType(result.value()) + " " + names.variable(result.name()))
                .collect(Collectors.joining(", "));
    }

    private void resultRecord(DeviceBinding binding) {
        String name = resultName(binding);
        if (recordsWritten.add(name)) {
            text.line("/** What {@link #" + binding.name() + "} gives back. */");
            text.line("public record " + name + "(" + resultComponents(binding) + ") {}\n");
        }
    }

    private String resultType(DeviceBinding binding) {
        return switch (binding.results().size()) {
            case 0 -> "void";
            case 1 ->
                DeviceBinding.valueType(names, binding.results().getFirst().value());
            default -> resultName(binding);
        };
    }

    private List<Argument> given(DeviceBinding binding) {
        return binding.arguments().stream()
                .filter(argument -> argument.how() != How.RETURN)
                .toList();
    }

    /** @param constant what stands before constants of the call */
    private String parameters(DeviceBinding binding, String constant) {
        return Stream.concat(
                        values(binding, constant),
                        given(binding).stream()
                                .map(argument -> DeviceBinding.javaType(names, argument) + " " + argument.name()))
                .collect(Collectors.joining(", "));
    }

    private Stream<String> values(DeviceBinding binding, String constant) {
        return binding.values().stream()
                .map(value ->
                        constant + DeviceBinding.valueType(names, value.type()) + " " + names.variable(value.name()));
    }

    private Stream<String> valueNames(DeviceBinding binding) {
        return binding.values().stream().map(value -> names.variable(value.name()));
    }

    private String arguments(DeviceBinding binding, Stream<String> arguments) {
        return Stream.concat(valueNames(binding), arguments).collect(Collectors.joining(", "));
    }

    private String annotation(DeviceBinding binding) {
        String qualified = binding.callable().qualified();
        // A wrapper that writes its results into slots does more than compute one, whatever the function itself does.
        boolean pure =
                DeviceConfig.matches(config.pure, qualified) && binding.returning() != DeviceBinding.Return.SLOTS;
        return "@DeviceFunction(value = \"" + binding.entry() + "\", unit = \"" + config.className + "\""
                + (pure ? ", pure = true" : "")
                + (isConvergent(binding) ? ", convergent = true" : "") + ")";
    }

    private boolean isConvergent(DeviceBinding binding) {
        return binding.callable().role() == Role.COLLECTIVE
                || DeviceConfig.matches(config.convergent, binding.callable().qualified());
    }

    private void method(DeviceBinding binding) {
        Comment comment = Comment.of(binding.callable().node());
        List<String> tags = new ArrayList<>(List.of(JavaText.quoted(signature(binding)) + "\n"));
        given(binding).stream()
                .filter(argument ->
                        !comment.parameters().getOrDefault(argument.name(), "").isEmpty())
                .forEach(argument -> tags.add("@param " + argument.name() + " "
                        + JavaText.code(comment.parameters().getOrDefault(argument.name(), ""))));
        if (!binding.results().isEmpty()
                && !comment.parameters().getOrDefault("", "").isEmpty()) {
            tags.add("@return " + JavaText.code(comment.parameters().getOrDefault("", "")));
        }
        text.documentation(comment, tags);
        String arguments = arguments(binding, given(binding).stream().map(Argument::name));
        if (binding.isDirect()) {
            text.line(annotation(binding));
            text.line("public static " + resultType(binding) + " " + binding.name() + "("
                    + parameters(binding, "@Constant ") + ") {");
            text.line((binding.results().isEmpty() ? "" : "return ") + "cpu." + binding.name() + "(" + arguments
                    + ");\n}\n");
            return;
        }
        text.line("public static " + resultType(binding) + " " + binding.name() + "("
                + parameters(binding, "@Constant ") + ") {");
        callWrapper(binding);
        text.line("}\n");
        wrapper(binding);
    }

    private static String signature(DeviceBinding binding) {
        DeviceHeader.Callable callable = binding.callable();
        List<String> parts = CppType.parts(callable.type());
        List<String> parameterNames = callable.parameterNames();
        List<String> parameters = new ArrayList<>();
        for (int i = 1; i < parts.size(); i++) {
            parameters.add(parts.get(i) + (i <= parameterNames.size() ? " " + parameterNames.get(i - 1) : ""));
        }
        String result =
                callable.role() == Role.CONSTRUCTOR || callable.role() == Role.CONVERSION ? "" : parts.getFirst() + " ";
        Gaps gaps = callable.gaps();
        String called = gaps == null
                ? callable.scope() + callable.call()
                : gaps.readable().substring(2) + (callable.role() == Role.COLLECTIVE ? "::" + callable.call() : "");
        return result + called + "(" + String.join(", ", parameters) + ")" + (callable.constant() ? " const" : "");
    }

    /** Unique among overloads, since structs of equal numbers are the same to wrappers. */
    private static String wrapperName(DeviceBinding binding) {
        return binding.name() + "$" + Integer.toHexString(binding.symbol().hashCode());
    }

    private void callWrapper(DeviceBinding binding) {
        List<String> values = new ArrayList<>();
        for (Argument argument : given(binding)) {
            values.addAll(
                    argument.how() == How.POINTER
                            ? List.of(
                                    DeviceBinding.isPlainPointer(argument.value())
                                            ? argument.name()
                                            : argument.name() + ".at()")
                            : code.take(argument.value(), argument.name(), true));
        }
        String name = wrapperName(binding);
        switch (binding.returning()) {
            case NOTHING -> text.line(name + "(" + arguments(binding, values.stream()) + ");");
            case SINGLE -> {
                String call = name + "(" + arguments(binding, values.stream()) + ")";
                text.line("return " + made(binding, List.of(call)) + ";");
            }
            case PACKED -> {
                text.line("long packed = " + name + "(" + arguments(binding, values.stream()) + ");");
                List<Leaf> leaves = binding.resultLeaves();
                text.line("return "
                        + made(
                                binding,
                                List.of(
                                        ValueCode.fromBits(leaves.getFirst().number(), "packed"),
                                        ValueCode.fromBits(leaves.getLast().number(), "(packed >>> 32)")))
                        + ";");
            }
            case SLOTS -> {
                List<Leaf> leaves = binding.resultLeaves();
                text.line("long[] slots = new long[" + leaves.size() + "];");
                values.addFirst("I64Ptr.of(slots)");
                text.line(name + "(" + arguments(binding, values.stream()) + ");");
                List<String> parts = new ArrayList<>();
                for (int i = 0; i < leaves.size(); i++) {
                    parts.add(ValueCode.fromBits(leaves.get(i).number(), "slots[" + i + "]"));
                }
                text.line("return " + made(binding, parts) + ";");
            }
        }
    }

    /** The Java result of its numbers, each a carrier. */
    private String made(DeviceBinding binding, List<String> parts) {
        Iterator<String> next = parts.iterator();
        if (binding.results().size() == 1) {
            DeviceType type = binding.results().getFirst().value();
            if (type instanceof Reference reference) {
                String pointer = names.pointerTo(reference.target());
                return DeviceBinding.isPlainPointer(reference.target())
                        ? next.next()
                        : "new " + pointer + "(" + next.next() + ")";
            }
            return type instanceof Enumerated enumerated && DeviceNames.isDense(enumerated.of())
                    ? next.next()
                    : code.make(type, next);
        }
        return "new " + resultName(binding) + "("
                + binding.results().stream()
                        .map(result -> code.make(result.value(), next))
                        .collect(Collectors.joining(", "))
                + ")";
    }

    /** The device function, and on the CPU the way back from numbers to the twin's types. */
    private void wrapper(DeviceBinding binding) {
        List<String> parameters = new ArrayList<>(values(binding, "").toList());
        List<String> values = new ArrayList<>();
        if (binding.returning() == Return.SLOTS) {
            parameters.add("I64Ptr slots");
        }
        for (Argument argument : given(binding)) {
            if (argument.how() == How.POINTER) {
                boolean plain = DeviceBinding.isPlainPointer(argument.value());
                String pointer = names.pointerTo(argument.value());
                parameters.add((plain ? pointer : "I8Ptr") + " " + argument.name());
                values.add(plain ? argument.name() : "new " + pointer + "(" + argument.name() + ")");
            } else if (argument.value() instanceof Enumerated enumerated && DeviceNames.isDense(enumerated.of())) {
                parameters.add(names.enumeration(enumerated.of()) + " " + argument.name());
                values.add(argument.name());
            } else {
                List<Leaf> leaves = DeviceType.leaves(argument.value());
                List<String> parts = new ArrayList<>();
                for (int i = 0; i < leaves.size(); i++) {
                    String part = leaves.size() == 1 ? argument.name() : argument.name() + "_" + i;
                    parameters.add(leaves.get(i).number().carrier() + " " + part);
                    parts.add(part);
                }
                values.add(code.make(argument.value(), parts.iterator()));
            }
        }
        String result = switch (binding.returning()) {
            case NOTHING, SLOTS -> "void";
            case PACKED -> "long";
            case SINGLE -> singleType(binding);
        };
        text.line(annotation(binding));
        text.line(
                "private static " + result + " " + wrapperName(binding) + "(" + String.join(", ", parameters) + ") {");
        String call = "cpu." + binding.name() + "(" + arguments(binding, values.stream()) + ")";
        if (binding.returning() == Return.NOTHING) {
            text.line(call + ";\n}\n");
            return;
        }
        if (binding.isPointerResult()) {
            boolean plain = DeviceBinding.isPlainPointer(
                    ((Reference) binding.results().getFirst().value()).target());
            text.line("return " + call + (plain ? "" : ".at()") + ";\n}\n");
            return;
        }
        text.line(resultType(binding) + " result = " + call + ";");
        List<String> parts = new ArrayList<>();
        for (Result each : binding.results()) {
            boolean only = binding.results().size() == 1;
            parts.addAll(
                    code.take(each.value(), only ? "result" : "result." + names.variable(each.name()) + "()", only));
        }
        List<Leaf> leaves = binding.resultLeaves();
        switch (binding.returning()) {
            case PACKED ->
                text.line("return (" + ValueCode.toBits(leaves.getFirst().number(), parts.getFirst())
                        + ") & 0xffffffffL | (long) ("
                        + ValueCode.toBits(leaves.getLast().number(), parts.getLast()) + ") << 32;");
            case SLOTS -> {
                for (int i = 0; i < leaves.size(); i++) {
                    text.line("slots.set(" + i + ", "
                            + ValueCode.toBits(leaves.get(i).number(), parts.get(i)) + ");");
                }
            }
            case SINGLE, NOTHING -> text.line("return " + parts.getFirst() + ";");
        }
        text.line("}\n");
    }

    private String singleType(DeviceBinding binding) {
        return switch (binding.results().getFirst().value()) {
            case Reference reference ->
                DeviceBinding.isPlainPointer(reference.target()) ? names.pointerTo(reference.target()) : "I8Ptr";
            case Enumerated enumerated when DeviceNames.isDense(enumerated.of()) -> names.enumeration(enumerated.of());
            default -> binding.resultLeaves().getFirst().number().carrier();
        };
    }

    private void twin(DeviceBinding binding) {
        text.line("/** For {@link " + simple + "#" + binding.name() + "}. */");
        text.line("default " + resultType(binding) + " " + binding.name() + "(" + parameters(binding, "") + ") {");
        text.line("throw new UnsupportedOperationException(\"" + config.className + "." + binding.name()
                + " has no version for the CPU; one is given with " + simple + ".cpu(...)\");");
        text.line("}\n");
    }
}
