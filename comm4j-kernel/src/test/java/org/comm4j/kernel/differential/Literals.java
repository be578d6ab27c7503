// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import org.comm4j.kernel.differential.Node.Kind;

/** Constants and functions of the JDK that kernels are drawn from: what is special in each type. */
final class Literals {
    static final Kind[] NUMBERS = {
        Kind.BYTE, Kind.SHORT, Kind.CHAR, Kind.INT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE
    };
    static final Kind[] SMALL = {Kind.BYTE, Kind.SHORT, Kind.CHAR, Kind.INT, Kind.INT, Kind.INT};
    static final Kind[] VALUES = {
        Kind.BOOLEAN, Kind.BYTE, Kind.SHORT, Kind.CHAR, Kind.INT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE
    };
    private static final String[] INTS = {
        "0",
        "1",
        "(-1)",
        "2",
        "3",
        "5",
        "7",
        "31",
        "32",
        "33",
        "63",
        "64",
        "65",
        "(-31)",
        "100",
        "127",
        "128",
        "255",
        "32767",
        "65536",
        "(-32769)",
        "1000003",
        "0x7fffffff",
        "(-2147483648)",
        "(-2147483647)",
        "0x55555555",
        "(-2)",
        "30",
        "(-32)",
        "(-127)",
        "(-128)",
        "(-129)",
        "256",
        "32768",
        "(-32768)",
        "65535",
        "(-65536)",
        "0x7ffffffe",
        "0x40000000",
        "(-1073741825)",
        "16777217"
    };
    private static final String[] LONGS = {
        "0L",
        "1L",
        "(-1L)",
        "2L",
        "31L",
        "33L",
        "63L",
        "64L",
        "65L",
        "4294967296L",
        "2147483648L",
        "(-2147483649L)",
        "Long.MAX_VALUE",
        "Long.MIN_VALUE",
        "0x5555555555555555L",
        "9007199254740993L",
        "1000000007L",
        "(-2L)",
        "(-63L)",
        "62L",
        "2147483647L",
        "(-2147483648L)",
        "4294967295L",
        "(-4294967297L)",
        "(Long.MAX_VALUE - 1L)",
        "(Long.MIN_VALUE + 1L)",
        "(-9007199254740993L)",
        "0x4000000000000000L"
    };
    private static final String[] REALS = {
        "0.0",
        "(-0.0)",
        "1.0",
        "(-1.0)",
        "0.5",
        "1.5",
        "2.5",
        "(-2.5)",
        "0.1",
        "3.0",
        "1e10",
        "(-1e10)",
        "16777217.0",
        "2147483647.0",
        "2147483648.0",
        "(-2147483649.0)",
        "9.2233720368547758E18",
        "(-1e19)",
        "1e30",
        "4.9"
    };
    static final String[] FUNCTIONS_I = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "Math.floorDiv($0, nonZero($1))",
        "Math.floorMod($0, nonZero($1))",
        "Math.ceilDiv($0, nonZero($1))",
        "Integer.bitCount($0)",
        "Integer.numberOfLeadingZeros($0)",
        "Integer.numberOfTrailingZeros($0)",
        "Integer.rotateLeft($0, $1)",
        "Integer.rotateRight($0, $1)",
        "Integer.reverse($0)",
        "Integer.reverseBytes($0)",
        "Integer.highestOneBit($0)",
        "Integer.lowestOneBit($0)",
        "Integer.compare($0, $1)",
        "Integer.compareUnsigned($0, $1)",
        "Integer.signum($0)",
        "Integer.divideUnsigned($0, nonZero($1))",
        "Integer.remainderUnsigned($0, nonZero($1))",
        "Integer.compress($0, $1)",
        "Integer.expand($0, $1)",
        "Integer.max($0, $1)",
        "Integer.sum($0, $1)",
        "Math.ceilMod($0, nonZero($1))",
        "Math.clamp((long) ($0), -7, 1000)",
        "Byte.toUnsignedInt((byte) ($0))",
        "Short.toUnsignedInt((short) ($0))",
        "((int) Short.reverseBytes((short) ($0)))",
        "((int) Character.reverseBytes((char) ($0)))",
        "Byte.compare((byte) ($0), (byte) ($1))",
        "Long.numberOfTrailingZeros($0)",
        "Long.numberOfLeadingZeros($0)"
    };
    static final String[] FUNCTIONS_L = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "Math.floorDiv($0, nonZero($1))",
        "Math.floorMod($0, nonZero($1))",
        "Math.multiplyHigh($0, $1)",
        "Math.unsignedMultiplyHigh($0, $1)",
        "Long.rotateLeft($0, (int) ($1))",
        "Long.rotateRight($0, (int) ($1))",
        "Long.reverse($0)",
        "Long.reverseBytes($0)",
        "Long.highestOneBit($0)",
        "Long.lowestOneBit($0)",
        "Long.divideUnsigned($0, nonZero($1))",
        "Long.remainderUnsigned($0, nonZero($1))",
        "Long.min($0, $1)",
        "Long.compress($0, $1)",
        "Long.expand($0, $1)",
        "Math.ceilDiv($0, nonZero($1))",
        "Math.ceilMod($0, nonZero($1))",
        "Math.multiplyFull((int) ($0), (int) ($1))",
        "Integer.toUnsignedLong((int) ($0))",
        "Long.compareUnsigned($0, $1)",
        "Long.signum($0)"
    };
    static final String[] FUNCTIONS_F = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "(float) Math.sqrt($0)",
        "(float) Math.floor($0)",
        "(float) Math.ceil($0)",
        "(float) Math.rint($0)",
        "Math.fma($0, $1, $0)",
        "Math.signum($0)",
        "Math.nextUp($0)",
        "Math.nextDown($0)",
        "Math.ulp($0)",
        "Float.max($0, $1)",
        "Float.sum($0, $1)"
    };
    static final String[] FUNCTIONS_D = {
        "Math.abs($0)",
        "Math.max($0, $1)",
        "Math.min($0, $1)",
        "Math.sqrt($0)",
        "Math.floor($0)",
        "Math.ceil($0)",
        "Math.rint($0)",
        "Math.fma($0, $1, $0)",
        "Math.signum($0)",
        "Math.nextUp($0)",
        "Math.nextDown($0)",
        "Math.ulp($0)",
        "Math.toRadians($0)",
        "Double.min($0, $1)",
        "Double.sum($0, $1)"
    };

    private final Draw draw;

    Literals(Draw draw) {
        this.draw = draw;
    }

    Node literal(Kind kind) {
        return new Node(
                kind,
                switch (kind) {
                    case BOOLEAN -> draw.chance(50) ? "true" : "false";
                    case BYTE -> "(byte) " + draw.any(INTS);
                    case SHORT -> "(short) " + draw.any(INTS);
                    case CHAR -> "(char) " + draw.any(INTS);
                    case INT -> draw.any(INTS);
                    case LONG -> draw.any(LONGS);
                    case FLOAT ->
                        switch (draw.nextInt(12)) {
                            case 0 -> "Float.NaN";
                            case 1 -> "Float.NEGATIVE_INFINITY";
                            case 2 -> "Float.POSITIVE_INFINITY";
                            case 3 -> "Float.MIN_VALUE";
                            case 4 -> "Float.MAX_VALUE";
                            default -> "(float) " + draw.any(REALS);
                        };
                    case DOUBLE ->
                        switch (draw.nextInt(12)) {
                            case 0 -> "Double.NaN";
                            case 1 -> "Double.NEGATIVE_INFINITY";
                            case 2 -> "Double.POSITIVE_INFINITY";
                            case 3 -> "Double.MIN_VALUE";
                            case 4 -> "Double.MAX_VALUE";
                            default -> draw.any(REALS);
                        };
                    case ENUM -> "Color." + draw.any(new String[] {"RED", "GREEN", "BLUE"});
                    default -> throw new IllegalArgumentException(kind.name());
                });
    }
}
