// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.ir.Verifier;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A kernel does the same as Java and as a program: every byte of its memory. */
class SemanticsTest {
    private static final int ELEMENTS = 32;

    static Arguments kernel(String name, Object... arguments) {
        return Arguments.of(name, arguments);
    }

    static Stream<Arguments> everyKernel() {
        List<Arguments> all = new ArrayList<>();
        int[] ints = {0, 1, -1, 2, 7, 31, 33, -64, 12345, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int a : ints) {
            for (int b : new int[] {0, -1, 3, Integer.MIN_VALUE, 40}) {
                all.add(kernel("arithmetic", a, b, (long) a * b * 3, b - 5L));
                if (b != 0) {
                    all.add(kernel("jdk", a, b, a * 1_000_003L));
                }
            }
            all.add(kernel("arithmetic", a, 3, Long.MIN_VALUE, -1L));
        }
        double[] doubles = {
            0,
            -0.0,
            1,
            -1,
            1.5,
            2.5,
            -2.5,
            1e10,
            -1e19,
            3e38,
            1e-45,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE,
            Double.MAX_VALUE
        };
        for (double a : doubles) {
            for (double b : doubles) {
                all.add(kernel("floating", (float) a, (float) b, a, b));
            }
        }
        for (int n = 0; n < 13; n++) {
            for (boolean flag : new boolean[] {true, false}) {
                all.add(kernel("flow", n, flag, (byte) (n * 50), (short) (n * 9000), (char) (n * 9000)));
            }
        }
        for (int n : new int[] {0, 1, 2, 3, 4, 5, 1000, -1}) {
            for (JavaKernels.Color color : JavaKernels.Color.values()) {
                all.add(kernel("switches", n, color));
            }
        }
        for (JavaKernels.Op op : JavaKernels.Op.values()) {
            for (int n : new int[] {0, 5, -3}) {
                all.add(kernel("enums", n, op, op));
            }
        }
        for (int n = 0; n < 8; n++) {
            JavaKernels.Pair pair = new JavaKernels.Pair(n * 3, n / 4f);
            all.add(kernel(
                    "records",
                    n,
                    pair,
                    new JavaKernels.Nested(pair, new JavaKernels.Pair(n, -n), JavaKernels.Color.BLUE)));
            all.add(kernel("arrays", n));
            all.add(kernel("lambdas", n));
            all.add(kernel("pointers", n));
            all.add(kernel("constants", n + 1, n * 5, n % 2 == 0 ? JavaKernels.Color.RED : JavaKernels.Color.BLUE));
        }
        for (int n : new int[] {0, 1, 2, 5, -1, 12, 255, -40000, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            for (String name : List.of("interfaces", "nestedFunctions", "constantMethods", "inheritedFields")) {
                all.add(kernel(name, n));
            }
            for (MethodKernels.Fixed fixed : MethodKernels.Fixed.values()) {
                all.add(kernel("shapes", n, fixed));
            }
            Object[] foreign = MethodKernels.foreign(n);
            all.add(kernel("идентификаторы", n, n ^ 77, 3, n + 5, 6, foreign[0], foreign[1]));
        }
        for (int n : new int[] {0, 1, 2, 3, 4, 9, 16, 48, 65, 98, 181, 223, 255, -5}) {
            for (String name : List.of(
                    "recordMethods",
                    "unions",
                    "matrices",
                    "wholeArrays",
                    "withFinally",
                    "strategies",
                    "letters",
                    "longs")) {
                all.add(kernel(name, n));
            }
            all.add(kernel("constantStrategy", new LanguageKernels.Half(), n));
            all.add(kernel("constantsBesideConditionals", n, n % 2 == 0));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("everyKernel")
    void javaAndTheProgramAgree(String name, Object[] given) throws Exception {
        agree(method(name), given, FrontendOptions.DEFAULT);
        agree(method(name), given, new FrontendOptions(true, true, true));
    }

    static Method method(String name) {
        return Stream.of(JavaKernels.class, MethodKernels.class, LanguageKernels.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void agree(Method method, Object[] given, FrontendOptions options) throws Exception {
        method.setAccessible(true);
        List<Object> constants = new ArrayList<>();
        List<HostArray> arrays = new ArrayList<>();
        List<Object> java = new ArrayList<>();
        int next = 0;
        for (var parameter : method.getParameters()) {
            DataType type = element(parameter.getType());
            if (type == null) {
                java.add(given[next]);
                if (parameter.isAnnotationPresent(Constant.class)) {
                    constants.add(given[next]);
                }
                next++;
                continue;
            }
            HostArray array = HostArray.allocate(type, ELEMENTS);
            for (long i = 0; i < array.segment().byteSize() / 4; i++) {
                array.segment().setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, (int) (i + 3) << 23);
            }
            arrays.add(array);
            java.add(pointer(parameter.getType(), array));
        }
        Frontend.Result result = Frontend.compile(KernelSource.of(method, constants.toArray()), options);
        assertThat(Verifier.problems(result.program())).isEmpty();
        Interpreter interpreter = new Interpreter(result.program());
        List<Object> arguments = new ArrayList<>();
        List<Long> addresses = new ArrayList<>();
        int array = 0;
        for (Frontend.KernelParameter parameter : result.parameters()) {
            if (element(parameter.type()) != null) {
                byte[] bytes = arrays.get(array++).segment().toArray(ValueLayout.JAVA_BYTE);
                long at = interpreter.allocate(bytes.length, 16);
                interpreter.memory.put((int) at, bytes);
                addresses.add(at);
                arguments.add(at);
            } else {
                arguments.add(argument(java.get(parameter.index())));
            }
        }
        method.invoke(null, java.toArray());
        interpreter.run(result.program().kernel(), arguments);
        for (int i = 0; i < arrays.size(); i++) {
            MemorySegment expected = arrays.get(i).segment();
            byte[] bytes = new byte[(int) expected.byteSize()];
            interpreter.memory.get((int) (long) addresses.get(i), bytes);
            assertThat(numbers(arrays.get(i).type(), MemorySegment.ofArray(bytes)))
                    .as("%s%s, array %d", method.getName(), Arrays.toString(given), i)
                    .isEqualTo(numbers(arrays.get(i).type(), expected));
        }
    }

    /** With NaN as one value: which of them a computation gives, is not Java's business. */
    static List<Object> numbers(DataType type, MemorySegment memory) {
        List<Object> numbers = new ArrayList<>();
        for (long i = 0; i < ELEMENTS; i++) {
            numbers.add(
                    switch (type) {
                        case FLOAT32 -> memory.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i);
                        case FLOAT64 -> memory.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i);
                        case INT8 -> memory.get(ValueLayout.JAVA_BYTE, i);
                        case INT16 -> memory.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i);
                        case INT32 -> memory.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
                        default -> memory.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
                    });
        }
        return numbers;
    }

    private static Object argument(Object java) {
        return switch (java) {
            case Float number -> number;
            case Double number -> number;
            case Boolean bit -> bit ? 1L : 0L;
            case Character letter -> (long) (short) (char) letter;
            case Number number -> number.longValue();
            case Enum<?> constant -> (long) constant.ordinal();
            case Record record ->
                Arrays.stream(record.getClass().getRecordComponents())
                        .map(component -> {
                            try {
                                component.getAccessor().setAccessible(true);
                                return argument(component.getAccessor().invoke(record));
                            } catch (ReflectiveOperationException impossible) {
                                throw new IllegalStateException(impossible);
                            }
                        })
                        .toArray();
            default -> throw new IllegalArgumentException(String.valueOf(java));
        };
    }

    static DataType element(Class<?> type) {
        return type == F32Ptr.class
                ? DataType.FLOAT32
                : type == F64Ptr.class
                        ? DataType.FLOAT64
                        : type == I8Ptr.class
                                ? DataType.INT8
                                : type == I16Ptr.class
                                        ? DataType.INT16
                                        : type == I32Ptr.class
                                                ? DataType.INT32
                                                : type == I64Ptr.class ? DataType.INT64 : null;
    }

    static Object pointer(Class<?> type, Buffer buffer) {
        return type == F32Ptr.class
                ? F32Ptr.of(buffer)
                : type == F64Ptr.class
                        ? F64Ptr.of(buffer)
                        : type == I8Ptr.class
                                ? I8Ptr.of(buffer)
                                : type == I16Ptr.class
                                        ? I16Ptr.of(buffer)
                                        : type == I32Ptr.class ? I32Ptr.of(buffer) : I64Ptr.of(buffer);
    }
}
