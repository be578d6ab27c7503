// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
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
import org.comm4j.kernel.ir.Type;
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

    /** Returns the kind of a type; null of a type without one. */
    static @Nullable ElementKind of(Type.Scalar type) {
        return switch (type) {
            case I8 -> I8;
            case I16 -> I16;
            case I32 -> I32;
            case I64 -> I64;
            case F32 -> F32;
            case F64 -> F64;
            default -> null;
        };
    }
}
