// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.comm4j.bindgen.CTypes.Aggregate;
import org.comm4j.bindgen.CTypes.DataPointer;
import org.comm4j.bindgen.CTypes.Handle;
import org.comm4j.bindgen.CTypes.Kind;
import org.comm4j.bindgen.CTypes.Nothing;
import org.comm4j.bindgen.CTypes.Pointer;
import org.comm4j.bindgen.CTypes.Value;

/**
 * The shapes of a package's calls: many functions, few combinations of types, each linked once and only when first
 * called.
 */
final class Shapes {
    private final String packageName;
    private final Map<String, Shape> shapes = new TreeMap<>();

    Shapes(String packageName) {
        this.packageName = packageName;
    }

    private record Shape(String name, Kind result, List<Kind> parameters) {
        /** Overloads cannot tell structs from pointers, so these are in the name. */
        String method() {
            StringBuilder name = new StringBuilder("call")
                    .append(
                            switch (result) {
                                case Nothing() -> "Void";
                                case Aggregate(String struct) -> JavaNames.ofClass(struct);
                                case Value value -> capital(value.java());
                                case DataPointer(), Pointer(), Handle _ -> "Long";
                            });
            parameters.forEach(kind ->
                    name.append(kind instanceof Aggregate(String struct) ? "With" + JavaNames.ofClass(struct) : ""));
            return name.toString();
        }
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /** The method that makes such a call. */
    String add(Kind result, List<Kind> parameters) {
        String name =
                letter(result) + "_" + parameters.stream().map(Shapes::letter).collect(Collectors.joining());
        Shape shape = new Shape(name, result, List.copyOf(parameters));
        shapes.putIfAbsent(name, shape);
        return shape.method();
    }

    private static String letter(Kind kind) {
        return switch (kind) {
            case Nothing() -> "V";
            case Value value ->
                value.java().equals("boolean")
                        ? "Z"
                        : value.java().equals("long")
                                ? "J"
                                : value.java().substring(0, 1).toUpperCase(java.util.Locale.ROOT);
            case DataPointer(), Handle _ -> "J";
            case Pointer() -> "A";
            case Aggregate(String struct) -> "_" + JavaNames.ofClass(struct) + "_";
        };
    }

    private static String layout(Kind kind) {
        return switch (kind) {
            case Value value -> "JAVA_" + value.java().toUpperCase(java.util.Locale.ROOT);
            case DataPointer(), Handle _ -> "JAVA_LONG";
            case Pointer() -> "ADDRESS";
            case Aggregate(String struct) -> JavaNames.ofClass(struct) + ".LAYOUT";
            case Nothing() -> throw new IllegalArgumentException("void has no layout");
        };
    }

    private static String javaType(Kind kind) {
        return switch (kind) {
            case Nothing() -> "void";
            case Value value -> value.java();
            case DataPointer(), Handle _ -> "long";
            case Pointer(), Aggregate _ -> "MemorySegment";
        };
    }

    /** The class with all calls of the package. */
    String file() {
        Set<String> layouts = new TreeSet<>();
        StringBuilder body = new StringBuilder();
        for (Shape shape : shapes.values()) {
            List<Kind> all = new ArrayList<>(shape.parameters());
            if (!(shape.result() instanceof Nothing)) {
                all.addFirst(shape.result());
            }
            all.stream().map(Shapes::layout).filter(name -> !name.contains(".")).forEach(layouts::add);
            body.append(call(shape));
        }
        return """
                // Copyright the comm4j authors.
                // SPDX-License-Identifier: Apache-2.0

                package %s;

                %s
                import java.lang.foreign.FunctionDescriptor;
                import java.lang.foreign.Linker;
                import java.lang.foreign.MemorySegment;
                import java.lang.foreign.SegmentAllocator;
                import java.lang.invoke.MethodHandle;

                /**
                 * Calls of C functions at an address, one method a combination of types; generated. A constant method handle with the address as
                 * its leading argument costs what a handle bound to one function costs, so functions of one shape share it.
                 */
                @SuppressWarnings({"restricted", "unused"}) // calling C is what this class is for
                final class Downcalls {
                    private static final Linker LINKER = Linker.nativeLinker();

                    private Downcalls() {}

                    /** A call does not throw what it does not throw in C: wrong states of Java's own objects come as they are. */
                    private static RuntimeException unexpected(Throwable cause) {
                        return switch (cause) {
                            case RuntimeException e -> e;
                            case Error e -> throw e;
                            default -> throw new AssertionError("a call into a native library threw", cause);
                        };
                    }

                    %s
                }
                """.formatted(
                        packageName,
                        layouts.stream()
                                .map(name -> "import static java.lang.foreign.ValueLayout." + name + ";\n")
                                .collect(Collectors.joining()),
                        body)
                .replace(
                        body.indexOf("SegmentAllocator") < 0 ? "import java.lang.foreign.SegmentAllocator;\n" : "\0",
                        "")
                .replace("default -> throw new AssertionError", "default -> throw new AssertionError");
    }

    private static String call(Shape shape) {
        List<String> parameters = new ArrayList<>(List.of("MemorySegment function"));
        List<String> arguments = new ArrayList<>(List.of("function"));
        if (shape.result() instanceof Aggregate) {
            parameters.add("SegmentAllocator allocator");
            arguments.add("allocator");
        }
        char name = 'a';
        for (Kind kind : shape.parameters()) {
            parameters.add(javaType(kind) + " " + name);
            arguments.add("" + name);
            name++;
        }
        boolean nothing = shape.result() instanceof Nothing;
        String layouts = shape.parameters().stream().map(Shapes::layout).collect(Collectors.joining(", "));
        String descriptor = nothing
                ? "FunctionDescriptor.ofVoid(" + layouts + ")"
                : "FunctionDescriptor.of(" + layout(shape.result()) + (layouts.isEmpty() ? "" : ", ") + layouts + ")";
        String type = javaType(shape.result());
        return """
                static %s %s(%s) {
                    class Linked {
                        static final MethodHandle CALL = LINKER.downcallHandle(%s);
                    }
                    try {
                        %sLinked.CALL.invokeExact(%s);
                    } catch (Throwable thrown) {
                        throw unexpected(thrown);
                    }
                }

                """.formatted(
                        type,
                        shape.method(),
                        String.join(", ", parameters),
                        descriptor,
                        nothing ? "" : "return (" + type + ") ",
                        String.join(", ", arguments));
    }
}
