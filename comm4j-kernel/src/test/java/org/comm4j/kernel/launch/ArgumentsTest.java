// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.KernelArgument;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.F32View;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Pointer;
import org.comm4j.kernel.ir.Type.Scalar;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static final Type.Struct VIEW = new Type.Struct("F32View", List.of(Pointer.GENERIC, Scalar.I64));

    record Inner(short s, boolean b) {}

    record Outer(byte a, Inner inner, double d, F32View view, char c) {}

    private static final Type.Struct INNER = new Type.Struct("Inner", List.of(Scalar.I16, Scalar.I1));
    private static final Type.Struct OUTER =
            new Type.Struct("Outer", List.of(Scalar.I8, INNER, Scalar.F64, VIEW, Scalar.I16));

    private final HostArray floats = HostArray.of(new float[] {1, 2, 3});
    private final Arguments arguments = new Arguments(
            "Jacobi.step",
            List.of(
                    new Parameter("x", F32Ptr.class, Pointer.GENERIC, null),
                    new Parameter("n", int.class, Scalar.I32, null)));

    private static KernelArgument bytes(Object argument) {
        assertThat(argument).isInstanceOf(KernelArgument.class);
        return (KernelArgument) argument;
    }

    @Test
    void pointersAreAddressesAndNumbersStay() {
        Object[] made = arguments.convert(F32Ptr.of(floats, 2), 5);
        KernelArgument pointer = bytes(made[0]);
        assertThat(pointer.bytes().toArray(JAVA_BYTE)).hasSize(8);
        assertThat(copy(pointer).get(JAVA_LONG, 0)).isEqualTo(floats.address() + 8);
        assertThat(pointer.arrays()).containsExactly(floats);
        assertThat(made[1]).isEqualTo(5);
        assertThat(copy(bytes(arguments.convert(floats, 5)[0])).get(JAVA_LONG, 0))
                .isEqualTo(floats.address());
    }

    private static MemorySegment copy(KernelArgument argument) {
        byte[] bytes = argument.bytes().toArray(JAVA_BYTE);
        return Arena.ofAuto().allocate(bytes.length, 16).copyFrom(MemorySegment.ofArray(bytes));
    }

    @Test
    void recordsLieAsInC() {
        Arguments one = new Arguments("K.k", List.of(new Parameter("o", Outer.class, OUTER, null)));
        KernelArgument made =
                bytes(one.convert(new Outer((byte) 7, new Inner((short) -2, true), 2.5, F32View.of(floats), 'x'))[0]);
        MemorySegment bytes = copy(made);
        // struct { char a; struct { short s; char b; } inner; double d; struct { float *p; long n; } view; short c; }
        assertThat(bytes.byteSize()).isEqualTo(40);
        assertThat(bytes.get(JAVA_BYTE, 0)).isEqualTo((byte) 7);
        assertThat(bytes.get(JAVA_SHORT, 2)).isEqualTo((short) -2);
        assertThat(bytes.get(JAVA_BYTE, 4)).isEqualTo((byte) 1);
        assertThat(bytes.get(JAVA_DOUBLE, 8)).isEqualTo(2.5);
        assertThat(bytes.get(JAVA_LONG, 16)).isEqualTo(floats.address());
        assertThat(bytes.get(JAVA_LONG, 24)).isEqualTo(3);
        assertThat(bytes.get(JAVA_SHORT, 32)).isEqualTo((short) 'x');
        assertThat(made.arrays()).containsExactly(floats);
    }

    @Test
    void viewsAreMadeOfBuffersAndEnumsAreNumbers() {
        Arguments two = new Arguments(
                "K.k",
                List.of(
                        new Parameter("v", F32View.class, VIEW, null),
                        new Parameter("t", DataType.class, Scalar.I32, null)));
        Object[] made = two.convert(floats, DataType.FLOAT32);
        assertThat(copy(bytes(made[0])).get(JAVA_LONG, 8)).isEqualTo(3);
        assertThat(copy(bytes(made[1])).get(JAVA_INT, 0)).isEqualTo(DataType.FLOAT32.ordinal());
    }

    @Test
    void boundValuesAreNotGiven() {
        Arguments bound = new Arguments(
                "K.k",
                List.of(
                        new Parameter("x", F32Ptr.class, Pointer.GENERIC, F32Ptr.of(floats)),
                        new Parameter("n", int.class, Scalar.I32, null)));
        assertThat(bound.convert(4)).hasSize(2).endsWith(4);
        assertThatThrownBy(() -> bound.convert(floats, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel K.k has one parameter (int n), but 2 arguments are given");
    }

    @Test
    void whatDoesNotFitIsRefusedByName() {
        assertThatThrownBy(() -> arguments.convert(floats))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel Jacobi.step has 2 parameters (F32Ptr x, int n), but 1 argument is given");
        assertThatThrownBy(() -> arguments.convert(floats, 5L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel Jacobi.step, parameter 2 'n': expected int, given Long 5");
        assertThatThrownBy(() -> arguments.convert(5, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "kernel Jacobi.step, parameter 1 'x': expected F32Ptr or a buffer of its elements, given Integer 5");
        assertThatThrownBy(() -> arguments.convert(HostArray.of(new int[2]), 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("kernel Jacobi.step, parameter 1 'x': a F32Ptr points to elements of");
        assertThatThrownBy(() -> arguments.convert(null, 5))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("kernel Jacobi.step, parameter 1 'x' is null");
    }
}
