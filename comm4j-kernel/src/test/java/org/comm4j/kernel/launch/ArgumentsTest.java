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
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.KernelArgument;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Pointer;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.I32Ptr;
import org.junit.jupiter.api.Test;

/** What a launch gives, checked and made what a GPU reads. */
class ArgumentsTest {
    private static final Type.Struct VIEW = new Type.Struct("F32View", List.of(Pointer.GENERIC, Scalar.I64));

    record Inner(short s, boolean b) {}

    record Outer(byte a, Inner inner, double d, F32View view, char c) {}

    record Both(F32Ptr left, F32Ptr right) {}

    private static final Type.Struct INNER = new Type.Struct("Inner", List.of(Scalar.I16, Scalar.I1));
    private static final Type.Struct OUTER =
            new Type.Struct("Outer", List.of(Scalar.I8, INNER, Scalar.F64, VIEW, Scalar.I16));

    private final HostArray floats = HostArray.of(new float[] {1, 2, 3});

    private static Parameter parameter(String name, Class<?> type) {
        return new Parameter(name, type, false, null);
    }

    private static Parameter restricted(String name, Class<?> type) {
        return new Parameter(name, type, true, null);
    }

    /** Of a kernel that writes through all of its parameters. */
    private static Arguments arguments(Parameter... parameters) {
        return new Arguments("K.k", List.of(parameters), buffer -> null, () -> Set.of(0, 1, 2));
    }

    private static KernelArgument bytes(Object argument) {
        assertThat(argument).isInstanceOf(KernelArgument.class);
        return (KernelArgument) argument;
    }

    private static MemorySegment copy(KernelArgument argument) {
        byte[] bytes = argument.bytes().toArray(JAVA_BYTE);
        return Arena.ofAuto().allocate(bytes.length, 16).copyFrom(MemorySegment.ofArray(bytes));
    }

    private static Object[] pack(List<Parameter> parameters, List<Type> memory, Object... values) {
        return new Packing(parameters, memory).pack(values);
    }

    @Test
    void pointersAreAddressesAndNumbersStay() {
        List<Parameter> parameters = List.of(parameter("x", F32Ptr.class), parameter("n", int.class));
        Object[] made = pack(parameters, List.of(Pointer.GENERIC, Scalar.I32), F32Ptr.of(floats, 2), 5);
        KernelArgument pointer = bytes(made[0]);
        assertThat(pointer.bytes().toArray(JAVA_BYTE)).hasSize(8);
        assertThat(copy(pointer).get(JAVA_LONG, 0)).isEqualTo(floats.address() + 8);
        assertThat(pointer.arrays()).containsExactly(floats);
        assertThat(made[1]).isEqualTo(5);
    }

    @Test
    void recordsLieAsInC() {
        KernelArgument made = bytes(pack(
                List.of(parameter("o", Outer.class)),
                List.of(OUTER),
                new Outer((byte) 7, new Inner((short) -2, true), 2.5, F32View.of(floats), 'x'))[0]);
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

    /** As the machine code has them: {@code void k(float *v_pointer, long v_length, int n)}. */
    @Test
    void aRestrictedViewIsTwoParameters() {
        List<Parameter> parameters = List.of(restricted("v", F32View.class), parameter("n", int.class));
        Object[] made = pack(
                parameters, List.of(Pointer.GENERIC, Scalar.I64, Scalar.I32), new F32View(F32Ptr.of(floats, 1), 2), 9);
        assertThat(made).hasSize(3);
        assertThat(copy(bytes(made[0])).get(JAVA_LONG, 0)).isEqualTo(floats.address() + 4);
        assertThat(made[1]).isEqualTo(2L);
        assertThat(made[2]).isEqualTo(9);
    }

    @Test
    void enumsAreNumbers() {
        Object[] made = pack(List.of(parameter("t", DataType.class)), List.of(Scalar.I32), DataType.FLOAT32);
        assertThat(copy(bytes(made[0])).get(JAVA_INT, 0)).isEqualTo(DataType.FLOAT32.ordinal());
    }

    @Test
    void viewsAndPointersAreMadeOfBuffers() {
        Object[] made = arguments(parameter("v", F32View.class), parameter("p", F32Ptr.class))
                .check(floats, floats);
        assertThat(((F32View) made[0]).length()).isEqualTo(3);
        assertThat(((F32Ptr) made[1]).address()).isEqualTo(floats.address());
    }

    @Test
    void boundValuesAreNotGiven() {
        Arguments bound =
                arguments(new Parameter("x", F32Ptr.class, false, F32Ptr.of(floats)), parameter("n", int.class));
        assertThat(bound.check(4)).hasSize(2).endsWith(4);
        assertThatThrownBy(() -> bound.check(floats, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel K.k has one parameter (int n), but 2 arguments are given");
    }

    private static void refused(String message, Arguments arguments, Object... given) {
        assertThatThrownBy(() -> arguments.check(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void whatOverlapsARestrictedArgumentIsRefused() {
        Arguments two = arguments(parameter("in", F32Ptr.class), restricted("out", F32Ptr.class));
        HostArray other = HostArray.of(new float[3]);
        assertThat(two.check(floats, other)).hasSize(2);
        refused(
                "kernel K.k, parameter 2 'out' is marked @Restrict, but its memory overlaps that of parameter 1 'in':"
                        + " HostArray[3",
                two,
                floats,
                floats);
        refused("kernel K.k, parameter 2 'out' is marked @Restrict", two, F32Ptr.of(floats, 2), floats);
        refused("kernel K.k, parameter 2 'out' is marked @Restrict", two, floats.slice(0, 2), floats.slice(1, 2));
        // Neighbours do not overlap, what has no elements neither.
        two.check(floats.slice(0, 2), floats.slice(2, 1));
        two.check(F32Ptr.of(floats, 3), floats);
        // Where nothing is restricted, everything may.
        arguments(parameter("in", F32Ptr.class), parameter("out", F32Ptr.class)).check(floats, floats);
    }

    @Test
    void viewsReachAsFarAsTheySay() {
        Arguments two = arguments(restricted("a", F32View.class), restricted("b", F32View.class));
        two.check(F32View.of(floats).slice(0, 1), F32View.of(floats).slice(1, 2));
        refused(
                "kernel K.k, parameter 1 'a' is marked @Restrict, but its memory overlaps that of parameter 2 'b'",
                two,
                F32View.of(floats).slice(0, 2),
                F32View.of(floats).slice(1, 2));
    }

    @Test
    void pointersOfARestrictedRecordCountEach() {
        Arguments one = arguments(restricted("both", Both.class), parameter("i", I32Ptr.class));
        HostArray other = HostArray.of(new float[3]);
        HostArray ints = HostArray.of(new int[3]);
        one.check(new Both(F32Ptr.of(floats), F32Ptr.of(other)), ints);
        refused(
                "kernel K.k, parameter 1 'both.left' is marked @Restrict, but its memory overlaps that of parameter 1"
                        + " 'both.right'",
                one,
                new Both(F32Ptr.of(floats), F32Ptr.of(floats)),
                ints);
    }

    @Test
    void whatIsOnlyReadMayBeShared() {
        Parameter[] parameters = {
            restricted("a", F32Ptr.class), restricted("b", F32Ptr.class), parameter("out", F32Ptr.class)
        };
        Arguments reader = new Arguments("K.k", List.of(parameters), buffer -> null, () -> Set.of(2));
        HostArray out = HostArray.of(new float[3]);
        assertThat(reader.check(floats, floats, out)).hasSize(3);
        refused(
                "kernel K.k, parameter 2 'b' is marked @Restrict, but its memory overlaps that of parameter 3 'out'",
                reader,
                floats,
                out,
                out);
    }
}
