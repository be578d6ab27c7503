// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.DeviceFunction;
import org.junit.jupiter.api.Test;

/** What NVSHMEM's functions are declared as. */
class FunctionsTest {
    private static Method kernel(String name) {
        return Arrays.stream(CollectiveKernels.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> called(String kernel, Object... constants) {
        return Compilers.functions(
                KernelCode.compile(kernel(kernel), CudaArch.parse("sm_90"), CompileOptions.DEFAULT, constants));
    }

    private static String pointer(DataType type) {
        return type.name().replace("BFLOAT", "BF").replace("FLOAT", "F").replace("INT", "I");
    }

    /** The case of one-sided functions is NvshmemCodeTest's. */
    @Test
    void theCasesCallEveryCollective() {
        Set<String> seen = new TreeSet<>();
        for (int scope = 0; scope < 3; scope++) {
            for (DataType type : CollectiveCases.TYPES) {
                for (ReduceOp op : CollectiveCases.OPERATIONS) {
                    if (op.supports(type)) {
                        seen.addAll(called("reduce" + pointer(type), scope, op));
                    }
                }
            }
            for (DataType type : CollectiveCases.SIZES) {
                seen.addAll(called("copy" + pointer(type), scope));
            }
        }
        for (String kernel : new String[] {"threadBarriers", "warpBarriers", "blockBarriers", "maxLoc"}) {
            seen.addAll(called(kernel));
        }
        assertThat(seen)
                .containsAll(Declared.names().stream()
                        .filter(NvshmemUnit::isCollective)
                        .toList());
    }

    /** An operation that is known only when the kernel runs: all of those that the type has. */
    @Test
    void operationsThatAreArguments() {
        List<String> operations = List.of("sum", "prod", "min", "max");
        assertThat(called("reduceBlock"))
                .containsAll(operations.stream()
                        .map(op -> "nvshmemx_int32_" + op + "_reduce_block")
                        .toList())
                .contains("nvshmemx_int32_and_reduce_block", "nvshmemx_int32_or_reduce_block")
                .containsAll(operations.stream()
                        .map(op -> "nvshmemx_float_" + op + "_reducescatter_block")
                        .toList())
                .doesNotContain("nvshmemx_float_and_reducescatter_block");
    }

    @Test
    void whatWaitsIsCooperativeAndGroupsAreConvergent() {
        for (Method method : NvshmemFunctions.class.getDeclaredMethods()) {
            DeviceFunction function = method.getAnnotation(DeviceFunction.class);
            assertThat(function).as(method.getName()).isNotNull();
            assertThat(function.unit()).isEqualTo(NvshmemUnit.NAME);
            for (String name : Declared.names(function, method)) {
                assertThat(name).doesNotContain("$");
                assertThat(function.convergent()).as(name).isEqualTo(name.matches(".*_(warp|block)"));
                assertThat(function.cooperative())
                        .as(name)
                        .isEqualTo(NvshmemUnit.isCollective(name) || name.matches(".*_(wait_until|test)(_.*)?"));
            }
        }
    }
}
