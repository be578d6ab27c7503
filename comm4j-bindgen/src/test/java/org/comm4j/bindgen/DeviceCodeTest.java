// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CudaArch;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Device code of generated classes: NVIDIA's compilers take it, and it dissolves in a kernel. */
class DeviceCodeTest {
    private static final Pattern WRAPPER = Pattern.compile("extern \"C\" __device__ (.+?) ?(\\w+)\\((.*)\\) \\{");

    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        DeviceCases.require();
        for (String wheel : List.of("nvidia-nvvm", "nvidia-nvjitlink")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
    }

    static DeviceCommand.Output fp8() {
        return DeviceCases.make("org.example.Fp8", "header cuda_fp8.h", "files cuda_fp8\\.hpp");
    }

    static DeviceCommand.Output fp16() {
        return DeviceCases.make("org.example.Fp16", "header cuda_fp16.h", "exclude __internal.*");
    }

    static DeviceCommand.Output bf16() {
        return DeviceCases.make("org.example.Bf16", "header cuda_bf16.h", "files cuda_bf16\\.hpp");
    }

    static DeviceCommand.Output curand() {
        assumeTrue(Natives.find("nvidia-curand").isPresent(), Natives.missing("nvidia-curand"));
        return DeviceCases.make("org.example.Curand", "header curand_kernel.h", "files curand_.*", "include curand.*");
    }

    record Case(String name, int atLeast, String function, boolean everywhere, Supplier<DeviceCommand.Output> output) {}

    private static final List<Case> CASES = List.of(
            new Case("Features", 46, "feature_scale", true, DeviceCases::features),
            new Case("Fp8", 200, "__nv_cvt_float_to_fp8", true, DeviceCodeTest::fp8),
            new Case("Fp16", 250, "__hadd2", false, DeviceCodeTest::fp16),
            new Case("Bf16", 250, "__float2bfloat16", false, DeviceCodeTest::bf16),
            new Case("Curand", 100, "curand_normal4", true, DeviceCodeTest::curand));

    static Stream<Arguments> cases() {
        return CASES.stream().map(each -> Arguments.of(each.name(), each));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void javaCompiles(String name, Case header) throws Exception {
        DeviceCommand.Output output = header.output().get();
        assertThat(output.bindings()).hasSizeGreaterThanOrEqualTo(header.atLeast());
        assertThat(output.bindings()).extracting(DeviceBinding::name).contains(header.function());
        Class<?> made = DeviceCases.compile("org.example." + name, output, folder);
        assertThat(made.getDeclaredMethods()).hasSizeGreaterThan(header.atLeast());
    }

    static Stream<Arguments> casesAndArchitectures() {
        return CASES.stream()
                .flatMap(each -> Stream.of("sm_80", "sm_90", "sm_100")
                        .filter(architecture -> architecture.equals("sm_90") || each.everywhere())
                        .map(architecture -> Arguments.of(each.name(), architecture, each)));
    }

    /** A kernel that calls every wrapper links, and in the end calls nothing: not on its way to machine code, not in it. */
    @ParameterizedTest(name = "{0} for {1}")
    @MethodSource("casesAndArchitectures")
    void everyWrapperIsInlined(String name, String architecture, Case header) {
        DeviceCommand.Output output = header.output().get();
        List<MatchResult> wrappers = WRAPPER.matcher(output.shim()).results().toList();
        assertThat(wrappers).hasSameSizeAs(output.bindings());
        DeviceUnit unit = DeviceUnit.source("org.example." + name, output.shim(), "-std=c++17");
        for (Path include : DeviceCases.includes()) {
            unit = unit.include(include);
        }
        CompileOptions options = CompileOptions.DEFAULT.withoutCache().with(unit);
        Toolchain toolchain = new Toolchain(CudaArch.parse(architecture), options);
        Toolchain.Source source =
                new Toolchain.Source(name, "everything", kernel(wrappers), false, List.of(unit.name()));
        // The linker fails if something is unresolved.
        assertThat(toolchain.cubin(source)).isNotEmpty();
        assertThat(toolchain.ptx(source).lines().filter(line -> line.contains("call") && line.contains("comm4j_")))
                .isEmpty();
    }

    /** From Java on: a kernel that calls the generated class. */
    @Test
    void aKernelInJavaCallsThem() throws Exception {
        DeviceCommand.Output output = DeviceCases.features();
        DeviceCases.compile("org.example.Features", output, folder);
        Class<?> kernels = DeviceCases.compile("org.example.Calls", """
                package org.example;

                import org.comm4j.kernel.*;
                import org.example.Features.*;

                public class Calls {
                    @Kernel
                    public static void run(F32Ptr out, I8Ptr states, double x) {
                        int i = GlobalIdx.x();
                        FeatureStatePtr state = new FeatureStatePtr(states).plus(i);
                        Features.feature_init(7, state);
                        boolean wrapped = Features.feature_next(state, out.asI32());
                        FeaturePoint point = Features.feature_mirror(new FeaturePoint(1f, x));
                        FeatureSplitResult split = Features.feature_split(point.y());
                        Float2 swapped = Features.feature_swap(new Float2(point.x(), wrapped ? 1 : 2));
                        Half sum = Features.feature_sum(new Half((short) i), new Half((short) 0x3c00));
                        int up = Features.feature_round(swapped.x(), FeatureRounding.FEATURE_UP);
                        FeatureComplex product = Features.multiply(Features.newFeatureComplex(swapped.x(), 2f), 3f);
                        byte narrow = Features.feature_wrap((byte) up, sum.bits(), (byte) split.whole());
                        out.set(i, Features.norm(product) + narrow + (float) split.rest() + Features.feature_clamp(up, 1, 2));
                    }
                }
                """, folder);
        DeviceUnit unit = DeviceUnit.source("org.example.Features", output.shim(), "-std=c++17");
        for (Path include : DeviceCases.includes()) {
            unit = unit.include(include);
        }
        Method method = Arrays.stream(kernels.getMethods())
                .filter(each -> each.getName().equals("run"))
                .findFirst()
                .orElseThrow();
        KernelCode code = KernelCode.compile(
                method,
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT.withoutCache().with(unit));
        assertThat(code.ir()).contains("comm4j_Features__Z14feature_mirror12FeaturePoint");
        assertThat(code.ptx().lines().filter(line -> line.contains("call"))).isEmpty();
        // The slots of results, too, are gone.
        assertThat(code.attributes().localBytes()).isZero();
    }

    /** A kernel in NVVM IR that calls all, with numbers that it gets from memory, and writes the results there. */
    private static String kernel(List<MatchResult> wrappers) {
        StringBuilder text = new StringBuilder("""
                target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
                target triple = "nvptx64-nvidia-cuda"

                """);
        StringBuilder body = new StringBuilder();
        int n = 0;
        for (MatchResult wrapper : wrappers) {
            String result = llvm(wrapper.group(1));
            List<String> types = new ArrayList<>();
            for (String parameter : wrapper.group(3).isEmpty()
                    ? new String[0]
                    : wrapper.group(3).split(", ")) {
                types.add(llvm(parameter.substring(0, parameter.lastIndexOf(' '))));
            }
            text.append("declare ")
                    .append(result)
                    .append(" @")
                    .append(wrapper.group(2))
                    .append('(');
            text.append(String.join(", ", types)).append(")\n");
            List<String> arguments = new ArrayList<>();
            for (String type : types) {
                body.append("  %p")
                        .append(n)
                        .append(" = bitcast i8* %memory to ")
                        .append(type)
                        .append("*\n");
                body.append("  %v")
                        .append(n)
                        .append(" = load volatile ")
                        .append(type)
                        .append(", ")
                        .append(type);
                body.append("* %p").append(n).append('\n');
                arguments.add(type + " %v" + n++);
            }
            String call = "call " + result + " @" + wrapper.group(2) + "(" + String.join(", ", arguments) + ")\n";
            if (result.equals("void")) {
                body.append("  ").append(call);
            } else {
                body.append("  %r").append(n).append(" = ").append(call);
                body.append("  %p")
                        .append(n)
                        .append(" = bitcast i8* %memory to ")
                        .append(result)
                        .append("*\n");
                body.append("  store volatile ")
                        .append(result)
                        .append(" %r")
                        .append(n)
                        .append(", ")
                        .append(result);
                body.append("* %p").append(n++).append('\n');
            }
        }
        return text.append("\ndefine void @everything(i8* %memory) {\n")
                .append(body)
                .append("""
                  ret void
                }

                @llvm.used = appending global [1 x i8*] [i8* bitcast (void (i8*)* @everything to i8*)], section "llvm.metadata"
                !nvvm.annotations = !{!0}
                !nvvmir.version = !{!1}
                !0 = !{void (i8*)* @everything, !"kernel", i32 1}
                !1 = !{i32 2, i32 0}
                """)
                .toString();
    }

    private static String llvm(String type) {
        return switch (type) {
            case "void" -> "void";
            case "int" -> "i32";
            case "long long" -> "i64";
            case "float" -> "float";
            case "double" -> "double";
            case "void*" -> "i8*";
            case "long long*" -> "i64*";
            default -> throw new IllegalArgumentException(type);
        };
    }
}
