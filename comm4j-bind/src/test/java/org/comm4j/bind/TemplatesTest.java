// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Templates of which a kernel's call gives the arguments. */
@Tag("nightly")
class TemplatesTest {
    private static final String KERNEL = """
        package org.example;

        import org.comm4j.kernel.lang.*;

        public class Sums {
            @Kernel
            public static void sums(F32Ptr out, I32Ptr whole) {
                int i = ThreadIdx.x();
                out.set(i, Templates.blockTotalTotal(64, out.get(i)));
                out.set(i, Templates.blockTotalTotal(64, Templates.Way.DOWN, out.get(i)));
                out.set(i, out.get(i) + Templates.stepped(3, Templates.Way.DOWN, true, 5f));
                whole.set(i, Templates.twice(whole.get(i)) + Templates.by(Templates.Step.THREE, i));
                whole.set(i, whole.get(i) + Templates.converted_int(out.get(i)));
            }
        }
        """;

    @TempDir
    static Path folder;

    private static Binder.Output output;
    private static Class<?> made = Object.class;

    @BeforeAll
    static void make() throws Exception {
        DeviceCases.require();
        output = DeviceCases.make("org.example.Templates", "header templates.cuh");
        made = DeviceCases.compile("org.example.Templates", output, folder);
    }

    private static List<Method> named(String name) {
        return Arrays.stream(made.getMethods())
                .filter(method -> method.getName().equals(name))
                .toList();
    }

    @Test
    void typesAreOverloadsAndValuesAreConstants() {
        assertThat(named("twice"))
                .extracting(Method::getReturnType)
                .satisfiesExactlyInAnyOrder(
                        type -> assertThat(type).isEqualTo(int.class),
                        type -> assertThat(type).isEqualTo(long.class),
                        type -> assertThat(type).isEqualTo(float.class),
                        type -> assertThat(type).isEqualTo(double.class));
        assertThat(named("stepped")).hasSize(4).allSatisfy(method -> {
            assertThat(method.getParameterCount()).isEqualTo(4);
            assertThat(method.getParameters()[0].isAnnotationPresent(Constant.class))
                    .isTrue();
            assertThat(method.getParameters()[1].getType().getSimpleName()).isEqualTo("Way");
            assertThat(method.getParameters()[2].getType()).isEqualTo(boolean.class);
            assertThat(method.getParameters()[3].isAnnotationPresent(Constant.class))
                    .isFalse();
        });
        // A default may be given or not.
        assertThat(named("last")).extracting(Method::getParameterCount).containsExactlyInAnyOrder(2, 3);
        assertThat(named("converted_long_long"))
                .hasSize(4)
                .allSatisfy(method -> assertThat(method.getReturnType()).isEqualTo(long.class));
        assertThat(named("modulus")).hasSize(2);
    }

    @Test
    void whatIsLeftOutHasItsReason() {
        Map<String, String> reasons = output.reasons().stream()
                .collect(Collectors.toMap(
                        each -> each.what().replaceAll(" .*", ""), DeviceHeader.LeftOut::reason, (a, _) -> a));
        assertThat(reasons.get("templates::count")).contains("its parameter T is a pack");
        assertThat(reasons.get("templates::row")).contains("Row<32>");
        assertThat(reasons.get("templates::modulus")).contains("whole numbers only");
        assertThat(reasons.get("templates::BlockTotal::Reduce")).contains("a template in a class");
        assertThat(reasons).hasSize(5);
    }

    /** A collective's results are Java's, and the block comes together to it. */
    @Test
    void collectivesHaveStorageOfTheirOwn() throws Exception {
        Method total = made.getMethod("blockTotalTotal", int.class, float.class);
        DeviceFunction function = total.getAnnotation(DeviceFunction.class);
        assertThat(function.convergent()).isTrue();
        assertThat(function.value()).endsWith("__of_$1");
        assertThat(output.shim())
                .contains("using Collective = ::templates::BlockTotal<float, (int) (V0)>; \\")
                .contains("__shared__ typename Collective::TempStorage storage; \\");
        assertThat(named("blockTotalTotal_threads"))
                .hasSize(8)
                .allSatisfy(
                        method -> assertThat(method.getReturnType().isRecord()).isTrue());
    }

    /** Arguments that are enums are written by their names, as NVRTC wants them. */
    @Test
    void instancesThatAreNamedMayHaveEnumsAsArguments() {
        Binder.Output named = DeviceCases.make(
                "org.example.Down",
                "header templates.cuh",
                "include BlockTotal.*|Total",
                "instantiate templates::BlockTotal<float, 64, templates::DOWN>");
        assertThat(named.shim()).contains("(::templates::BlockTotal<float, 64, templates::DOWN>&) ");
        assertThat(named.bindings()).extracting(DeviceBinding::name).contains("Total");
    }

    @Test
    void onTheCpuTheTwinGetsTheConstants() throws Exception {
        Class<?> cpu = Arrays.stream(made.getDeclaredClasses())
                .filter(each -> each.getSimpleName().equals("Cpu"))
                .findFirst()
                .orElseThrow();
        Object versions = Proxy.newProxyInstance(
                cpu.getClassLoader(),
                new Class<?>[] {cpu},
                (_, _, arguments) -> (int) arguments[0] + (float) arguments[1]);
        made.getMethod("cpu", cpu).invoke(null, versions);
        assertThat(made.getMethod("last", int.class, float.class).invoke(null, 3, 0.5f))
                .isEqualTo(3.5f);
    }

    /** Only what the kernel calls is instantiated, and dissolves in it. */
    @Test
    void aKernelGetsTheInstancesThatItCalls() throws Exception {
        for (String wheel : List.of("nvidia-nvvm", "nvidia-nvjitlink")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        Class<?> program = DeviceCases.compile("org.example.Sums", KERNEL, folder);
        Method kernel = Arrays.stream(program.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Kernel.class))
                .findFirst()
                .orElseThrow();
        DeviceUnit unit = (DeviceUnit) made.getMethod("deviceUnit", Path[].class)
                .invoke(null, (Object) DeviceCases.includes().toArray(Path[]::new));
        KernelCode code = KernelCode.compile(
                kernel,
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT.withoutCache().with(unit));
        assertThat(code.nvvm())
                .containsPattern("declare float @comm4j_Templates_\\w+Total\\w+__of_64\\(float\\)")
                .containsPattern("declare float @comm4j_Templates_\\w+Total\\w+__of_64_1\\(float\\)")
                .containsPattern("declare float @comm4j_Templates_\\w+stepped\\w+__of_3_1_1\\(float\\)")
                .containsPattern("declare i32 @comm4j_Templates_\\w+by\\w+__of_3\\(i32\\)");
        assertThat(code.ptx().lines().filter(line -> line.contains("call"))).isEmpty();
        // Two objects of 64 floats.
        assertThat(code.attributes().sharedBytes()).isEqualTo(512);
    }
}
