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
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.KernelArgument;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.lang.Ptr;

/** Makes what the driver takes of the values of a kernel's parameters. */
public final class Packing {
    private final List<Parameter> parameters;
    private final List<Type> memory;

    /** @param memory what the GPU reads: of each parameter, or of each component of one that is a restricted record */
    public Packing(List<Parameter> parameters, List<Type> memory) {
        this.parameters = List.copyOf(parameters);
        this.memory = List.copyOf(memory);
    }

    /**
     * As the driver takes them.
     *
     * @param values that {@link Arguments} has no objection to
     * @return what {@link org.comm4j.cuda.CudaFunction} takes
     */
    public Object[] pack(Object... values) {
        Object[] made = new Object[memory.size()];
        int next = 0;
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = parameters.get(i);
            if (values[i] instanceof Record record && parameter.restricted()) {
                Components components = Components.of(record);
                for (int k = 0; k < components.count(); k++) {
                    made[next] = pack(parameter, components.value(record, k, () -> named(parameter)), memory.get(next));
                    next++;
                }
            } else {
                made[next] = pack(parameter, values[i], memory.get(next));
                next++;
            }
        }
        return made;
    }

    /** For messages. */
    private static String named(Parameter parameter) {
        return "parameter " + parameter;
    }

    private static Object pack(Parameter parameter, Object value, Type type) {
        if (type instanceof Type.Scalar && !(value instanceof Enum<?>) && !(value instanceof Character)) {
            return value;
        }
        if (value instanceof Ptr pointer
                && pointer.buffer() instanceof DeviceArray array
                && pointer.address() == array.address()) {
            return array;
        }
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(type.bytes())]);
        List<Buffer> arrays = new ArrayList<>();
        write(parameter, value, type, bytes, 0, arrays);
        return new KernelArgument(bytes, arrays);
    }

    private static void write(
            Parameter parameter, Object value, Type type, MemorySegment bytes, long at, List<Buffer> arrays) {
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
                if (pointer.buffer() != null) {
                    arrays.add(pointer.buffer());
                }
                bytes.set(JAVA_LONG_UNALIGNED, at, pointer.address());
            }
            case Record record
            when type instanceof Type.Struct struct -> {
                Components components = Components.of(record);
                if (components.count() != struct.fields().size()) {
                    throw new IllegalStateException(named(parameter) + ": " + struct + " is not made as "
                            + record.getClass().getName());
                }
                for (int i = 0; i < components.count(); i++) {
                    write(
                            parameter,
                            components.value(record, i, () -> named(parameter)),
                            struct.fields().get(i),
                            bytes,
                            at + struct.offset(i),
                            arrays);
                }
            }
            default ->
                throw new IllegalArgumentException(
                        named(parameter) + ": a " + value.getClass().getName() + " cannot be given to a kernel");
        }
    }
}
