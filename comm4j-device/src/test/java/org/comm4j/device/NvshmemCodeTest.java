// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.lang.module.ModuleDescriptor.Version;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels that communicate become machine code, with the headers of each version of NVSHMEM and NVIDIA's compilers. */
class NvshmemCodeTest {
    /**
     * What may be left as a call: what reports errors and, in kernels that use it often, NVSHMEM's way to PEs without a
     * direct connection.
     */
    private static Predicate<String> left(Compilers.Target target) {
        return Pattern.compile((target.direct() ? "" : "_Z\\d+nvshmemi_.*|") + "vprintf|__assertfail")
                .asMatchPredicate();
    }

    @BeforeAll
    static void require() {
        Compilers.require();
    }

    /** Of both versions, and over the network for one of them. */
    static List<Compilers.Target> targets() {
        List<Compilers.Target> all = Compilers.targets();
        return all.stream()
                .filter(target -> Nightly.isOn() || target.direct() || target.equals(all.getLast()))
                .toList();
    }

    /** All by night, when code for networks may keep the compilers busy for a minute; else the newest version. */
    static List<Compilers.Target> quickTargets() {
        List<Compilers.Target> direct =
                targets().stream().filter(Compilers.Target::direct).toList();
        return Nightly.isOn() ? targets() : List.of(direct.getLast());
    }

    private static KernelCode code(String kernel, Compilers.Target target, CompileOptions options) {
        return code(Ring.class, kernel, target, options);
    }

    private static KernelCode code(
            Class<?> kernels, String kernel, Compilers.Target target, CompileOptions options, Object... constants) {
        return KernelCode.compile(
                Arrays.stream(kernels.getDeclaredMethods())
                        .filter(method -> method.getName().equals(kernel))
                        .findFirst()
                        .orElseThrow(),
                CudaArch.parse("sm_90"),
                Compilers.options(target, options),
                constants);
    }

    @ParameterizedTest
    @MethodSource("targets")
    void nothingIsLeftOfTheCalls(Compilers.Target target) {
        KernelCode code = code("exchange", target, CompileOptions.DEFAULT);
        assertThat(code.nvvm()).contains("@comm4j_putmem_signal_block(", "@comm4j_signal_wait_until(");
        assertThat(Compilers.calls(code)).isEmpty();
        assertThat(code.cubin()).isNotEmpty();
        // The variables that the host library looks for.
        assertThat(code.ptx())
                .contains(".visible .const .align 8 .b8 nvshmemi_device_state_d[")
                .contains(".visible .const .align 4 .b8 nvshmemi_device_lib_version_d[12] = {3, 0, 0, 0, "
                        + target.version().split("\\.")[1]);
        assertThat(code.cooperative()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void putsNeedNoOtherBlocks(Compilers.Target target) {
        KernelCode code = code("put", target, CompileOptions.DEFAULT);
        assertThat(Compilers.calls(code)).isEmpty();
        assertThat(code.cooperative()).isFalse();
    }

    /** Reductions take the linker a minute if all types and operations come along. */
    @ParameterizedTest
    @MethodSource("quickTargets")
    void onlyTheCollectivesThatAreCalledAreLinked(Compilers.Target target) {
        KernelCode sum = code(CollectiveKernels.class, "sumBlock", target, CompileOptions.DEFAULT);
        assertThat(collectives(sum)).containsExactly("nvshmemx_float_sum_reduce_block");
        KernelCode scatter =
                code(CollectiveKernels.class, "reduceF64", target, CompileOptions.DEFAULT, 2, ReduceOp.MAX);
        assertThat(collectives(scatter))
                .containsExactlyInAnyOrder(
                        "nvshmemx_double_max_reduce_block", "nvshmemx_double_max_reducescatter_block");
        KernelCode all = code(CollectiveKernels.class, "copyI8", target, CompileOptions.DEFAULT, 2);
        assertThat(collectives(all)).contains("nvshmemx_int8_alltoall_block");
        assertThat(all.cooperative()).isTrue();
        KernelCode greatest = code(CollectiveKernels.class, "maxLoc", target, CompileOptions.DEFAULT);
        assertThat(collectives(greatest)).containsExactly("nvshmemx_double2_maxloc_reduce_block");
        assertThat(Compilers.calls(greatest)).allMatch(left(target));
        KernelCode barriers = code(CollectiveKernels.class, "blockBarriers", target, CompileOptions.DEFAULT);
        assertThat(Compilers.calls(barriers)).isEmpty();
        assertThat(barriers.cubin()).isNotEmpty();
    }

    /** Their loops over elements are assembly, which only the last of the compilers reads. */
    @ParameterizedTest
    @MethodSource("quickTargets")
    void everyReductionBecomesMachineCode(Compilers.Target target) {
        assumeTrue(target.direct(), "the headers' take a minute each");
        for (DataType type : Nightly.again(CollectiveCases.TYPES)) {
            String kernel = "reduce"
                    + type.name().replace("BFLOAT", "BF").replace("FLOAT", "F").replace("INT", "I");
            List<ReduceOp> operations = CollectiveCases.OPERATIONS.stream()
                    .filter(op -> op.supports(type))
                    .toList();
            for (ReduceOp op : Nightly.variants(type.ordinal(), operations)) {
                KernelCode code =
                        code(CollectiveKernels.class, kernel, target, CompileOptions.DEFAULT.withoutCache(), 2, op);
                assertThat(collectives(code)).as("%s %s", type, op).hasSize(2);
                assertThat(code.cubin()).as("%s %s", type, op).isNotEmpty();
            }
        }
    }

    private static List<String> collectives(KernelCode code) {
        return Compilers.functions(code).stream()
                .filter(NvshmemUnit::isCollective)
                .toList();
    }

    /** All values of a kernel's constants, which are scopes and switches; none of what is no kernel. */
    private static List<Object[]> constants(Method kernel) {
        List<Object[]> values = new ArrayList<>();
        if (kernel.isAnnotationPresent(Kernel.class)) {
            values.add(new Object[0]);
        }
        for (Parameter parameter : kernel.getParameters()) {
            if (parameter.isAnnotationPresent(Constant.class)) {
                List<?> each = parameter.getType() == int.class ? List.of(0, 1, 2) : List.of(false, true);
                values = values.stream()
                        .flatMap(before -> each.stream().map(value -> {
                            Object[] more = Arrays.copyOf(before, before.length + 1);
                            more[before.length] = value;
                            return more;
                        }))
                        .toList();
            }
        }
        return values;
    }

    /** Looks at all by night, else at every third: one that is declared with wrong types would be left as a call. */
    @ParameterizedTest
    @MethodSource("quickTargets")
    void everyOneSidedFunctionIsInlined(Compilers.Target target) {
        CompileOptions options = Compilers.options(target, CompileOptions.DEFAULT);
        Set<String> seen = new TreeSet<>();
        int number = 0;
        List<Class<?>> all = new ArrayList<>(List.of(
                MoveKernels.class, SingleKernels.class, AtomicKernels.class, WaitKernels.class, OrderCases.class));
        if (hasFlush(target.version())) {
            all.add(FlushKernels.class);
        }
        for (Class<?> kernels : all) {
            for (Method kernel : kernels.getDeclaredMethods()) {
                for (Object[] constants : constants(kernel)) {
                    KernelCode code = KernelCode.compile(kernel, CudaArch.parse("sm_90"), options, constants);
                    if (Nightly.isOn() || number++ % 3 == 0) {
                        assertThat(Compilers.calls(code)).as(kernel.getName()).allMatch(left(target));
                    }
                    seen.addAll(Compilers.functions(code));
                }
            }
        }
        assertThat(seen).containsAll(Compilers.allFunctions(target.version(), false));
    }

    private static boolean hasFlush(String version) {
        return Declared.namesIn(Version.parse(version)).contains("nvshmemx_flush");
    }

    /** Without the linker's words, which would be that something is unresolved. */
    @ParameterizedTest
    @MethodSource("targets")
    void whatTheVersionLacksIsSaid(Compilers.Target target) {
        KernelCode code = code(FlushKernels.class, "flush", target, CompileOptions.DEFAULT, 1);
        if (hasFlush(target.version())) {
            assertThat(code.cubin()).isNotEmpty();
        } else {
            assertThatThrownBy(code::cubin)
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("FlushKernels.flush")
                    .hasMessageContaining("nvshmemx_flush_warp needs NVSHMEM 3.7 or newer; this is " + target.version())
                    .hasMessageContaining(
                            Natives.nvshmemHeaders(target.version()).split(File.pathSeparator)[0]);
        }
    }

    /** All names, whatever is called of them. */
    @ParameterizedTest
    @MethodSource("quickTargets")
    void theHeadersHaveAllCollectives(Compilers.Target target) {
        List<DeviceUnit> units = Compilers.options(target, CompileOptions.DEFAULT)
                .units()
                .getFirst()
                .forFunctions(Set.copyOf(Compilers.allFunctions(target.version(), true)));
        StringBuilder all = new StringBuilder();
        for (DeviceUnit unit : units) {
            List<String> options = new ArrayList<>(unit.options());
            unit.includes().forEach(folder -> options.add("-I" + folder));
            String source = new String(unit.content(), StandardCharsets.UTF_8);
            all.append(source);
            assertThat(Nvrtc.compileLto(source, unit.name(), "sm_90", options.toArray(String[]::new)))
                    .isNotEmpty();
        }
        assertThat(all).contains("nvshmemx_bfloat16_max_reducescatter_warp");
    }

    @ParameterizedTest
    @MethodSource("quickTargets")
    void checksAreCompiledWhereAskedFor(Compilers.Target target) {
        assertThat(code("tour", target, CompileOptions.DEFAULT).nvvm()).doesNotContain("there is no such PE");
        KernelCode checked = code("tour", target, CompileOptions.DEFAULT.withChecks());
        assertThat(checked.ptx()).contains("__assertfail");
        assertThat(checked.cubin()).isNotEmpty();
    }
}
