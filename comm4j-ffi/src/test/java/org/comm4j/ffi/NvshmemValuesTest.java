// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of each type reach C and come back, in a library of a few lines that has NVSHMEM's functions on one PE. */
class NvshmemValuesTest {
    private static final String LIBRARY = """
            #include <stdint.h>
            typedef struct { uint16_t bits; } half; // as CUDA's class is passed
            #define TYPE(NAME, T) \\
                void nvshmem_##NAME##_p(T* dest, T value, int pe) { dest[pe] = value; } \\
                T nvshmem_##NAME##_g(const T* src, int pe) { return src[pe]; }
            TYPE(half, half)
            TYPE(float, float)
            TYPE(double, double)
            TYPE(int8, int8_t)
            TYPE(uint8, uint8_t)
            TYPE(int16, int16_t)
            TYPE(uint16, uint16_t)
            TYPE(int32, int32_t)
            TYPE(uint32, uint32_t)
            TYPE(int64, int64_t)
            uint32_t nvshmem_uint32_atomic_compare_swap(uint32_t* dest, uint32_t cond, uint32_t value, int pe) {
                uint32_t old = dest[pe];
                dest[pe] = old == cond ? value : old;
                return old;
            }
            int nvshmem_float_sum_reduce(int team, float* dest, const float* src, uint64_t n) {
                for (uint64_t i = 0; i < n; i++) dest[i] = src[i] * team;
                return team == 9 ? 4 : 0;
            }
            """;

    @TempDir
    Path folder;

    /** What runs in a process of its own: the bindings have one library. */
    public static final class Program {
        private Program() {}

        public static void main(String... arguments) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(64);
                bits(NvshmemType.HALF, memory, 0xbc00L, 0xbc00L);
                bits(NvshmemType.FLOAT, memory, Float.floatToRawIntBits(-1.5f), Float.floatToRawIntBits(-1.5f));
                bits(NvshmemType.DOUBLE, memory, Double.doubleToRawLongBits(0.1), Double.doubleToRawLongBits(0.1));
                bits(NvshmemType.INT8, memory, -7, 0xf9);
                bits(NvshmemType.UINT8, memory, 200, 200);
                bits(NvshmemType.INT16, memory, -300, 0xfed4);
                bits(NvshmemType.UINT16, memory, 40_000, 40_000);
                bits(NvshmemType.INT32, memory, -70_000, 0xfffeee90L);
                bits(NvshmemType.UINT32, memory, 3_000_000_000L, 3_000_000_000L);
                bits(NvshmemType.INT64, memory, Long.MIN_VALUE + 1, Long.MIN_VALUE + 1);
                memory.set(ValueLayout.JAVA_INT, 0, -2);
                long old = LibNvshmem.nvshmem_atomic_compare_swap(
                        NvshmemType.UINT32, memory.address(), 0xfffffffeL, 11, 0);
                say("swap", (int) old == -2 && memory.get(ValueLayout.JAVA_INT, 0) == 11);
                memory.setAtIndex(ValueLayout.JAVA_FLOAT, 1, 2.5f);
                LibNvshmem.nvshmem_sum_reduce(NvshmemType.FLOAT, 3, memory.address(), memory.address() + 4, 1);
                say("reduce", memory.get(ValueLayout.JAVA_FLOAT, 0) == 7.5f);
                try {
                    LibNvshmem.nvshmem_sum_reduce(NvshmemType.FLOAT, 9, memory.address(), memory.address() + 4, 1);
                } catch (NativeCallException e) {
                    System.out.println(e.getMessage());
                }
            }
        }

        /** At PE 1: the second element. */
        private static void bits(NvshmemType type, MemorySegment memory, long value, long expected) {
            memory.fill((byte) 0);
            LibNvshmem.nvshmem_p(type, memory.address(), value, 1);
            long mask = switch (type.carrier()) {
                case BYTE -> 0xffL;
                case SHORT -> 0xffffL;
                case INT, FLOAT -> 0xffffffffL;
                case LONG, DOUBLE -> -1;
            };
            long offset = Long.bitCount(mask) / 8;
            long there = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            long back = LibNvshmem.nvshmem_g(type, memory.address(), 1);
            say(type.word(), there == (expected & mask) && (back & mask) == (expected & mask));
        }

        private static void say(String what, boolean right) {
            System.out.println(what + (right ? " right" : " wrong"));
        }
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    @Test
    void valuesOfEachType() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no /usr/bin/gcc");
        Path source = folder.resolve("values.c");
        Path library = folder.resolve("libvalues.so");
        Files.writeString(source, LIBRARY);
        output("/usr/bin/gcc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        String output = output(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.comm4j.nvshmem.library=" + library,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName());
        assertThat(output.lines())
                .containsExactly(
                        "half right",
                        "float right",
                        "double right",
                        "int8 right",
                        "uint8 right",
                        "int16 right",
                        "uint16 right",
                        "int32 right",
                        "uint32 right",
                        "int64 right",
                        "swap right",
                        "reduce right",
                        "nvshmem_float_sum_reduce failed: NVSHMEM writes the reason to the standard error (NVSHMEMX_ERROR_SYMMETRY = 4), NVSHMEM ("
                                + library + ")");
    }
}
