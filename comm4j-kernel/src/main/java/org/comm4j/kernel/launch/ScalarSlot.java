// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

/** A number among arguments that stay from launch to launch: another value takes no object. */
public final class ScalarSlot {
    private final Class<?> type;
    private long bits;

    private ScalarSlot(Object value) {
        type = value.getClass();
        bits = bits(value);
    }

    /** Returns what stands for an argument: a slot for a number or truth value, anything else itself. */
    public static Object of(Object argument) {
        return argument instanceof Number || argument instanceof Boolean ? new ScalarSlot(argument) : argument;
    }

    /**
     * Changes the value.
     *
     * @return whether it is of the type of the one before; if not, nothing has changed
     */
    public boolean set(Class<?> ofType, long newBits) {
        if (ofType != type) {
            return false;
        }
        bits = newBits;
        return true;
    }

    /** Returns the class of the values. */
    Class<?> type() {
        return type;
    }

    /** Returns the bits of the value, as {@link #bits(Object)} does. */
    long bits() {
        return bits;
    }

    /** Returns the value as an object. */
    Object value() {
        if (type == Boolean.class) {
            return bits != 0;
        }
        if (type == Byte.class) {
            return (byte) bits;
        }
        if (type == Short.class) {
            return (short) bits;
        }
        if (type == Integer.class) {
            return (int) bits;
        }
        if (type == Float.class) {
            return Float.intBitsToFloat((int) bits);
        }
        return type == Double.class ? (Object) Double.longBitsToDouble(bits) : (Object) bits;
    }

    /** Returns the bits of a number, a letter, a truth value, or the place of a constant in its enum. */
    static long bits(Object value) {
        return switch (value) {
            case Integer number -> number;
            case Float number -> Float.floatToRawIntBits(number);
            case Double number -> Double.doubleToRawLongBits(number);
            case Number number -> number.longValue();
            case Boolean truth -> truth ? 1 : 0;
            case Character character -> character;
            case Enum<?> constant -> constant.ordinal();
            default -> throw new IllegalArgumentException(value.toString());
        };
    }
}
