// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.constant.ClassDesc;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/** What Java's classes are in a kernel. */
final class Types {
    static final String PACKAGE = "org.comm4j.kernel.lang";
    static final String ROOT = PACKAGE + ".";

    /** A class that does not exist in kernels, and why. */
    static final class UnsupportedType extends Exception {
        private static final long serialVersionUID = 1;

        private final transient @Nullable String hint;

        UnsupportedType(String message, @Nullable String hint) {
            super(message);
            this.hint = hint;
        }

        String reason() {
            return String.valueOf(getMessage());
        }

        @Nullable
        String hint() {
            return hint;
        }
    }

    private final Map<Class<?>, JavaType.Record> records = new HashMap<>();
    private final Map<Class<?>, JavaType.Union> unions = new HashMap<>();
    /** What was looked at in any way: as long as these are the same, so is what is made of them. */
    final Set<Class<?>> seen = new LinkedHashSet<>();

    private final Set<String> names = new HashSet<>();

    /** The class of a descriptor, as {@code from} sees it; not initialised. */
    Class<?> load(ClassDesc type, Class<?> from) throws ClassNotFoundException {
        if (type.isPrimitive()) {
            return switch (Primitive.valueOf(type.displayName().toUpperCase(java.util.Locale.ROOT))) {
                case VOID -> void.class;
                case BOOLEAN -> boolean.class;
                case BYTE -> byte.class;
                case SHORT -> short.class;
                case CHAR -> char.class;
                case INT -> int.class;
                case LONG -> long.class;
                case FLOAT -> float.class;
                case DOUBLE -> double.class;
            };
        }
        String descriptor = type.descriptorString();
        String name = type.isArray()
                ? descriptor.replace('/', '.')
                : descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
        Class<?> loaded = Class.forName(name, false, from.getClassLoader());
        seen.add(loaded);
        return loaded;
    }

    static boolean isPointer(Class<?> type) {
        Class<?> above = type.getSuperclass();
        return type.getName().equals(ROOT + "Ptr") || (above != null && isPointer(above));
    }

    /**
     * What values of a class are in memory and as parameters.
     *
     * @throws UnsupportedType if there are none
     */
    JavaType of(Class<?> type) throws UnsupportedType {
        seen.add(type);
        if (type.isPrimitive()) {
            return Primitive.valueOf(type.getName().toUpperCase(java.util.Locale.ROOT));
        }
        if (type.isArray()) {
            if (type.getComponentType().isArray()) {
                throw new UnsupportedType(
                        "an array of arrays needs all its sizes where it is made", "write new float[N][M]");
            }
            JavaType element = of(type.getComponentType());
            if (!element.isStored()) {
                throw new UnsupportedType("an array of " + element + ", which has no components", null);
            }
            return new JavaType.Array(element, false, Set.of());
        }
        if (isPointer(type)) {
            return new JavaType.Pointer(type);
        }
        if (type.isEnum()) {
            return new JavaType.Enumeration(type);
        }
        if (type.isRecord()) {
            return record(type);
        }
        throw new UnsupportedType(type.getName() + " does not exist on the GPU", Hints.forType(type));
    }

    /**
     * Returns the union of the sealed interface that two values have in common; null if there is none whose classes are
     * all records.
     */
    JavaType.@Nullable Union union(JavaType one, JavaType other) {
        Class<?> first = ofUnion(one);
        Class<?> second = ofUnion(other);
        if (first == null || second == null) {
            return null;
        }
        JavaType.Union smallest = null;
        for (Class<?> above : sealed(first)) {
            JavaType.Union made = above.isAssignableFrom(second) ? union(above) : null;
            if (made != null
                    && (smallest == null
                            || made.members().size() < smallest.members().size())) {
                smallest = made;
            }
        }
        return smallest;
    }

    private static @Nullable Class<?> ofUnion(JavaType type) {
        return switch (type) {
            case JavaType.Record record -> record.of();
            case JavaType.Union union -> union.of();
            default -> null;
        };
    }

    /** Returns the sealed interfaces of a class, itself among them. */
    private static Set<Class<?>> sealed(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        if (type.isSealed()) {
            all.add(type);
        }
        for (Class<?> above : type.getInterfaces()) {
            all.addAll(sealed(above));
        }
        return all;
    }

    private JavaType.@Nullable Union union(Class<?> type) {
        JavaType.Union known = unions.get(type);
        if (known != null) {
            return known;
        }
        Set<Class<?>> leaves = new LinkedHashSet<>();
        leaves(type, leaves);
        List<JavaType.Record> members = new ArrayList<>();
        long bytes = 0;
        for (Class<?> leaf : leaves) {
            try {
                if (!leaf.isRecord() || !(of(leaf) instanceof JavaType.Record member)) {
                    return null;
                }
                members.add(member);
                bytes = Math.max(bytes, member.isStored() ? member.struct().bytes() : 0);
            } catch (UnsupportedType unsupported) {
                return null;
            }
        }
        List<Type> fields = new ArrayList<>(List.of(Type.Scalar.I64));
        for (long at = 0; at < bytes; at += Long.BYTES) {
            fields.add(Type.Scalar.I64);
        }
        String name = type.getSimpleName();
        for (int i = 2; !names.add(name); i++) {
            name = type.getSimpleName() + "_" + i;
        }
        JavaType.Union made = new JavaType.Union(type, members, new Type.Struct(name, fields));
        unions.put(type, made);
        return made;
    }

    private void leaves(Class<?> type, Set<Class<?>> leaves) {
        seen.add(type);
        if (!type.isSealed()) {
            leaves.add(type);
            return;
        }
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            leaves(permitted, leaves);
        }
    }

    private JavaType.Record record(Class<?> type) throws UnsupportedType {
        JavaType.Record known = records.get(type);
        if (known != null) {
            return known;
        }
        List<JavaType> components = new ArrayList<>();
        List<Type> fields = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            JavaType of;
            try {
                of = of(component.getType());
            } catch (UnsupportedType deeper) {
                throw new UnsupportedType(
                        "component " + component.getName() + " of record " + type.getSimpleName() + ": "
                                + deeper.reason(),
                        deeper.hint());
            }
            if (of instanceof JavaType.Array) {
                throw new UnsupportedType(
                        "component " + component.getName() + " of record " + type.getSimpleName()
                                + " is an array, which has no value",
                        "use a typed pointer, or single components");
            }
            if (!of.isStored()) {
                throw new UnsupportedType(
                        "component " + component.getName() + " of record " + type.getSimpleName()
                                + " is a record without components, which is no value",
                        "call its methods on a new one");
            }
            components.add(of);
            fields.add(of.memory());
        }
        String simple = type.getSimpleName();
        String name = simple;
        for (int i = 2; !names.add(name); i++) {
            name = simple + "_" + i;
        }
        JavaType.Record made = new JavaType.Record(type, components, new Type.Struct(name, fields));
        records.put(type, made);
        return made;
    }
}
