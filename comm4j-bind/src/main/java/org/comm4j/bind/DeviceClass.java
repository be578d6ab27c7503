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
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.Enumerator;
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
import org.comm4j.bind.DeviceTypes.Constant;

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
    private final StringBuilder text = new StringBuilder();
    /** The components of records of results, by the name of what they are the results of. */
    private final Map<String, List<String>> resultRecords = new HashMap<>();

    private final Set<String> recordsWritten = new HashSet<>();

    DeviceClass(DeviceConfig config, DeviceNames names) {
        this.config = config;
        this.names = names;
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
                line("/** " + quoted(name) + ". */");
                line("public static final " + constant.type() + " " + java + " = " + constant.value() + ";\n");
            }
        });
        line("private static volatile Cpu cpu = new Cpu() {};\n");
        line("private " + simple + "() {}\n");
        line("/**");
        line(" * Gives the functions their versions for the CPU, where kernels then call them. Without, each is an"
                + " exception.");
        line(" *");
        line(" * @param versions overrides those that are needed");
        line(" */");
        line("public static void cpu(Cpu versions) {");
        line("cpu = java.util.Objects.requireNonNull(versions, \"versions\");");
        line("}\n");
        line("/**");
        line(" * The device code that the functions call, to be given to the compiler of kernels.");
        line(" *");
        line(" * @param includes folders of headers: those of CUDA and all others that the header needs");
        line(" */");
        line("public static DeviceUnit deviceUnit(java.nio.file.Path... includes) {");
        line("try (java.io.InputStream source = " + simple + ".class.getResourceAsStream(\"" + simple + ".cu\")) {");
        line("if (source == null) {");
        line("throw new IllegalStateException(\"" + simple + ".cu is not beside the class " + config.className
                + "\");");
        line("}");
        String options =
                config.nvrtcOptions().stream().map(each -> ", \"" + each + "\"").collect(Collectors.joining());
        line("String text = new String(source.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);");
        if (bindings.stream().anyMatch(binding -> binding.callable().gaps() != null)) {
            line("return DeviceUnit.templates(\"" + config.className + "\", text, java.util.List.of(includes)" + options
                    + ");");
        } else {
            line("DeviceUnit unit = DeviceUnit.source(\"" + config.className + "\", text" + options + ");");
            line("for (java.nio.file.Path include : includes) {\nunit = unit.include(include);\n}");
            line("return unit;");
        }
        line("} catch (java.io.IOException e) {\nthrow new java.io.UncheckedIOException(e);\n}");
        line("}\n");
        enums.forEach(this::enumeration);
        for (Struct struct : structs) {
            if (!struct.isOpaque() && !DeviceNames.isKnown(struct)) {
                record(struct);
            }
            if (DeviceNames.isWrapped(struct)) {
                pointer(struct);
            }
        }
        bindings.stream().filter(binding -> binding.results().size() > 1).forEach(this::resultRecord);
        bindings.forEach(this::method);
        line("/** What the functions do on the CPU. */");
        line("public interface Cpu {");
        bindings.forEach(this::twin);
        line("}");
        line("}");
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
                + "\n/**\n * Device functions of " + code(String.join(", ", config.headers))
                + " for kernels in Java, under their C++ names. The device code that they call is {@code " + simple
                + ".cu} beside this class.\n"
                + " *\n"
                + " * <p>Numbers without a sign are Java's of the same size. On the CPU a function does what {@link"
                + " #cpu(Cpu)} was given.\n"
                + " */\n"
                + "@SuppressWarnings({\"all\", \"cast\"}) // names are C++'s\n"
                + "public final class " + simple + " {\n" + body;
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    /** What may stand in Javadoc. */
    static String code(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;")
                .replace("*/", "*&#47;")
                .replace("{", "&#123;")
                .replace("}", "&#125;")
                .replace("\\", "&#92;");
    }

    /** {@code words} in Javadoc, as they are. */
    static String quoted(String words) {
        return "{@code " + words.replace("*/", "* /") + "}";
    }

    private void documentation(Comment comment, List<String> more) {
        List<String> lines = new ArrayList<>();
        for (String paragraph : comment.paragraphs()) {
            lines.add((lines.isEmpty() ? "" : "\n<p>") + code(paragraph));
        }
        String tail = more.isEmpty() ? "" : (lines.isEmpty() ? "" : "\n\n<p>") + String.join("\n", more);
        if (!lines.isEmpty() || !tail.isEmpty()) {
            line("/**\n"
                    + (String.join("\n", lines) + tail)
                            .lines()
                            .map(each -> (" * " + each).stripTrailing())
                            .collect(Collectors.joining("\n"))
                    + "\n */");
        }
    }

    private void enumeration(Enumeration enumeration) {
        String java = names.enumeration(enumeration);
        documentation(Comment.of(enumeration.node()), List.of(quoted(enumeration.name())));
        if (DeviceNames.isDense(enumeration)) {
            line("public enum " + java + " {");
            line(enumeration.enumerators().stream()
                    .map(each -> names.variable(each.name()))
                    .collect(Collectors.joining(",\n")));
            line("}\n");
            return;
        }
        Numeric number = DeviceTypes.underlying(new Enumerated(enumeration));
        line("public static final class " + java + " {");
        for (Enumerator each : enumeration.enumerators()) {
            String value = switch (number.java()) {
                case "long" -> each.value() + "L";
                case "int" -> String.valueOf((int) each.value());
                case "boolean" -> String.valueOf(each.value() != 0);
                default -> "(" + number.java() + ") " + each.value();
            };
            line("public static final " + number.java() + " " + names.variable(each.name()) + " = " + value + ";");
        }
        line("\nprivate " + java + "() {}");
        line("}\n");
    }

    /** A component of a record. An array is as many. */
    private record Component(String java, String name, DeviceType type, long offset, String comment) {}

    private List<Component> components(Struct struct) {
        List<Component> components = new ArrayList<>();
        for (Field field : struct.fields()) {
            boolean array = !field.dimensions().isEmpty();
            for (int i = 0; i < field.count(); i++) {
                String name = names.variable(field.name());
                String index = (Character.isDigit(name.charAt(name.length() - 1)) ? "_" : "") + i;
                components.add(new Component(
                        componentType(field.type()),
                        array ? name + index : name,
                        field.type(),
                        field.offset() + i * DeviceTypes.size(field.type()),
                        field.comment()));
            }
        }
        return components;
    }

    /** In structs, enums are their numbers and pointers are addresses. */
    private String componentType(DeviceType type) {
        return switch (type) {
            case Structure structure -> names.record(structure.of());
            case Enumerated enumerated -> DeviceTypes.underlying(enumerated).java();
            case Reference _ -> "long";
            default -> DeviceBinding.valueType(names, type);
        };
    }

    private void record(Struct struct) {
        List<Component> components = components(struct);
        documentation(
                Comment.of(struct.aggregate().node()),
                Stream.concat(
                                Stream.of(quoted(struct.cpp()) + ", by value.\n"),
                                components.stream()
                                        .filter(component ->
                                                !component.comment().isEmpty())
                                        .map(component ->
                                                "@param " + component.name() + " " + code(component.comment())))
                        .toList());
        line("public record " + names.record(struct) + "("
                + components.stream()
                        .map(each -> each.java() + " " + each.name())
                        .collect(Collectors.joining(", ")) + ") {}\n");
    }

    private void pointer(Struct struct) {
        String java = names.pointer(struct);
        String known = struct.isOpaque() ? "" : names.record(struct);
        line("/**\n * Points to " + quoted(struct.cpp()) + ", " + struct.bytes() + " bytes each, aligned to "
                + struct.alignment() + "." + (struct.isOpaque() ? " What is in it is the functions' own." : "")
                + "\n */");
        line("public record " + java + "(I8Ptr at) {");
        line("public static final long BYTES = " + struct.bytes() + ";");
        line("public static final long ALIGNMENT = " + struct.alignment() + ";\n");
        line("/** {@code n} elements on. */");
        line("public " + java + " plus(long n) {\nreturn new " + java + "(at.plus(n * BYTES));\n}\n");
        if (!known.isEmpty()) {
            List<String> reads = new ArrayList<>();
            List<String> writes = new ArrayList<>();
            List<Leaf> leaves = DeviceTypes.leaves(struct);
            for (Leaf leaf : leaves) {
                reads.add(read(leaf));
            }
            Iterator<String> next = reads.iterator();
            String made = make(new Structure(struct), next);
            List<String> values = take(new Structure(struct), "value", false);
            for (int i = 0; i < leaves.size(); i++) {
                writes.add(write(leaves.get(i), values.get(i)));
            }
            line("public " + known + " get() {\nreturn " + made + ";\n}\n");
            line("public void set(" + known + " value) {\n" + String.join("\n", writes) + "\n}\n");
            for (Field field : struct.fields()) {
                line("/** The place of " + quoted(field.name()) + ". */");
                String target = names.pointerTo(field.type());
                boolean wrapped = !DeviceBinding.isPlainPointer(field.type());
                String place = "at.plus(" + field.offset() + ")";
                line("public " + target + " " + place(field.name()) + "() {\nreturn "
                        + (wrapped ? "new " + target + "(" + place + ")" : place + cast(target)) + ";\n}\n");
            }
        }
        line("}\n");
    }

    /** Names that pointers have for themselves. */
    private String place(String field) {
        return Set.of("at", "get", "set", "plus").contains(field) ? field + "_" : names.variable(field);
    }

    private static String cast(String pointer) {
        return pointer.equals("I8Ptr") ? "" : ".as" + pointer.substring(0, pointer.length() - 3) + "()";
    }

    private static String read(Leaf leaf) {
        String at = "at.plus(" + leaf.offset() + ")" + cast(DeviceNames.pointerTo(leaf.number())) + ".get(0)";
        return leaf.number().java().equals("boolean") ? "(int) " + at : at;
    }

    private static String write(Leaf leaf, String value) {
        String pointer = "at.plus(" + leaf.offset() + ")" + cast(DeviceNames.pointerTo(leaf.number()));
        String java = leaf.number().java();
        return pointer + ".set(0, " + (java.equals("boolean") ? "(byte) (" + value + ")" : value) + ");";
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
                .map(result -> componentType(result.value()) + " " + names.variable(result.name()))
                .collect(Collectors.joining(", "));
    }

    private void resultRecord(DeviceBinding binding) {
        String name = resultName(binding);
        if (recordsWritten.add(name)) {
            line("/** What {@link #" + binding.name() + "} gives back. */");
            line("public record " + name + "(" + resultComponents(binding) + ") {}\n");
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
        List<String> tags = new ArrayList<>(List.of(quoted(signature(binding)) + "\n"));
        given(binding).stream()
                .filter(argument ->
                        !comment.parameters().getOrDefault(argument.name(), "").isEmpty())
                .forEach(argument -> tags.add("@param " + argument.name() + " "
                        + code(comment.parameters().getOrDefault(argument.name(), ""))));
        if (!binding.results().isEmpty()
                && !comment.parameters().getOrDefault("", "").isEmpty()) {
            tags.add("@return " + code(comment.parameters().getOrDefault("", "")));
        }
        documentation(comment, tags);
        String arguments = arguments(binding, given(binding).stream().map(Argument::name));
        if (binding.isDirect()) {
            line(annotation(binding));
            line("public static " + resultType(binding) + " " + binding.name() + "(" + parameters(binding, "@Constant ")
                    + ") {");
            line((binding.results().isEmpty() ? "" : "return ") + "cpu." + binding.name() + "(" + arguments
                    + ");\n}\n");
            return;
        }
        line("public static " + resultType(binding) + " " + binding.name() + "(" + parameters(binding, "@Constant ")
                + ") {");
        callWrapper(binding);
        line("}\n");
        wrapper(binding);
    }

    private static String signature(DeviceBinding binding) {
        DeviceHeader.Callable callable = binding.callable();
        List<String> parts = DeviceTypes.parts(callable.type());
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
                            : take(argument.value(), argument.name(), true));
        }
        String name = wrapperName(binding);
        switch (binding.returning()) {
            case NOTHING -> line(name + "(" + arguments(binding, values.stream()) + ");");
            case SINGLE -> {
                String call = name + "(" + arguments(binding, values.stream()) + ")";
                line("return " + made(binding, List.of(call)) + ";");
            }
            case PACKED -> {
                line("long packed = " + name + "(" + arguments(binding, values.stream()) + ");");
                List<Leaf> leaves = binding.resultLeaves();
                line("return "
                        + made(
                                binding,
                                List.of(
                                        fromBits(leaves.getFirst().number(), "packed"),
                                        fromBits(leaves.getLast().number(), "(packed >>> 32)")))
                        + ";");
            }
            case SLOTS -> {
                List<Leaf> leaves = binding.resultLeaves();
                line("long[] slots = new long[" + leaves.size() + "];");
                values.addFirst("I64Ptr.of(slots)");
                line(name + "(" + arguments(binding, values.stream()) + ");");
                List<String> parts = new ArrayList<>();
                for (int i = 0; i < leaves.size(); i++) {
                    parts.add(fromBits(leaves.get(i).number(), "slots[" + i + "]"));
                }
                line("return " + made(binding, parts) + ";");
            }
        }
    }

    private static String fromBits(Numeric number, String bits) {
        return switch (number.carrier()) {
            case "int" -> "(int) " + bits;
            case "float" -> "Float.intBitsToFloat((int) " + bits + ")";
            case "double" -> "Double.longBitsToDouble(" + bits + ")";
            default -> bits;
        };
    }

    private static String toBits(Numeric number, String value) {
        return switch (number.carrier()) {
            case "float" -> "Float.floatToRawIntBits(" + value + ")";
            case "double" -> "Double.doubleToRawLongBits(" + value + ")";
            default -> value;
        };
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
                    : make(type, next);
        }
        return "new " + resultName(binding) + "("
                + binding.results().stream()
                        .map(result -> make(result.value(), next))
                        .collect(Collectors.joining(", ")) + ")";
    }

    private String make(DeviceType type, Iterator<String> parts) {
        return switch (type) {
            case Numeric number -> narrowed(number, parts.next());
            case Enumerated enumerated -> narrowed(DeviceTypes.underlying(enumerated), parts.next());
            case Reference _ -> parts.next();
            case Structure structure ->
                "new " + names.record(structure.of()) + "("
                        + components(structure.of()).stream()
                                .map(component -> make(component.type(), parts))
                                .collect(Collectors.joining(", "))
                        + ")";
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no value: " + type);
        };
    }

    private static String narrowed(Numeric number, String value) {
        return switch (number.java()) {
            case "boolean" -> value + " != 0";
            case "byte", "short" ->
                value.startsWith("(int) ")
                        ? "(" + number.java() + ") " + value.substring(6)
                        : "(" + number.java() + ") " + value;
            default -> value;
        };
    }

    /**
     * The numbers of a Java value, each as its carrier.
     *
     * @param top whether it is a parameter, where dense enums are themselves
     */
    private List<String> take(DeviceType type, String value, boolean top) {
        return switch (type) {
            case Numeric number -> List.of(number.java().equals("boolean") ? value + " ? 1 : 0" : value);
            case Enumerated enumerated ->
                top && DeviceNames.isDense(enumerated.of())
                        ? List.of(value)
                        : take(DeviceTypes.underlying(enumerated), value, false);
            case Reference _ -> List.of(value);
            case Structure structure ->
                components(structure.of()).stream()
                        .flatMap(component ->
                                take(component.type(), value + "." + component.name() + "()", false).stream())
                        .toList();
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no value: " + type);
        };
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
                List<Leaf> leaves = new ArrayList<>();
                DeviceTypes.leaves(argument.value(), 0, leaves);
                List<String> parts = new ArrayList<>();
                for (int i = 0; i < leaves.size(); i++) {
                    String part = leaves.size() == 1 ? argument.name() : argument.name() + "_" + i;
                    parameters.add(leaves.get(i).number().carrier() + " " + part);
                    parts.add(part);
                }
                values.add(make(argument.value(), parts.iterator()));
            }
        }
        String result = switch (binding.returning()) {
            case NOTHING, SLOTS -> "void";
            case PACKED -> "long";
            case SINGLE -> singleType(binding);
        };
        line(annotation(binding));
        line("private static " + result + " " + wrapperName(binding) + "(" + String.join(", ", parameters) + ") {");
        String call = "cpu." + binding.name() + "(" + arguments(binding, values.stream()) + ")";
        if (binding.returning() == Return.NOTHING) {
            line(call + ";\n}\n");
            return;
        }
        if (binding.isPointerResult()) {
            boolean plain = DeviceBinding.isPlainPointer(
                    ((Reference) binding.results().getFirst().value()).target());
            line("return " + call + (plain ? "" : ".at()") + ";\n}\n");
            return;
        }
        line(resultType(binding) + " result = " + call + ";");
        List<String> parts = new ArrayList<>();
        for (Result each : binding.results()) {
            boolean only = binding.results().size() == 1;
            parts.addAll(take(each.value(), only ? "result" : "result." + names.variable(each.name()) + "()", only));
        }
        List<Leaf> leaves = binding.resultLeaves();
        switch (binding.returning()) {
            case PACKED ->
                line("return (" + toBits(leaves.getFirst().number(), parts.getFirst()) + ") & 0xffffffffL | (long) ("
                        + toBits(leaves.getLast().number(), parts.getLast()) + ") << 32;");
            case SLOTS -> {
                for (int i = 0; i < leaves.size(); i++) {
                    line("slots.set(" + i + ", " + toBits(leaves.get(i).number(), parts.get(i)) + ");");
                }
            }
            case SINGLE, NOTHING -> line("return " + parts.getFirst() + ";");
        }
        line("}\n");
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
        line("/** For {@link " + simple + "#" + binding.name() + "}. */");
        line("default " + resultType(binding) + " " + binding.name() + "(" + parameters(binding, "") + ") {");
        line("throw new UnsupportedOperationException(\"" + config.className + "." + binding.name()
                + " has no version for the CPU; one is given with " + simple + ".cpu(...)\");");
        line("}\n");
    }
}
