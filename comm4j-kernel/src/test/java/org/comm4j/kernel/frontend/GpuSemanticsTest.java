// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link SemanticsTest} compares with an interpreter: the corners of the language, executed by a GPU and by Java.
 */
@Tag("gpu")
class GpuSemanticsTest {
    private static final int ELEMENTS = 32;
    private static final Map<String, CompiledKernel> COMPILED = new HashMap<>();

    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    @AfterAll
    static void unload() {
        COMPILED.values().forEach(CompiledKernel::close);
        COMPILED.clear();
    }

    static Stream<Arguments> everyKernel() {
        return SemanticsTest.everyKernel();
    }

    @ParameterizedTest
    @MethodSource("everyKernel")
    void javaAndTheGpuAgree(String name, Object[] given) throws Exception {
        agree(name, given, CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT));
        agree(name, given, CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT).withChecks());
    }

    private static void agree(String name, Object[] given, CompileOptions options) throws Exception {
        Method method = SemanticsTest.method(name);
        method.setAccessible(true);
        Machine machine = Machine.gpu(options);
        List<Object> constants = new ArrayList<>();
        List<HostArray> expected = new ArrayList<>();
        List<HostArray> got = new ArrayList<>();
        List<Object> java = new ArrayList<>();
        List<Object> gpu = new ArrayList<>();
        int next = 0;
        for (var parameter : method.getParameters()) {
            DataType type = SemanticsTest.element(parameter.getType());
            if (type != null) {
                expected.add(filled(type));
                got.add(filled(type));
                java.add(SemanticsTest.pointer(parameter.getType(), expected.getLast()));
                gpu.add(got.getLast());
                continue;
            }
            java.add(given[next]);
            (parameter.isAnnotationPresent(Constant.class) ? constants : gpu).add(given[next]);
            next++;
        }
        CompiledKernel kernel = COMPILED.computeIfAbsent(
                name + constants + options.checked(), _ -> machine.compiler().compile(method, constants.toArray()));
        method.invoke(null, java.toArray());
        machine.launch(kernel, LaunchConfig.grid(1), gpu.toArray());
        for (int i = 0; i < expected.size(); i++) {
            DataType type = expected.get(i).type();
            assertThat(SemanticsTest.numbers(type, got.get(i).segment()))
                    .as("%s%s on %s, array %d", name, Arrays.toString(given), machine, i)
                    .isEqualTo(SemanticsTest.numbers(type, expected.get(i).segment()));
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
