// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;

/** Arguments that are refused, in the same words by GPUs and CPU. */
final class WrongArguments {
    /** Where arrays are that the kernel reaches. */
    interface Memory {
        Buffer allocate(DataType type, long count);

        /** One that was given back. */
        Buffer freed(DataType type, long count);

        static Memory host() {
            return new Memory() {
                @Override
                public Buffer allocate(DataType type, long count) {
                    return HostArray.allocate(type, count);
                }

                @Override
                public Buffer freed(DataType type, long count) {
                    try (Arena arena = Arena.ofShared()) {
                        return HostArray.allocate(arena, type, count);
                    }
                }
            };
        }

        /** Arrays stay until the device is closed. */
        static Memory of(Device device) {
            return new Memory() {
                @Override
                public Buffer allocate(DataType type, long count) {
                    return device.allocate(type, count);
                }

                @Override
                public Buffer freed(DataType type, long count) {
                    DeviceArray array = device.allocate(type, count);
                    array.close();
                    return array;
                }
            };
        }
    }

    private record Case(Class<? extends Exception> refusal, String message, Function<Memory, Object[]> arguments) {}

    private static final List<Case> SCALE = List.of(
            wrong("has 3 parameters (F32Ptr x, int n, float factor), but 0 arguments are given", m -> new Object[0]),
            wrong("has 3 parameters (F32Ptr x, int n, float factor), but 1 argument is given", m ->
                    new Object[] {floats(m)}),
            wrong("has 3 parameters (F32Ptr x, int n, float factor), but 4 arguments are given", m ->
                    new Object[] {floats(m), 4, 2f, 1}),
            wrong(", parameter 3 'factor': expected float, given Double 2.0", m -> new Object[] {floats(m), 4, 2.0}),
            wrong(", parameter 2 'n': expected int, given Long 4", m -> new Object[] {floats(m), 4L, 2f}),
            wrong(", parameter 2 'n': expected int, given Short 4", m -> new Object[] {floats(m), (short) 4, 2f}),
            wrong(", parameter 2 'n': expected int, given Character 4", m -> new Object[] {floats(m), '4', 2f}),
            wrong(", parameter 1 'x': expected F32Ptr or a buffer of its elements, given Integer 5", m ->
                    new Object[] {5, 4, 2f}),
            wrong(", parameter 1 'x': expected F32Ptr or a buffer of its elements, given F64Ptr[", m ->
                    new Object[] {F64Ptr.of(m.allocate(DataType.FLOAT64, 4)), 4, 2f}),
            wrong(", parameter 1 'x': a pointer F32Ptr is for elements of FLOAT32, not for those of ", m ->
                    new Object[] {m.allocate(DataType.INT32, 4), 4, 2f}),
            new Case(NullPointerException.class, ", parameter 1 'x' is null", m -> new Object[] {null, 4, 2f}),
            new Case(NullPointerException.class, ", parameter 2 'n' is null", m -> new Object[] {floats(m), null, 2f}),
            new Case(IllegalStateException.class, " was freed", m ->
                    new Object[] {m.freed(DataType.FLOAT32, 4), 4, 2f}));

    private static final List<Case> SUM = List.of(
            wrong(", parameter 1 'x': expected F32View or a buffer of its elements, given Integer 5", m ->
                    new Object[] {5, floats(m), new RestrictKernels.Pair(F32Ptr.of(floats(m)), F32Ptr.of(floats(m)))}),
            wrong(", parameter 3 'pair': expected Pair, given ", m -> new Object[] {floats(m), floats(m), floats(m)}),
            new Case(NullPointerException.class, ", parameter 3 'pair': in is null", m ->
                    new Object[] {floats(m), floats(m), pair(null, F32Ptr.of(floats(m)))}),
            wrong(", parameter 1 'x' is marked @Restrict, but its memory overlaps that of parameter 2 'y': ", m -> {
                Buffer one = floats(m);
                return new Object[] {one, one, new RestrictKernels.Pair(F32Ptr.of(floats(m)), F32Ptr.of(floats(m)))};
            }),
            wrong(
                    ", parameter 1 'x' is marked @Restrict, but its memory overlaps that of parameter 3 'pair.out': ",
                    m -> {
                        Buffer one = floats(m);
                        return new Object[] {
                            F32View.of(one).slice(2, 2),
                            floats(m),
                            new RestrictKernels.Pair(F32Ptr.of(floats(m)), F32Ptr.of(one, 3))
                        };
                    }));

    private WrongArguments() {}

    private static Case wrong(String message, Function<Memory, Object[]> arguments) {
        return new Case(IllegalArgumentException.class, message, arguments);
    }

    private static Buffer floats(Memory memory) {
        return memory.allocate(DataType.FLOAT32, 4);
    }

    @SuppressWarnings("NullAway") // a component that is null is what is wrong
    private static RestrictKernels.Pair pair(F32Ptr in, F32Ptr out) {
        return new RestrictKernels.Pair(in, out);
    }

    /** For a kernel {@code (F32Ptr x, int n, float factor)}. */
    static void ofScale(CompiledKernel kernel, Memory memory) {
        refused(SCALE, kernel, memory);
    }

    /** {@code y += x}, and the pair's, too. */
    @Kernel
    static void sum(@Restrict F32View x, F32View y, RestrictKernels.Pair pair) {
        int i = GlobalIdx.x();
        y.set(i, y.get(i) + x.get(i));
        pair.out().set(i, pair.in().get(i));
    }

    /** For {@link #sum}. */
    static void ofSum(CompiledKernel kernel, Memory memory) {
        refused(SUM, kernel, memory);
    }

    private static void refused(List<Case> cases, CompiledKernel kernel, Memory memory) {
        for (Case each : cases) {
            Object[] arguments = each.arguments.apply(memory);
            refused(each, kernel, () -> kernel.launch(LaunchConfig.forElements(4), arguments));
            refused(each, kernel, () -> kernel.prepare(LaunchConfig.forElements(4), arguments));
        }
    }

    private static void refused(Case wrong, CompiledKernel kernel, ThrowingCallable call) {
        assertThatThrownBy(call)
                .as(wrong.message)
                .isInstanceOf(wrong.refusal)
                .hasMessageStartingWith("kernel " + kernel.name())
                .hasMessageContaining(wrong.message);
    }
}
