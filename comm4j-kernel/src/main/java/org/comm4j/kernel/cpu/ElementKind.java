// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What the pointers that rows read and write through point to. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state, and descriptions of types
enum ElementKind {
    I8(TypeKind.BYTE, ByteBuffer.class, b -> b, byte[]::new, ValueLayout.JAVA_BYTE),
    I16(TypeKind.SHORT, ShortBuffer.class, ByteBuffer::asShortBuffer, short[]::new, ValueLayout.JAVA_SHORT_UNALIGNED),
    I32(TypeKind.INT, IntBuffer.class, ByteBuffer::asIntBuffer, int[]::new, ValueLayout.JAVA_INT_UNALIGNED),
    I64(TypeKind.LONG, LongBuffer.class, ByteBuffer::asLongBuffer, long[]::new, ValueLayout.JAVA_LONG_UNALIGNED),
    F32(TypeKind.FLOAT, FloatBuffer.class, ByteBuffer::asFloatBuffer, float[]::new, ValueLayout.JAVA_FLOAT_UNALIGNED),
    F64(
            TypeKind.DOUBLE,
            DoubleBuffer.class,
            ByteBuffer::asDoubleBuffer,
            double[]::new,
            ValueLayout.JAVA_DOUBLE_UNALIGNED);

    final TypeKind type;
    final ClassDesc primitive;
    final ClassDesc buffer;
    final Function<ByteBuffer, Buffer> view;
    final IntFunction<Object> array;
    final ValueLayout layout;
    final int bytes;

    ElementKind(
            TypeKind type,
            Class<?> buffer,
            Function<ByteBuffer, Buffer> view,
            IntFunction<Object> array,
            ValueLayout layout) {
        this.type = type;
        this.primitive = type.upperBound();
        this.buffer = ClassDesc.of(buffer.getName());
        this.view = view;
        this.array = array;
        this.layout = layout;
        this.bytes = (int) layout.byteSize();
    }

    /** Of a class by its internal name; null for what is not a pointer to such elements. */
    static @Nullable ElementKind ofPointer(String owner) {
        return of(owner, "Ptr");
    }

    /** Of a class by its internal name; null for what is not a view of such elements. */
    static @Nullable ElementKind ofView(String owner) {
        return of(owner, "View");
    }

    private static @Nullable ElementKind of(String owner, String suffix) {
        for (ElementKind kind : values()) {
            if (owner.equals("org/comm4j/kernel/lang/" + kind.name() + suffix)) {
                return kind;
            }
        }
        return null;
    }

    ClassDesc viewClass() {
        return ClassDesc.of(Vocabulary.LANGUAGE + "." + name() + "View");
    }

    /** {@code get(long)}. */
    String getter() {
        return "(" + ConstantDescs.CD_long.descriptorString() + ")" + primitive.descriptorString();
    }

    /** {@code set(long, value)}. */
    String setter() {
        return "(" + ConstantDescs.CD_long.descriptorString() + primitive.descriptorString() + ")V";
    }
}
