// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.comm4j.kernel.lang.BesselMath;
import org.comm4j.kernel.lang.DoubleMath;
import org.comm4j.kernel.lang.FloatMath;
import org.comm4j.kernel.lang.Intrinsics;
import org.comm4j.kernel.lang.RoundingIntrinsics;
import org.junit.jupiter.api.Test;

/** Mathematical functions on the CPU against values of another library, and against exact arithmetic. */
class FunctionsTest {
    /** The largest absolute error of Bessel functions beyond 8, and of those of an order. */
    private static final double ABSOLUTE = 1e-13;

    private record Row(String name, double bound, List<Double> arguments, BigDecimal value) {}

    private static List<Row> rows() throws Exception {
        List<Row> rows = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                FunctionsTest.class.getResourceAsStream("functions.txt"), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("#")) {
                    continue;
                }
                String[] words = line.split(" ");
                List<Double> arguments = new ArrayList<>();
                for (int i = 2; i < words.length - 1; i++) {
                    arguments.add(Double.valueOf(words[i]));
                }
                rows.add(new Row(
                        words[0], Double.parseDouble(words[1]), arguments, new BigDecimal(words[words.length - 1])));
            }
        }
        return rows;
    }

    private static Method method(String name, Class<?> type, int arguments) {
        for (Class<?> owner : List.of(DoubleMath.class, BesselMath.class)) {
            for (Method method : owner.getDeclaredMethods()) {
                Class<?>[] types = method.getParameterTypes();
                if (method.getName().equals(name)
                        && types.length == arguments
                        && types[types.length - 1] == type
                        && method.getReturnType() == type) {
                    return method;
                }
            }
        }
        throw new AssertionError(name);
    }

    private static double call(Row row) throws Exception {
        Method method = method(row.name(), double.class, row.arguments().size());
        List<Object> given = new ArrayList<>(row.arguments());
        if (method.getParameterTypes()[0] == int.class) {
            given.set(0, row.arguments().getFirst().intValue());
        }
        return (double) method.invoke(null, given.toArray());
    }

    @Test
    void doublesAreWithinCudasBounds() throws Exception {
        Map<String, Double> worst = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        for (Row row : rows()) {
            double found = call(row);
            double nearest = row.value().doubleValue();
            if (Double.isInfinite(nearest) || nearest == 0) {
                assertThat(found).isEqualTo(nearest);
                continue;
            }
            BigDecimal error = new BigDecimal(found).subtract(row.value()).abs();
            double ulps = error.divide(new BigDecimal(Math.ulp(nearest)), MathContext.DECIMAL64)
                    .doubleValue();
            boolean absolute = row.bound() == 0
                    || row.name().matches("[jy][01]")
                            && Math.abs(row.arguments().getFirst()) > 8;
            if (absolute) {
                if (error.doubleValue() > ABSOLUTE * Math.max(1, Math.abs(nearest))) {
                    wrong.add(row + " is " + found);
                }
                continue;
            }
            worst.merge(row.name(), ulps, Math::max);
            if (ulps > row.bound()) {
                wrong.add(row + " is " + found + ": " + ulps + " ulp");
            }
        }
        System.out.println("largest errors in ulp: " + worst);
        assertThat(wrong).isEmpty();
    }

    @Test
    void floatsAreTheDoublesRounded() throws Exception {
        Random random = new Random(7);
        for (Method method : FloatMath.class.getDeclaredMethods()) {
            if (!java.lang.reflect.Modifier.isPublic(method.getModifiers())
                    || method.getParameterCount() != 1
                    || method.getReturnType() != float.class) {
                continue;
            }
            Method wide = method(method.getName(), double.class, 1);
            for (int i = 0; i < 50; i++) {
                float x = i < 25 ? (float) (4 * random.nextGaussian()) : Float.intBitsToFloat(random.nextInt());
                float expected = (float) (double) wide.invoke(null, (double) x);
                assertThat(method.invoke(null, x))
                        .as(method.getName() + "(" + x + ")")
                        .isEqualTo((Object) expected);
            }
        }
    }

    /** Directed rounding is next to the exact result, on the side that it names. */
    @Test
    void roundingIsDirected() throws Exception {
        Random random = new Random(11);
        int checked = 0;
        for (Method method : RoundingIntrinsics.class.getDeclaredMethods()) {
            String name = method.getName();
            if (!name.startsWith("__")) {
                continue;
            }
            boolean single = method.getReturnType() == float.class;
            String mode = name.substring(name.length() - 2);
            String operation = name.replaceAll("^__([fd](?!ma))?|_..$", "").replaceAll("fmaf", "fma");
            for (int i = 0; i < 60; i++) {
                List<Object> given = new ArrayList<>();
                List<BigDecimal> exact = new ArrayList<>();
                for (int k = 0; k < method.getParameterCount(); k++) {
                    double value = Math.scalb(random.nextDouble() - 0.5, random.nextInt(40) - 20);
                    value = operation.equals("sqrt") ? Math.abs(value) : value;
                    given.add(single ? (Object) (float) value : (Object) value);
                    exact.add(new BigDecimal(single ? (float) value : value));
                }
                Number found = (Number) method.invoke(null, given.toArray());
                BigDecimal x = exact.getFirst();
                MathContext many = new MathContext(80);
                BigDecimal truth = switch (operation) {
                    case "add" -> x.add(exact.get(1));
                    case "sub" -> x.subtract(exact.get(1));
                    case "mul" -> x.multiply(exact.get(1));
                    case "fma" -> x.multiply(exact.get(1)).add(exact.get(2));
                    case "div" -> x.divide(exact.get(1), many);
                    case "rcp" -> BigDecimal.ONE.divide(x, many);
                    case "sqrt" -> x.sqrt(many);
                    default -> throw new AssertionError(operation);
                };
                BigDecimal below = down(truth, single);
                BigDecimal above = below.compareTo(truth) == 0 ? below : up(below, single);
                BigDecimal expected = switch (mode) {
                    case "rd" -> below;
                    case "ru" -> above;
                    case "rz" -> truth.signum() > 0 ? below : above;
                    default -> new BigDecimal(single ? truth.floatValue() : truth.doubleValue());
                };
                BigDecimal is = new BigDecimal(found.doubleValue());
                assertThat(is).as(name + given).isEqualByComparingTo(expected);
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(2500);
    }

    private static BigDecimal down(BigDecimal exact, boolean single) {
        double near = single ? exact.floatValue() : exact.doubleValue();
        while (new BigDecimal(near).compareTo(exact) > 0) {
            near = single ? Math.nextDown((float) near) : Math.nextDown(near);
        }
        return new BigDecimal(near);
    }

    private static BigDecimal up(BigDecimal value, boolean single) {
        return new BigDecimal(single ? Math.nextUp(value.floatValue()) : Math.nextUp(value.doubleValue()));
    }

    @Test
    void specialValuesAreThoseOfC() {
        assertThat(DoubleMath.pow(1, Double.NaN)).isEqualTo(1);
        assertThat(FloatMath.pow(-1, Float.NEGATIVE_INFINITY)).isEqualTo(1);
        assertThat(FloatMath.round(2.5f)).isEqualTo(3);
        assertThat(FloatMath.round(-2.5f)).isEqualTo(-3);
        assertThat(FloatMath.round(0.49999997f)).isEqualTo(0);
        assertThat(FloatMath.rint(2.5f)).isEqualTo(2);
        assertThat(FloatMath.llround(-0.5f)).isEqualTo(-1);
        assertThat(FloatMath.fmax(Float.NaN, 3)).isEqualTo(3);
        assertThat(FloatMath.ilogb(0)).isEqualTo(Integer.MIN_VALUE);
        assertThat(FloatMath.ilogb(Float.MIN_VALUE)).isEqualTo(-149);
        assertThat(DoubleMath.ilogb(Double.MIN_VALUE)).isEqualTo(-1074);
        assertThat(DoubleMath.frexp(Double.MIN_VALUE)).isEqualTo(new DoubleMath.Fraction(0.5, -1073));
        assertThat(FloatMath.frexp(-12)).isEqualTo(new FloatMath.Fraction(-0.75f, 4));
        assertThat(FloatMath.frexp(Float.MAX_VALUE).exponent()).isEqualTo(128);
        assertThat(FloatMath.modf(-3.25f)).isEqualTo(new FloatMath.Parts(-0.25f, -3));
        assertThat(FloatMath.modf(Float.NEGATIVE_INFINITY))
                .isEqualTo(new FloatMath.Parts(-0f, Float.NEGATIVE_INFINITY));
        assertThat(FloatMath.remquo(29, 3)).isEqualTo(new FloatMath.Quotient(-1, 2));
        assertThat(FloatMath.remquo(-29, 3)).isEqualTo(new FloatMath.Quotient(1, -2));
        assertThat(DoubleMath.tgamma(5)).isEqualTo(24);
        assertThat(DoubleMath.tgamma(-1)).isNaN();
        assertThat(DoubleMath.tgamma(172)).isInfinite();
        assertThat(DoubleMath.lgamma(-3)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(DoubleMath.erfinv(1)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(DoubleMath.erfcinv(0)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(DoubleMath.normcdfinv(0.5)).isZero();
        assertThat(FloatMath.norm3d(Float.NaN, Float.POSITIVE_INFINITY, 1)).isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(FloatMath.sinpi(1e9f)).isZero();
        assertThat(DoubleMath.rsqrt(0.0)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(DoubleMath.rsqrt(Double.MIN_VALUE)).isEqualTo(0x1p537);
        assertThat(Intrinsics.__fdividef(1, 0x1p127f)).isZero();
        assertThat(Intrinsics.__byte_perm(0x33221100, 0x77665544, 0x7531)).isEqualTo(0x77553311);
        assertThat(Intrinsics.__mul24(0xff000003, -2)).isEqualTo(-6);
        assertThat(Intrinsics.__hadd(Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(RoundingIntrinsics.__fadd_rd(1, -1)).isEqualTo(-0f);
        assertThat(RoundingIntrinsics.__fmul_ru(Float.MIN_VALUE, Float.MIN_VALUE))
                .isEqualTo(Float.MIN_VALUE);
        assertThat(RoundingIntrinsics.__fmul_rz(Float.MAX_VALUE, 2)).isEqualTo(Float.MAX_VALUE);
        assertThat(RoundingIntrinsics.__dmul_rd(Double.MAX_VALUE, 2)).isEqualTo(Double.MAX_VALUE);
    }
}
