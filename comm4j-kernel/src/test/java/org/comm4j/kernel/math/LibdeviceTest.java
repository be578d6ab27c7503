// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.kernel.lang.BesselMath;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.DoubleMath;
import org.comm4j.kernel.lang.FloatMath;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Libdevice's functions of a float beside those of the CPU. LLVM 14 compiles NVIDIA's bitcode for this processor, with
 * PTX's instructions written in C. The test prints a table of the largest errors. {@code -Dorg.comm4j.kernel.stride=1}
 * takes all floats.
 */
@Tag("nightly")
class LibdeviceTest {
    private static final int STRIDE = Integer.getInteger("org.comm4j.kernel.stride", 16411);
    private static final Pattern ASM = Pattern.compile(
            "call ((?:\\{[^}]*\\}|\\w+)) asm (?:sideeffect )?\"([^\"]*)\", \"[^\"]*\"(\\([^)]*\\))[^\\n]*");
    private static final Pattern TYPES = Pattern.compile("\\b(float|double|i32|i64)\\b");
    private static final String MAD = "ptx_mad_lo_cc_u32";

    /** Bounds of CUDA's guide in units in the last place, where they are not 2. */
    private static final Map<String, Double> BOUNDS = Map.ofEntries(
            Map.entry("acosh", 4.0),
            Map.entry("asinh", 3.0),
            Map.entry("atanh", 3.0),
            Map.entry("erfc", 4.0),
            Map.entry("erfcinv", 4.0),
            Map.entry("erfcx", 4.0),
            Map.entry("normcdf", 5.0),
            Map.entry("normcdfinv", 5.0),
            Map.entry("lgamma", 6.0),
            Map.entry("sinh", 3.0),
            Map.entry("tan", 4.0),
            Map.entry("tgamma", 5.0),
            Map.entry("cylBesselI0", 6.0),
            Map.entry("cylBesselI1", 6.0),
            Map.entry("j0", 9.0),
            Map.entry("j1", 9.0),
            Map.entry("y0", 9.0),
            Map.entry("y1", 9.0));

    private static final Set<String> EXACT =
            Set.of("ceil", "fabs", "floor", "nearbyint", "rint", "round", "sqrt", "trunc", "logb");

    private record Unary(String name, MethodHandle java, MethodHandle wide, MethodHandle libdevice) {}

    private static void run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(process.waitFor())
                .as(() -> {
                    try {
                        return Files.readString(folder.resolve("log"));
                    } catch (IOException e) {
                        return e.toString();
                    }
                })
                .isZero();
    }

    private static Path bitcode() throws IOException {
        Path nvvm = Natives.folder("nvidia-nvvm");
        try (Stream<Path> files = Files.walk(nvvm)) {
            return files.filter(file -> file.getFileName().toString().equals("libdevice.10.bc"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Makes a library of the functions with these symbols. */
    private static Path library(Path folder, List<String> symbols) throws IOException, InterruptedException {
        run(folder, "llvm-dis", bitcode().toString(), "-o", "libdevice.ll");
        String text = Files.readString(folder.resolve("libdevice.ll"))
                .replaceAll("(?m)^target .*$", "")
                .replace("@llvm.nvvm.", "@nvvm.");
        Set<String> declared = new TreeSet<>();
        text = ASM.matcher(text).replaceAll(call -> {
            String instruction = call.group(2)
                    .replaceAll("\\\\0[0-9A-F]", "")
                    .replaceAll("^\\{?\\s*", "")
                    .replaceAll("\\s*\\$.*", "")
                    .replaceAll("[^a-z0-9]", "_");
            String name = "ptx_" + instruction;
            List<String> types = TYPES.matcher(call.group(3))
                    .results()
                    .map(found -> found.group())
                    .toList();
            if (!name.equals(MAD)) {
                declared.add("declare " + call.group(1) + " @" + name + "(" + String.join(", ", types) + ")\n");
            }
            return Matcher.quoteReplacement("call " + call.group(1) + " @" + name + call.group(3));
        });
        text += String.join("", declared) + """
            define { i32, i32 } @ptx_mad_lo_cc_u32(i32 %a, i32 %b, i32 %c) {
              %x = zext i32 %a to i64
              %y = zext i32 %b to i64
              %z = zext i32 %c to i64
              %p = mul i64 %x, %y
              %s = add i64 %p, %z
              %l = trunc i64 %s to i32
              %t = lshr i64 %s, 32
              %h = trunc i64 %t to i32
              %r = insertvalue { i32, i32 } undef, i32 %l, 0
              %q = insertvalue { i32, i32 } %r, i32 %h, 1
              ret { i32, i32 } %q
            }
            """;
        Files.writeString(folder.resolve("cpu.ll"), text);
        run(
                folder,
                "opt",
                "-internalize",
                "-internalize-public-api-list=" + String.join(",", symbols),
                "-globaldce",
                "-O2",
                "cpu.ll",
                "-o",
                "cpu.bc");
        run(
                folder,
                "llc",
                "-O2",
                "-mtriple=x86_64-pc-linux-gnu",
                "-mattr=+fma",
                "-relocation-model=pic",
                "-filetype=obj",
                "cpu.bc",
                "-o",
                "cpu.o");
        try (InputStream in = LibdeviceTest.class.getResourceAsStream("libdevice.c")) {
            Files.write(folder.resolve("libdevice.c"), in.readAllBytes());
        }
        run(
                folder,
                "cc",
                "-O2",
                "-fPIC",
                "-frounding-math",
                "-mfma",
                "-shared",
                "-o",
                "lib.so",
                "cpu.o",
                "libdevice.c",
                "-lm");
        return folder.resolve("lib.so");
    }

    private static List<Method> unary() {
        return Stream.of(FloatMath.class, BesselMath.class)
                .flatMap(owner -> Stream.of(owner.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(DeviceFunction.class)
                        && method.getReturnType() == float.class
                        && List.of(method.getParameterTypes()).equals(List.of(float.class)))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    @Test
    @SuppressWarnings("restricted")
    void functionsOfFloats(@TempDir Path folder) throws Throwable {
        boolean there = Stream.of("llvm-dis", "opt", "llc", "cc")
                .allMatch(each -> Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, each))));
        assumeTrue(there, "llvm-dis, opt, llc or cc is missing");
        assumeTrue(Natives.find("nvidia-nvvm").isPresent(), () -> Natives.missing("nvidia-nvvm"));
        List<Method> methods = unary();
        List<String> symbols = methods.stream()
                .map(method -> method.getAnnotation(DeviceFunction.class).value())
                .toList();
        List<String> wrong = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup library = SymbolLookup.libraryLookup(library(folder, symbols), arena);
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            System.out.println("| function | ulp of libdevice | ulp of the CPU | between the two | largest at |");
            System.out.println("|---|---|---|---|---|");
            for (int i = 0; i < methods.size(); i++) {
                Method method = methods.get(i);
                MethodHandle libdevice = Linker.nativeLinker()
                        .downcallHandle(
                                library.find(symbols.get(i)).orElseThrow(),
                                FunctionDescriptor.of(JAVA_FLOAT, JAVA_FLOAT),
                                Linker.Option.critical(false));
                MethodHandle wide = lookup.findStatic(
                        method.getDeclaringClass() == FloatMath.class ? DoubleMath.class : BesselMath.class,
                        method.getName(),
                        MethodType.methodType(double.class, double.class));
                sweep(new Unary(method.getName(), lookup.unreflect(method), wide, libdevice), wrong);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static void sweep(Unary function, List<String> wrong) throws Throwable {
        double ofLibdevice = 0;
        double ofJava = 0;
        double between = 0;
        float largest = 0;
        double bound = EXACT.contains(function.name()) ? 0.5 : BOUNDS.getOrDefault(function.name(), 2.0) + 0.5;
        int special = 0;
        for (long bits = Integer.MIN_VALUE; bits <= Integer.MAX_VALUE; bits += STRIDE) {
            float x = Float.intBitsToFloat((int) bits);
            float java = (float) function.java().invokeExact(x);
            float native_ = (float) function.libdevice().invokeExact(x);
            double exact = (double) function.wide().invokeExact((double) x);
            if (Float.isNaN(java) || Float.isInfinite(java) || Float.isNaN(native_) || Float.isInfinite(native_)) {
                if (Float.compare(java, native_) != 0 && special++ == 0) {
                    wrong.add(function.name() + "(" + x + "): " + native_ + " by libdevice, " + java + " on the CPU");
                }
                continue;
            }
            double ulp = Math.ulp((float) exact);
            double error = Math.abs(native_ - exact) / ulp;
            if (function.name().equals("lgamma") && x > -10.001 && x < -2.264) {
                continue; // CUDA states no bound here.
            }
            if (isAbsolute(function.name(), x)) {
                if (Math.abs(native_ - exact) > 2.2e-6) {
                    wrong.add(function.name() + "(" + x + "): " + native_ + " by libdevice, not " + exact);
                }
                continue;
            }
            if (error > ofLibdevice) {
                ofLibdevice = error;
                largest = x;
            }
            ofJava = Math.max(ofJava, Math.abs(java - exact) / ulp);
            between = Math.max(between, Math.abs((double) java - native_) / ulp);
        }
        System.out.printf(
                Locale.ROOT,
                "| `%s` | %.2f | %.2f | %.0f | %s |%n",
                function.name(),
                ofLibdevice,
                ofJava,
                between,
                largest);
        if (ofLibdevice > bound || ofJava > 0.6) {
            wrong.add(function.name() + ": " + ofLibdevice + " ulp of libdevice at " + largest + ", " + ofJava
                    + " of the CPU");
        }
    }

    /** Whether CUDA's bound is of the absolute error here. */
    private static boolean isAbsolute(String name, float x) {
        return name.matches("[jy][01]") && Math.abs(x) >= 8 || name.equals("lgamma") && x > -10.001 && x < -2.264;
    }
}
