// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bind.clang.Clang;
import org.comm4j.bind.clang.CudaSource;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.Float2;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.Half;
import org.comm4j.kernel.lang.Half2;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Java classes of CUDA headers, compiled and, on the CPU, called. */
class DeviceJavaTest {
    @TempDir
    static Path folder;

    private static Class<?> features = Object.class;

    @BeforeAll
    static void compile() throws Exception {
        DeviceCases.require();
        features = DeviceCases.compile("org.example.Features", DeviceCases.features(), folder);
    }

    private static String golden(String name) throws IOException {
        return Files.readString(DeviceCases.HEADERS.resolve(name));
    }

    @Test
    void javaAndDeviceCodeOfASmallHeader() throws Exception {
        Binder.Output output = DeviceCases.make("org.example.Golden", "header golden.cuh");
        String version = CudaSource.version(Clang.command());
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(
                    DeviceCases.HEADERS.resolve("Golden.java.txt"),
                    output.java().replace(version, "CLANG"));
            Files.writeString(
                    DeviceCases.HEADERS.resolve("Golden.cu.txt"), output.shim().replace(version, "CLANG"));
        }
        assertThat(output.java()).isEqualTo(golden("Golden.java.txt").replace("CLANG", version));
        assertThat(output.shim()).isEqualTo(golden("Golden.cu.txt").replace("CLANG", version));
        assertThat(output.reasons()).isEmpty();
        DeviceCases.compile("org.example.Golden", output, folder);
    }

    /** Siblings, friends, inline namespaces, packs, default arguments, and what is for newer architectures only. */
    @Test
    void namesAreFoundByTheRulesOfCpp(@TempDir Path folder) throws Exception {
        Binder.Output output = DeviceCases.make(
                "org.example.Members",
                "header members.cuh",
                "instantiate members::count<int, float>",
                "instantiate members::Box<float>");
        Class<?> made = DeviceCases.compile("org.example.Members", output, folder);
        assertThat(Stream.of(made.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .map(method -> method.getName() + "/" + method.getParameterCount()))
                .contains("of/1", "part/2", "add/2", "get/1", "within/1", "count/1", "scale/2", "newer/1", "sum/2")
                .contains("open/2")
                .doesNotContain("older/1");
        // As in C++ an int means the one with a default argument.
        assertThat(made.getMethod("scale", int.class).getReturnType()).isEqualTo(int.class);
        assertThat(output.shim()).contains("::members::scale(v0)").contains("::members::count<int, float>(");
        assertThat(output.java()).contains("Makes one of a part.");
        assertThat(output.reasons())
                .extracting(DeviceHeader.LeftOut::what)
                .anyMatch(what -> what.startsWith("members::counter"));
    }

    @Test
    void whatIsLeftOutAndWhy() {
        assertThat(DeviceCases.features().reasons().stream()
                        .map(each -> each.what().replaceAll(" .*", "") + ": " + each.reason()))
                .containsExactlyInAnyOrder(
                        "feature_block: a variable; a function that returns its value or its address can be called",
                        "feature_third: a variable; a function that returns its value or its address can be called",
                        "feature_on: a variable; a function that returns its value or its address can be called",
                        "FeatureComplex::secret: not public",
                        "feature_printf: a variable number of arguments",
                        "feature_kernel: a kernel",
                        "feature_host: a host function",
                        "feature_apply: parameter f is a pointer to a function",
                        "feature_either: parameter e is a FeatureEither by value, which is only pointed to (a union)",
                        "feature_wide: its result is the type __int128");
        assertThat(DeviceCases.features().leftOut())
                .contains("feature_kernel void (float *) (features.cuh:")
                .contains("# Generated by comm4j bind");
    }

    private static String signatures(String name) {
        return Arrays.stream(features.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .map(method -> method.getReturnType().getSimpleName()
                        + Arrays.stream(method.getParameterTypes())
                                .map(Class::getSimpleName)
                                .collect(Collectors.joining(", ", "(", ")")))
                .sorted()
                .collect(Collectors.joining("; "));
    }

    static Stream<Arguments> signatures() {
        return Map.ofEntries(
                        Map.entry("feature_twice_float", "float(float)"),
                        Map.entry("feature_twice_double", ""),
                        Map.entry("feature_scale", "float(float)"),
                        Map.entry("feature_abs", "float(float); int(int)"),
                        Map.entry("feature_half", "int(int)"),
                        Map.entry("feature_half_unsignedInt", "int(int)"),
                        Map.entry("feature_mirror", "FeaturePoint(FeaturePoint)"),
                        Map.entry("feature_length", "double(FeatureSegment)"),
                        Map.entry("feature_join", "FeatureSegment(FeaturePoint, FeaturePoint)"),
                        Map.entry("feature_shift", "void(FeaturePointPtr, float)"),
                        Map.entry("feature_row", "FeatureRow(FeatureRow)"),
                        Map.entry("feature_splat", "Float4(float)"),
                        Map.entry("feature_swap", "Float2(Float2)"),
                        Map.entry("feature_split", "FeatureSplitResult(double)"),
                        Map.entry("feature_next", "boolean(FeatureStatePtr, I32Ptr)"),
                        Map.entry("feature_init", "void(long, FeatureStatePtr)"),
                        Map.entry("feature_clear", "void(I8Ptr, long)"),
                        Map.entry("feature_find", "F32Ptr(F32Ptr, float)"),
                        Map.entry("feature_advance", "I8Ptr(I8Ptr, long)"),
                        Map.entry("feature_round", "int(float, FeatureRounding)"),
                        Map.entry("feature_flags", "int(boolean, int)"),
                        Map.entry("feature_wrap", "byte(byte, short, byte)"),
                        Map.entry("feature_sum", "BFloat16(BFloat16, BFloat16); Half(Half, Half); Half2(Half2, Half2)"),
                        Map.entry("feature_widen", "float(NvFp8E4m3)"),
                        Map.entry("feature_store", "void(F16Ptr, BF16Ptr, F8E5M2Ptr)"),
                        Map.entry(
                                "newFeatureComplex",
                                "FeatureComplex(); FeatureComplex(FeaturePoint); FeatureComplex(float, float)"),
                        Map.entry("norm", "float(FeatureComplex)"),
                        Map.entry("conjugate", "void(FeatureComplexPtr)"),
                        Map.entry("addAssign", "FeatureComplexPtr(FeatureComplexPtr, FeatureComplex)"),
                        Map.entry("negate", "FeatureComplex(FeatureComplex)"),
                        Map.entry("toFloat", "float(FeatureComplex)"),
                        Map.entry("toFeaturePoint", "FeaturePoint(FeatureComplex)"),
                        Map.entry("unit", "FeatureComplex()"),
                        Map.entry("multiply", "FeatureComplex(FeatureComplex, float)"),
                        Map.entry("equal", "boolean(FeatureComplex, FeatureComplex)"),
                        Map.entry("insideOfNamespace", "int(int)"),
                        Map.entry("pair", "Pair(int, int)"),
                        Map.entry("feature_clamp", "float(float, float, float); int(int, int, int)"),
                        Map.entry("feature_power_3", "float(float)"),
                        Map.entry("sum", "float(FeatureVectorFloat4)"))
                .entrySet()
                .stream()
                .map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void functionsHaveJavaSignatures(String name, String expected) {
        assertThat(signatures(name)).isEqualTo(expected);
    }

    @Test
    void everyFunctionIsOfTheUnit() {
        List<DeviceFunction> functions = Arrays.stream(features.getDeclaredMethods())
                .map(method -> method.getAnnotation(DeviceFunction.class))
                .filter(Objects::nonNull)
                .toList();
        assertThat(functions).hasSameSizeAs(DeviceCases.features().bindings());
        assertThat(functions).allSatisfy(function -> {
            assertThat(function.unit()).isEqualTo("org.example.Features");
            assertThat(DeviceCases.features().shim())
                    .contains("extern \"C\" __device__")
                    .contains(" " + function.value() + "(");
        });
        assertThat(functions.stream().filter(DeviceFunction::convergent).map(DeviceFunction::value))
                .containsExactly("comm4j_Features__Z13feature_clearPvm");
        assertThat(functions.stream().filter(DeviceFunction::pure).map(DeviceFunction::value))
                .containsExactly("comm4j_Features__ZL13feature_scalef");
    }

    @Test
    void constantsAndEnums() throws Exception {
        assertThat(constant("FEATURE_LANES")).isEqualTo(32);
        assertThat(constant("FEATURE_MASK")).isEqualTo(-1);
        assertThat(constant("FEATURE_BITS")).isEqualTo(1L << 40);
        assertThat(constant("FEATURE_SCALE")).isEqualTo(1.5f);
        assertThat(constant("FEATURE_EPSILON")).isEqualTo(1e-12);
        assertThat(constant("FEATURE_NAME")).isEqualTo("features");
        assertThat(constant("feature_block")).isEqualTo(256);
        assertThat(constant("feature_third")).isEqualTo(1.0 / 3);
        assertThat(constant("feature_on")).isEqualTo(true);
        assertThatThrownBy(() -> constant("FEATURE_QUALIFIERS")).isInstanceOf(NoSuchFieldException.class);
        assertThat(nested("FeatureRounding").getEnumConstants())
                .extracting(Object::toString)
                .containsExactly("FEATURE_NEAREST", "FEATURE_DOWN", "FEATURE_UP");
        assertThat(nested("FeatureFlags").getField("both").get(null)).isEqualTo(3);
        assertThat(nested("FeatureFlags").getField("high").get(null)).isEqualTo(0x80000000);
    }

    private static Object constant(String name) throws ReflectiveOperationException {
        return features.getField(name).get(null);
    }

    private static Class<?> nested(String name) {
        return Arrays.stream(features.getDeclaredClasses())
                .filter(each -> each.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void structsHaveTheLayoutOfTheCompiler() throws Exception {
        assertThat(size("FeaturePointPtr")).isEqualTo("16/8");
        assertThat(size("FeatureSegmentPtr")).isEqualTo("40/8");
        assertThat(size("FeatureRowPtr")).isEqualTo("32/16");
        assertThat(size("FeatureStatePtr")).isEqualTo("168/8");
        // What Java writes is where C++ reads it: the offsets are asserted in the device code.
        byte[] memory = new byte[32];
        Object row = make("FeatureRow", 7, (short) 1, (short) 2, (short) 3, (short) -4, new Float4(1, 2, 3, 4));
        Object pointer = make("FeatureRowPtr", I8Ptr.of(memory));
        pointer.getClass().getMethod("set", row.getClass()).invoke(pointer, row);
        assertThat(memory[0]).isEqualTo((byte) 7);
        assertThat(memory[10]).isEqualTo((byte) -4);
        assertThat(memory[31]).isEqualTo((byte) 0x40);
        assertThat(pointer.getClass().getMethod("get").invoke(pointer)).isEqualTo(row);
        assertThat(DeviceCases.features().shim())
                .contains("static_assert(__INTADDR__(&((::FeatureRow*)0)->wide) == 16")
                .contains("static_assert(sizeof(::FeatureRow) == 32 && alignof(::FeatureRow) == 16");
    }

    private static String size(String pointer) throws ReflectiveOperationException {
        return nested(pointer).getField("BYTES").get(null) + "/"
                + nested(pointer).getField("ALIGNMENT").get(null);
    }

    private static Object make(String name, Object... arguments) throws ReflectiveOperationException {
        return nested(name).getDeclaredConstructors()[0].newInstance(arguments);
    }

    private static Object call(String name, Object... arguments) throws Exception {
        Method method = Arrays.stream(features.getMethods())
                .filter(each -> each.getName().equals(name) && each.getParameterCount() == arguments.length)
                .filter(each -> arguments.length == 0
                        || each.getParameterTypes()[0].isPrimitive()
                        || each.getParameterTypes()[0].isInstance(arguments[0]))
                .findFirst()
                .orElseThrow();
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @Test
    void withoutAVersionForTheCpuAFunctionIsAnException() throws Exception {
        twins(Map.of());
        assertThatThrownBy(() -> call("feature_scale", 1f))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("org.example.Features.feature_scale has no version for the CPU; one is given with"
                        + " Features.cpu(...)");
        assertThatThrownBy(() -> call("feature_swap", new Float2(1, 2)))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private static void twins(Map<String, Function<Object[], Object>> twins) throws ReflectiveOperationException {
        Class<?> cpu = nested("Cpu");
        Object versions =
                Proxy.newProxyInstance(cpu.getClassLoader(), new Class<?>[] {cpu}, (proxy, method, arguments) -> {
                    Function<Object[], Object> twin = twins.get(method.getName());
                    return twin == null
                            ? java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, arguments)
                            : twin.apply(arguments);
                });
        features.getMethod("cpu", cpu).invoke(null, versions);
    }

    /** On the CPU values take the same way through the wrapper's parameters and results as on a GPU. */
    @Test
    void versionsForTheCpuGetAndGiveValues() throws Exception {
        Object point = make("FeaturePoint", 1.5f, -2.0);
        Object segment = make("FeatureSegment", point, make("FeaturePoint", 3f, Double.MIN_VALUE), (byte) -7);
        Object row = make("FeatureRow", 1, (short) 2, (short) 3, (short) 4, (short) -5, new Float4(6, 7, 8, 9));
        Object split = make("FeatureSplitResult", -3, 0.25);
        twins(Map.of(
                "feature_scale", a -> (float) a[0] * 2,
                "feature_mirror", a -> a[0],
                "feature_join", a -> a[1].equals(point) ? segment : null,
                "feature_row", a -> a[0],
                "feature_swap", a -> new Float2(((Float2) a[0]).y(), ((Float2) a[0]).x()),
                "feature_split", a -> split,
                "feature_sum", a -> a[0],
                "feature_wrap", a -> (byte) ((byte) a[0] + (short) a[1] + (byte) a[2]),
                "feature_flags", a -> (boolean) a[0] ? (int) a[1] : 0,
                "equal", a -> a[0].equals(a[1])));
        assertThat(call("feature_scale", 1.5f)).isEqualTo(3f);
        assertThat(call("feature_mirror", point)).isEqualTo(point);
        assertThat(call("feature_join", point, point)).isEqualTo(segment);
        assertThat(call("feature_row", row)).isEqualTo(row);
        assertThat(call("feature_swap", new Float2(-1, Float.NaN))).isEqualTo(new Float2(Float.NaN, -1));
        assertThat(call("feature_split", 1.0)).isEqualTo(split);
        assertThat(call("feature_sum", new Half((short) -2), new Half((short) 1)))
                .isEqualTo(new Half((short) -2));
        assertThat(call("feature_sum", new Half2(-3), new Half2(1))).isEqualTo(new Half2(-3));
        assertThat(call("feature_wrap", (byte) 100, (short) 300, (byte) -1)).isEqualTo((byte) 399);
        assertThat(call("feature_flags", true, 0x80000000)).isEqualTo(0x80000000);
        Object number = make("FeatureComplex", 1f, 2f);
        assertThat(call("equal", number, number)).isEqualTo(true);
        assertThat(call("equal", number, make("FeatureComplex", 1f, 3f))).isEqualTo(false);
    }

    @Test
    void theUnitIsBesideTheClass() throws Exception {
        DeviceUnit unit =
                (DeviceUnit) features.getMethod("deviceUnit", Path[].class).invoke(null, (Object) new Path[] {folder});
        assertThat(unit.name()).isEqualTo("org.example.Features");
        assertThat(unit.content())
                .asString(java.nio.charset.StandardCharsets.UTF_8)
                .isEqualTo(DeviceCases.features().shim());
        assertThat(unit.includes()).containsExactly(folder);
        assertThat(I64Ptr.of(new long[1]).get(0)).isZero();
    }

    @Test
    void commentsBecomeJavadoc() {
        assertThat(DeviceCases.features().java()).contains("""
                /**
                 * Scales a number.
                 *
                 * <p>The factor is FEATURE_SCALE &amp; nothing &lt; that.
                 *
                 * <p>{@code feature_real feature_scale(feature_real x)}
                 *
                 * @param x what to scale
                 * @return the product
                 */
            """);
    }
}
