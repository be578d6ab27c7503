// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.KernelArgument;
import org.comm4j.kernel.Ptr;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/** Makes what the driver takes of what a launch gives, and refuses what does not fit. */
public final class Arguments {
    private final String kernel;
    private final List<Parameter> parameters;

    /** @param kernel as messages call it */
    public Arguments(String kernel, List<Parameter> parameters) {
        this.kernel = kernel;
        this.parameters = parameters;
    }

    /**
     * Checks all and converts them.
     *
     * @param given for the parameters that are not bound
     * @return what {@link org.comm4j.cuda.Kernel} takes
     * @throws IllegalArgumentException if there are too many or too few, or one does not fit
     * @throws IllegalStateException if an array was freed
     */
    public Object[] convert(@Nullable Object... given) {
        List<Parameter> open =
                parameters.stream().filter(each -> each.bound() == null).toList();
        if (given.length != open.size()) {
            throw new IllegalArgumentException("kernel " + kernel + " has "
                    + (open.size() == 1 ? "one parameter" : open.size() + " parameters")
                    + open.stream().map(Parameter::toString).collect(Collectors.joining(", ", " (", ")"))
                    + ", but " + given.length + (given.length == 1 ? " argument is" : " arguments are") + " given");
        }
        Object[] made = new Object[parameters.size()];
        int next = 0;
        for (int i = 0; i < made.length; i++) {
            Object bound = parameters.get(i).bound();
            made[i] = convert(i, bound == null ? given[next++] : bound);
        }
        return made;
    }

    private Object convert(int index, @Nullable Object given) {
        Parameter parameter = parameters.get(index);
        Object value = accept(index, parameter, given);
        if (parameter.memory() instanceof Type.Scalar && !(value instanceof Enum<?>) && !(value instanceof Character)) {
            return value;
        }
        if (given instanceof DeviceArray array && parameter.memory() instanceof Type.Pointer) {
            return array;
        }
        MemorySegment bytes = MemorySegment.ofArray(
                new byte[Math.toIntExact(parameter.memory().bytes())]);
        List<Buffer> arrays = new ArrayList<>();
        write(index, value, parameter.memory(), bytes, 0, arrays);
        return new KernelArgument(bytes, arrays);
    }

    /** As the parameter's class. */
    private Object accept(int index, Parameter parameter, @Nullable Object given) {
        if (given == null) {
            throw new NullPointerException(where(index) + " is null");
        }
        Class<?> type = MethodType.methodType(parameter.type()).wrap().returnType();
        if (type.isInstance(given)) {
            return given;
        }
        if (given instanceof Buffer buffer && !type.isPrimitive()) {
            Object made = ofBuffer(index, type, buffer);
            if (made != null) {
                return made;
            }
        }
        throw new IllegalArgumentException(
                where(index) + ": expected " + expected(parameter) + ", given " + text(given));
    }

    private static String expected(Parameter parameter) {
        return Ptr.class.isAssignableFrom(parameter.type())
                ? parameter.type().getSimpleName() + " or a buffer of its elements"
                : parameter.type().getSimpleName();
    }

    private static String text(Object given) {
        String type = given.getClass().getSimpleName();
        String value = String.valueOf(given);
        return value.startsWith(type) ? value : type + " " + value;
    }

    /** A pointer or view of all of a buffer, by the class' own method; null if it has none. */
    private @Nullable Object ofBuffer(int index, Class<?> type, Buffer buffer) {
        if (!buffer.isAlive()) {
            throw freed(index, buffer);
        }
        try {
            return type.getMethod("of", Buffer.class).invoke(null, buffer);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    where(index) + ": " + e.getCause().getMessage(), e.getCause());
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    private void write(int index, Object value, Type type, MemorySegment bytes, long at, List<Buffer> arrays) {
        switch (value) {
            case Boolean truth -> bytes.set(JAVA_BYTE, at, (byte) (truth ? 1 : 0));
            case Byte number -> bytes.set(JAVA_BYTE, at, number);
            case Short number -> bytes.set(JAVA_SHORT_UNALIGNED, at, number);
            case Character letter -> bytes.set(JAVA_SHORT_UNALIGNED, at, (short) (char) letter);
            case Integer number -> bytes.set(JAVA_INT_UNALIGNED, at, number);
            case Long number -> bytes.set(JAVA_LONG_UNALIGNED, at, number);
            case Float number -> bytes.set(JAVA_FLOAT_UNALIGNED, at, number);
            case Double number -> bytes.set(JAVA_DOUBLE_UNALIGNED, at, number);
            case Enum<?> constant -> bytes.set(JAVA_INT_UNALIGNED, at, constant.ordinal());
            case Ptr pointer -> {
                Buffer buffer = pointer.buffer();
                if (buffer != null) {
                    if (!buffer.isAlive()) {
                        throw freed(index, buffer);
                    }
                    arrays.add(buffer);
                }
                bytes.set(JAVA_LONG_UNALIGNED, at, pointer.address());
            }
            case Record record
            when type instanceof Type.Struct struct -> {
                RecordComponent[] components = record.getClass().getRecordComponents();
                if (components.length != struct.fields().size()) {
                    throw new IllegalStateException(where(index) + ": " + struct + " is not made as "
                            + record.getClass().getName());
                }
                for (int i = 0; i < components.length; i++) {
                    write(
                            index,
                            component(index, record, components[i]),
                            struct.fields().get(i),
                            bytes,
                            at + struct.offset(i),
                            arrays);
                }
            }
            default ->
                throw new IllegalArgumentException(
                        where(index) + ": a " + value.getClass().getName() + " cannot be given to a kernel");
        }
    }

    private Object component(int index, Record record, RecordComponent component) {
        Method accessor = component.getAccessor();
        if (!accessor.trySetAccessible()) {
            throw new IllegalArgumentException(where(index) + ": "
                    + record.getClass().getName() + " cannot be read; open its package to org.comm4j.kernel");
        }
        try {
            Object value = accessor.invoke(record);
            if (value == null) {
                throw new NullPointerException(where(index) + ": " + component.getName() + " is null");
            }
            return value;
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalArgumentException(where(index) + ": " + component.getName() + " cannot be read", e);
        }
    }

    private IllegalStateException freed(int index, Buffer buffer) {
        return new IllegalStateException(where(index) + ": " + buffer + " was freed");
    }

    private String where(int index) {
        return "kernel " + kernel + ", parameter " + (index + 1) + " '"
                + parameters.get(index).name() + "'";
    }
}
