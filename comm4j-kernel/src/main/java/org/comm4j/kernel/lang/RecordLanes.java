// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Records that threads of a warp hand each other on the CPU: component by component, as a GPU does it. */
final class RecordLanes {
    /** How 32 bits come from another thread. */
    interface Exchange {
        int bits(int own);
    }

    private record Shape(List<Method> accessors, Constructor<?> constructor) {
        static Shape of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            try {
                Constructor<?> canonical = type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
                canonical.setAccessible(true);
                List<Method> accessors = Arrays.stream(components)
                        .map(RecordComponent::getAccessor)
                        .toList();
                accessors.forEach(each -> each.setAccessible(true));
                return new Shape(accessors, canonical);
            } catch (NoSuchMethodException | InaccessibleObjectException closed) {
                throw new IllegalArgumentException(
                        "a shuffle of " + type.getName() + ": its components cannot be read; open its package to"
                                + " org.comm4j.kernel",
                        closed);
            }
        }
    }

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private RecordLanes() {}

    /** Returns the record whose bits another thread has. */
    @SuppressWarnings("unchecked")
    static <T extends Record> T exchange(T value, Exchange exchange) {
        return (T) of(value, exchange);
    }

    private static Object of(Object value, Exchange exchange) {
        return switch (value) {
            case Integer number -> exchange.bits(number);
            case Float number -> Float.intBitsToFloat(exchange.bits(Float.floatToRawIntBits(number)));
            case Long number -> wide(number, exchange);
            case Double number -> Double.longBitsToDouble(wide(Double.doubleToRawLongBits(number), exchange));
            case Boolean truth -> exchange.bits(truth ? 1 : 0) != 0;
            case Byte number -> (byte) exchange.bits(number);
            case Short number -> (short) exchange.bits(number);
            case Character letter -> (char) exchange.bits(letter);
            case Enum<?> constant -> constant.getDeclaringClass().getEnumConstants()[exchange.bits(constant.ordinal())];
            case Record record -> record(record, exchange);
            default ->
                throw new IllegalArgumentException("a shuffle of a record with a "
                        + value.getClass().getSimpleName() + ": components are numbers, enums and records of them");
        };
    }

    private static long wide(long own, Exchange exchange) {
        int low = exchange.bits((int) own);
        int high = exchange.bits((int) (own >>> Integer.SIZE));
        return (long) high << Integer.SIZE | low & 0xffff_ffffL;
    }

    private static Object record(Record record, Exchange exchange) {
        Shape shape = SHAPES.get(record.getClass());
        Object[] components = new Object[shape.accessors().size()];
        try {
            for (int i = 0; i < components.length; i++) {
                components[i] = of(shape.accessors().get(i).invoke(record), exchange);
            }
            return shape.constructor().newInstance(components);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "a shuffle of " + record.getClass().getName() + " fails", e);
        }
    }
}
