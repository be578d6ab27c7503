// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.TypeKind;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;

/**
 * What is known of an operand when the kernel is compiled. Types that have no {@linkplain #isStored() value} say all
 * there is to know of it: the text of a string, which exception it is.
 */
sealed interface JavaType {
    /** On the stack everything below {@code int} is an {@code int}. */
    enum Primitive implements JavaType {
        VOID(Scalar.VOID, Scalar.VOID),
        BOOLEAN(Scalar.I32, Scalar.I8),
        BYTE(Scalar.I32, Scalar.I8),
        SHORT(Scalar.I32, Scalar.I16),
        CHAR(Scalar.I32, Scalar.I16),
        INT(Scalar.I32, Scalar.I32),
        LONG(Scalar.I64, Scalar.I64),
        FLOAT(Scalar.F32, Scalar.F32),
        DOUBLE(Scalar.F64, Scalar.F64);

        private final Scalar value;
        private final Scalar memory;

        Primitive(Scalar value, Scalar memory) {
            this.value = value;
            this.memory = memory;
        }

        /** Returns what it is in a method's descriptor. */
        String descriptor() {
            return this == BOOLEAN ? "Z" : this == LONG ? "J" : name().substring(0, 1);
        }

        static Primitive of(TypeKind kind) {
            return valueOf(kind.name());
        }

        @Override
        public Scalar value() {
            return value;
        }

        @Override
        public Scalar memory() {
            return memory;
        }

        @Override
        public JavaType onStack() {
            return value == Scalar.I32 ? INT : this;
        }

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** A typed pointer: an address. */
    record Pointer(Class<?> of) implements JavaType {
        @Override
        public Type value() {
            return Type.Pointer.GENERIC;
        }

        @Override
        public String toString() {
            return of.getSimpleName();
        }
    }

    /** A record: a struct as a value. One without components only says which it is. */
    @SuppressWarnings("AvoidCommonTypeNames") // always JavaType.Record
    record Record(Class<?> of, List<JavaType> components, Type.Struct struct) implements JavaType {
        /** Without components nothing is left of it at run time. */
        @Override
        public Type value() {
            return components.isEmpty() ? Scalar.VOID : struct;
        }

        @Override
        public String toString() {
            return of.getSimpleName();
        }
    }

    /**
     * One of the records of a sealed interface, by a tag: the number of the record, from 1 on, and memory for the
     * largest of them. 0 is no record.
     *
     * @param of the interface
     * @param members its records, which are all there can be
     */
    record Union(Class<?> of, List<Record> members, Type.Struct struct) implements JavaType {
        @Override
        public Type value() {
            return struct;
        }

        @Override
        public String toString() {
            return of.getSimpleName();
        }
    }

    /** A constant of an enum: its ordinal. */
    record Enumeration(Class<?> of) implements JavaType {
        @Override
        public Type value() {
            return Scalar.I32;
        }

        @Override
        public String toString() {
            return of.getSimpleName();
        }
    }

    /**
     * A pointer and the number of elements.
     *
     * @param constant whether it cannot be written
     * @param sites the instructions of this method that have made it; its memory is theirs
     */
    record Array(JavaType element, boolean constant, Set<Integer> sites) implements JavaType {
        static final Type.Struct VALUE = new Type.Struct("array", List.of(Type.Pointer.GENERIC, Scalar.I32));

        public Array {
            sites = Set.copyOf(sites);
        }

        @Override
        public Type value() {
            return VALUE;
        }

        @Override
        public String toString() {
            return element + "[]";
        }
    }

    /** A row of an array of arrays: the elements one after the other, as many in each row. */
    record Row(JavaType element, long length) implements JavaType {
        @Override
        public Type value() {
            return Array.VALUE;
        }

        @Override
        public Type memory() {
            return new Type.Array(element.memory(), length);
        }

        @Override
        public String toString() {
            return element + "[]";
        }
    }

    /** A constant of an enum that a lambda has captured: it is known in the lambda as it is outside of it. */
    record Known(Enumeration type, Value constant) implements JavaType {
        @Override
        public Type value() {
            return Scalar.VOID;
        }

        @Override
        public String toString() {
            return type.toString();
        }
    }

    /**
     * A lambda or method reference: a struct of what it has captured.
     *
     * @param type the interface
     * @param method the one of the interface
     * @param code what it runs
     * @param in the class that it was made in
     */
    record Closure(Class<?> type, String method, DirectMethodHandleDesc code, Class<?> in, List<JavaType> captured)
            implements JavaType {
        @Override
        public Type value() {
            List<Type> fields = captured.stream()
                    .filter(JavaType::isStored)
                    .map(JavaType::value)
                    .toList();
            return fields.isEmpty() ? Scalar.VOID : new Type.Struct("closure", fields);
        }

        @Override
        public String toString() {
            return type.getSimpleName();
        }
    }

    /** Memory of a record that is being constructed: {@code this} in its constructor. */
    record Self(Record record) implements JavaType {
        @Override
        public Type value() {
            return Type.Pointer.GENERIC;
        }

        @Override
        public String toString() {
            return record.toString();
        }
    }

    /** Index into {@code $SwitchMap$}: still the ordinal, which the switch that follows looks up. */
    record Mapped(List<Integer> map) implements JavaType {
        @Override
        public Type value() {
            return Scalar.I32;
        }
    }

    /** The number of the case whose pattern fits, and which it can be. */
    record Chosen(Set<Integer> possible) implements JavaType {
        public Chosen {
            possible = Set.copyOf(possible);
        }

        @Override
        public Type value() {
            return Scalar.I32;
        }
    }

    /** A number on its way into the arguments of {@code printf}. */
    record Boxed(Primitive of) implements JavaType {
        @Override
        public Type value() {
            return of.value();
        }

        @Override
        public String toString() {
            return of.toString();
        }
    }

    /** A class by its name, for {@code Shared.of}. */
    record Literal(Class<?> of) implements JavaType {
        @Override
        public String toString() {
            return of.getName()
                            .substring(
                                    of.getPackageName().isEmpty()
                                            ? 0
                                            : of.getPackageName().length() + 1)
                            .replace('$', '.')
                    + ".class";
        }
    }

    /** A string constant. */
    record Text(String text) implements JavaType {
        @Override
        public String toString() {
            return "String";
        }
    }

    /** An exception that will be thrown. */
    record Failure(Class<?> of, String message) implements JavaType {
        @Override
        public String toString() {
            return of.getSimpleName();
        }
    }

    /** Arguments of {@code printf}, by the instruction that made the array. */
    record Arguments(int site) implements JavaType {}

    /** What {@code new} has made, before its constructor. */
    record Uninitialised(Class<?> of, int site) implements JavaType {}

    /** The array that {@code javac} makes to switch over an enum. */
    record SwitchMap(List<Integer> map) implements JavaType {}

    /** Simple things that are known by their name. */
    enum Other implements JavaType {
        NULL,
        /** Follows from something that has been reported. */
        UNKNOWN;

        @Override
        public String toString() {
            return this == NULL ? "null" : "something unknown";
        }
    }

    /** What an operand is; {@code VOID} if nothing is left of it at run time. */
    default Type value() {
        return Scalar.VOID;
    }

    /** What an element of an array or a component of a record is. */
    default Type memory() {
        return value();
    }

    default JavaType onStack() {
        return this;
    }

    default boolean isStored() {
        return value() != Scalar.VOID;
    }

    /** Adds where the arrays were made that it is, or that a lambda has. */
    default void addSites(Set<Integer> sites) {
        switch (this) {
            case Array array -> sites.addAll(array.sites());
            case Closure closure -> closure.captured().forEach(each -> each.addSites(sites));
            default -> {}
        }
    }
}
