// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Cubin;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Device code of generated classes: NVIDIA's compilers take it, and it dissolves in a kernel. */
@Tag("nightly")
class DeviceCodeTest {
    private static final Pattern WRAPPER =
            Pattern.compile("extern \"C\" __device__ (.+?) ?(\\w+)\\((.*)\\) \\{$", Pattern.MULTILINE);

    /** Wrappers in a kernel. With all of a header in one the linker takes minutes. */
    private static final int TOGETHER = 16;

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

    static Binder.Output fp8() {
        return DeviceCases.make("org.example.Fp8", "header cuda_fp8.h", "files cuda_fp8\\.hpp");
    }

    static Binder.Output fp16() {
        return DeviceCases.make("org.example.Fp16", "header cuda_fp16.h", "exclude __internal.*");
    }

    static Binder.Output bf16() {
        return DeviceCases.make("org.example.Bf16", "header cuda_bf16.h", "files cuda_bf16\\.hpp");
    }

    static Binder.Output curand() {
        assumeTrue(Natives.find("nvidia-curand").isPresent(), Natives.missing("nvidia-curand"));
        return DeviceCases.make("org.example.Curand", "header curand_kernel.h", "files curand_.*", "include curand.*");
    }

    record Case(String name, int atLeast, String function, Supplier<Binder.Output> output) {}

    private static final List<Case> CASES = List.of(
            new Case("Features", 46, "feature_scale", DeviceCases::features),
            new Case("Fp8", 200, "__nv_cvt_float_to_fp8", DeviceCodeTest::fp8),
            new Case("Fp16", 250, "__hadd2", DeviceCodeTest::fp16),
            new Case("Bf16", 250, "__float2bfloat16", DeviceCodeTest::bf16),
            new Case("Curand", 100, "curand_normal4", DeviceCodeTest::curand));

    static Stream<Arguments> cases() {
        return CASES.stream().map(each -> Arguments.of(each.name(), each));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void javaCompiles(String name, Case header) throws Exception {
        Binder.Output output = header.output().get();
        assertThat(output.bindings()).hasSizeGreaterThanOrEqualTo(header.atLeast());
        assertThat(output.bindings()).extracting(DeviceBinding::name).contains(header.function());
        Class<?> made = DeviceCases.compile("org.example." + name, output, folder);
        assertThat(made.getDeclaredMethods()).hasSizeGreaterThan(header.atLeast());
    }

    static Stream<Arguments> casesAndArchitectures() {
        return CASES.stream()
                .flatMap(each -> Stream.of("sm_80", "sm_90", "sm_100")
                        .map(architecture -> Arguments.of(each.name(), architecture, each)));
    }

    /** Kernels that call every wrapper link, and in the end no wrapper is there to be called. */
    @ParameterizedTest(name = "{0} for {1}")
    @MethodSource("casesAndArchitectures")
    void everyWrapperIsInlined(String name, String architecture, Case header) {
        Binder.Output output = header.output().get();
        List<MatchResult> wrappers = WRAPPER.matcher(output.shim()).results().toList();
        // Templates are macros.
        assertThat(wrappers)
                .hasSameSizeAs(output.bindings().stream()
                        .filter(each -> each.callable().gaps() == null)
                        .toList());
        DeviceUnit unit = DeviceUnit.source("org.example." + name, output.shim(), "-std=c++17");
        for (Path include : DeviceCases.includes()) {
            unit = unit.include(include);
        }
        CompileOptions options = CompileOptions.DEFAULT.withoutCache().with(unit);
        Toolchain toolchain = new Toolchain(CudaArch.parse(architecture), options);
        Toolchain.Source source =
                new Toolchain.Source(name, "calls0", kernels(wrappers), Kernel.Math.EXACT, List.of(unit.name()));
        // The linker fails if something is unresolved.
        assertThat(new Cubin(toolchain.cubin(source)).functions("calls0"))
                .as("functions in the machine code")
                // A header may have kernels of its own.
                .allMatch(function -> function.matches("calls\\d+|_Z\\d+feature_kernelPf"));
    }

    /** What the test above looks for is found where it is. */
    @Test
    void aFunctionThatIsNotInlinedIsSeen() {
        DeviceUnit unit = DeviceUnit.source("calls", """
            extern "C" __device__ __noinline__ int comm4j_stays(int x) { return x * x + 1; }
            """);
        Toolchain toolchain = new Toolchain(
                CudaArch.parse("sm_90"), CompileOptions.DEFAULT.withoutCache().with(unit));
        MatchResult wrapper = WRAPPER.matcher("extern \"C\" __device__ int comm4j_stays(int x) {")
                .results()
                .findFirst()
                .orElseThrow();
        Toolchain.Source source = new Toolchain.Source(
                "calls", "calls0", kernels(List.of(wrapper)), Kernel.Math.EXACT, List.of(unit.name()));
        assertThat(new Cubin(toolchain.cubin(source)).functions("calls0")).contains("comm4j_stays");
    }

    /** From Java on: a kernel that calls the generated class. */
    @Test
    void aKernelInJavaCallsThem() throws Exception {
        Binder.Output output = DeviceCases.features();
        DeviceCases.compile("org.example.Features", output, folder);
        Class<?> kernels = DeviceCases.compile("org.example.Calls", """
            package org.example;

            import org.comm4j.kernel.*;
            import org.comm4j.kernel.lang.*;
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

    /** Kernels in NVVM IR that call all, with numbers that they get from memory, and write the results there. */
    private static String kernels(List<MatchResult> wrappers) {
        StringBuilder text = new StringBuilder("""
            target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
            target triple = "nvptx64-nvidia-cuda"

            """);
        List<String> kernels = new ArrayList<>();
        for (int from = 0; from < wrappers.size(); from += TOGETHER) {
            StringBuilder body = new StringBuilder();
            for (MatchResult wrapper : wrappers.subList(from, Math.min(wrappers.size(), from + TOGETHER))) {
                call(wrapper, text, body);
            }
            String name = "calls" + kernels.size();
            kernels.add("void (i8*)* @" + name);
            text.append("\ndefine void @%s(i8* %%memory) {\n%s  ret void\n}\n\n".formatted(name, body));
        }
        text.append("@llvm.used = appending global [%d x i8*] [%s], section \"llvm.metadata\"%n"
                .formatted(
                        kernels.size(),
                        kernels.stream()
                                .map(kernel -> "i8* bitcast (" + kernel + " to i8*)")
                                .collect(Collectors.joining(", "))));
        text.append("!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n");
        StringBuilder marks = new StringBuilder();
        for (int i = 1; i <= kernels.size(); i++) {
            text.append("!%d = !{%s, !\"kernel\", i32 1}%n".formatted(i, kernels.get(i - 1)));
            marks.append(i == 1 ? "" : ", ").append('!').append(i);
        }
        return text.append("!nvvm.annotations = !{").append(marks).append("}\n").toString();
    }

    private static void call(MatchResult wrapper, StringBuilder declarations, StringBuilder body) {
        String result = llvm(wrapper.group(1));
        String name = wrapper.group(2);
        List<String> types = new ArrayList<>();
        for (String parameter :
                wrapper.group(3).isEmpty() ? new String[0] : wrapper.group(3).split(", ")) {
            types.add(llvm(parameter.substring(0, parameter.lastIndexOf(' '))));
        }
        declarations.append("declare %s @%s(%s)%n".formatted(result, name, String.join(", ", types)));
        List<String> arguments = new ArrayList<>();
        for (String type : types) {
            String value = name + "_" + arguments.size();
            body.append("""
                  %%%1$s_p = bitcast i8* %%memory to %2$s*
                  %%%1$s = load volatile %2$s, %2$s* %%%1$s_p
                """.formatted(value, type));
            arguments.add(type + " %" + value);
        }
        String call = "call " + result + " @" + name + "(" + String.join(", ", arguments) + ")";
        body.append(result.equals("void") ? "  " + call + "\n" : """
              %%%1$s_r = %3$s
              %%%1$s_p = bitcast i8* %%memory to %2$s*
              store volatile %2$s %%%1$s_r, %2$s* %%%1$s_p
            """.formatted(name, result, call));
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
