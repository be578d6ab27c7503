// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Constant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels of {@link LanguageKernels} on the CPU's executor, beside the methods themselves. */
class LanguageCpuTest {
    private static final int ELEMENTS = 32;
    private static final Map<String, CompiledKernel> COMPILED = new HashMap<>();

    static Stream<Arguments> kernels() {
        return SemanticsTest.everyKernel()
                .filter(each ->
                        SemanticsTest.method((String) each.get()[0]).getDeclaringClass() == LanguageKernels.class);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void executorAndJavaAgree(String name, Object[] given) throws Exception {
        for (CpuOptions options : List.of(CpuOptions.fast(), CpuOptions.checked(5), CpuOptions.debug())) {
            agree(SemanticsTest.method(name), given, options);
        }
    }

    private static void agree(Method method, Object[] given, CpuOptions options) throws Exception {
        method.setAccessible(true);
        List<Object> constants = new ArrayList<>();
        List<Object> java = new ArrayList<>();
        List<Object> launched = new ArrayList<>();
        List<HostArray> expected = new ArrayList<>();
        List<HostArray> got = new ArrayList<>();
        int next = 0;
        for (var parameter : method.getParameters()) {
            DataType type = SemanticsTest.element(parameter.getType());
            if (type != null) {
                expected.add(filled(type));
                got.add(filled(type));
                java.add(SemanticsTest.pointer(parameter.getType(), expected.getLast()));
                launched.add(got.getLast());
                continue;
            }
            java.add(given[next]);
            (parameter.isAnnotationPresent(Constant.class) ? constants : launched).add(given[next]);
            next++;
        }
        method.invoke(null, java.toArray());
        CompiledKernel kernel = COMPILED.computeIfAbsent(
                method.getName() + constants + options,
                key -> KernelCompiler.cpu(options).compile(method, constants.toArray()));
        kernel.launch(LaunchConfig.grid(1).block(1), launched.toArray());
        for (int i = 0; i < got.size(); i++) {
            assertThat(SemanticsTest.numbers(got.get(i).type(), got.get(i).segment()))
                    .as("%s%s on %s", method.getName(), List.of(given), options)
                    .isEqualTo(SemanticsTest.numbers(
                            expected.get(i).type(), expected.get(i).segment()));
        }
    }

    private static HostArray filled(DataType type) {
        HostArray array = HostArray.allocate(type, ELEMENTS);
        for (long i = 0; i < array.segment().byteSize() / 4; i++) {
            array.segment().setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, (int) (i + 3) << 23);
        }
        return array;
    }
}
