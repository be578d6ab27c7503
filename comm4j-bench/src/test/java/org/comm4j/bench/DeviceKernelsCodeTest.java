// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.bench.operators.GatheredProduct;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.device.ShmemCompiler;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;

/** The kernels of {@link DevicePerftests} as machine code, without a GPU. */
class DeviceKernelsCodeTest {
    private static final Pattern CALL = Pattern.compile("\\scall(?:\\.uni)?\\s+(?:\\([^)]*\\)\\s*,\\s*)?([^\\s,;(]+)");
    /** What may be left: the loops of moves, and an assertion on NVSHMEM's way over a network. */
    private static final String LEFT = "comm4j_copy_(any|strided)|__assertfail";

    private static final String VERSION = "3.4.5";

    /** Code that nobody runs. */
    private record Code(KernelCode code) implements CompiledKernel {
        @Override
        public String name() {
            return code.toString();
        }

        @Override
        public Method method() {
            throw new UnsupportedOperationException();
        }

        @Override
        public KernelAttributes attributes() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int residentBlocks(int threadsPerBlock, int sharedBytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void launch(LaunchConfig config, Object... arguments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RepeatableLaunch prepare(LaunchConfig config, Object... arguments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private record Compiler(CompileOptions options) implements KernelCompiler<Code> {
        /** One for both tests: most of the time goes into NVSHMEM's headers, once for an architecture. */
        private static final CudaArch ARCH = CudaArch.parse("sm_90a");

        @Override
        public Code compile(Method method, Object... constants) {
            return new Code(KernelCode.compile(method, ARCH, options, constants));
        }

        @Override
        public Code compileReference(KernelMethod kernel, Object... constants) {
            return new Code(KernelCode.compile(kernel, ARCH, options, constants));
        }

        @Override
        public void close() {}
    }

    /** Options for kernels that communicate; the test is skipped where headers or compilers are missing. */
    private static CompileOptions options(CompileOptions from) {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        for (String wheel : List.of("nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        assumeTrue(Natives.nvshmem(VERSION).isPresent(), Natives.missing("nvidia-nvshmem-cu13-" + VERSION));
        System.setProperty("org.comm4j.device.include", Natives.nvshmemHeaders(VERSION));
        try {
            return ShmemCompiler.codeOptions(from);
        } finally {
            System.clearProperty("org.comm4j.device.include");
        }
    }

    /** A product of tensor cores whose epilogue puts to other PEs. */
    @Test
    void productsThatPutBecomeMachineCode() {
        KernelCode code = KernelCode.compile(
                KernelMethod.named(GatheredProduct.class, "multiply"), Compiler.ARCH, options(CompileOptions.DEFAULT));
        assertThat(code.ptx()).contains("wgmma.mma_async");
        assertThat(code.attributes().localBytes()).isZero();
    }

    /**
     * Linking NVSHMEM's collectives takes the linker minutes; those are compiled for the CPU in other tests. Looks at
     * all others by night, else at every third.
     */
    @Test
    void nothingIsLeftOfTheCalls() {
        Compiler compiler = new Compiler(options(CompileOptions.DEFAULT));
        List<DeviceCase> cases = Stream.of(Atomic.ADD, Atomic.FETCH_OR, Atomic.COMPARE_SWAP)
                .flatMap(atomic -> DeviceCase.of(DevicePerftest.named("all"), null, false, atomic).stream()
                        .filter(each -> each.test().isOfPairs()
                                && (atomic == Atomic.ADD || each.test().isAtomic())))
                .toList();
        for (DeviceCase test : Nightly.again(cases)) {
            Code code = (Code) DevicePerftests.kernel(compiler, test, DataType.INT64, ReduceOp.SUM);
            assertThat(CALL.matcher(code.code().ptx())
                            .results()
                            .map(call -> call.group(1))
                            .filter(function -> !function.matches(LEFT)))
                    .as("calls of " + test)
                    .isEmpty();
            assertThat(code.code().cubin()).isNotEmpty();
        }
    }
}
