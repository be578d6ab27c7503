// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.launch.Launcher;
import org.comm4j.device.ShmemCompiler;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CudaArch;
import org.comm4j.kernel.KernelCode;

/** How long kernels that communicate take to compile, with NVIDIA's compilers and without a GPU. */
public final class CompileBench {
    /** Kernels that are no others but for a limit that none reaches, so that the cache does not have them. */
    private static final int MOST_REGISTERS = 255;

    /** What is not compiled yet in the compiler itself, which is Java. */
    private static final int WARM_UP = 30;

    /** Making device code takes longer than this; two compilations of a kernel differ by less. */
    private static final double LEAST_OF_UNIT = 500;

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final CudaArch arch;
    private final int rounds;

    /** What is compiled: kernels of the benchmarks of devices. */
    @SuppressWarnings("ImmutableEnumChecker") // the constants are immutable, the type does not say so
    public enum Case {
        PUT("move", Group.BLOCK, false),
        GET("move", Group.WARP, true),
        PUT_SIGNAL("putPingPong", DevicePerftest.PUT_SIGNAL_PING_PONG),
        SIGNAL("signalPingPong"),
        ELEMENTS("elementsPingPong"),
        ATOMIC("atomicsInOrder", Atomic.FETCH_ADD, 8),
        BARRIER("synchronize", DevicePerftest.BARRIER_ALL, Group.BLOCK),
        ALL_TO_ALL("collective", DevicePerftest.ALL_TO_ALL, Group.BLOCK, 4, ReduceOp.SUM),
        REDUCTION("collective", DevicePerftest.REDUCTION, Group.BLOCK, 4, ReduceOp.SUM);

        private final String method;
        private final List<Object> constants;

        Case(String method, Object... constants) {
            this.method = method;
            this.constants = List.of(constants);
        }

        /**
         * Those that users call so, with commas between them.
         *
         * @throws IllegalArgumentException if there is none of such a name
         */
        public static List<Case> named(String names) {
            if (names.equals("all")) {
                return List.of(values());
            }
            List<Case> cases = new ArrayList<>();
            for (String name : names.split(",")) {
                cases.add(Arrays.stream(values())
                        .filter(each -> each.toString().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "there is no kernel '" + name + "'; there are " + names() + ", and all")));
            }
            return cases;
        }

        /** The names of all. */
        public static String names() {
            return Arrays.stream(values()).map(Case::toString).collect(Collectors.joining(", "));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Method kernel() {
            return Arrays.stream(DeviceKernels.class.getDeclaredMethods())
                    .filter(each -> each.getName().equals(method))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * Times of one kernel, in milliseconds, each the least of the rounds but for the first.
     *
     * @param unit making NVSHMEM's device code that it is linked with; 0 if it was there already
     * @param compile everything else, when that is there
     * @param cached finding it in the cache on disk, in a process that has compiled before
     * @param first the same in a process that has just started
     * @param bytes of machine code
     */
    public record Row(Case kernel, double unit, double compile, double cached, double first, int bytes) {}

    public CompileBench(CudaArch arch, int rounds) {
        this.arch = arch;
        this.rounds = rounds;
    }

    /**
     * Measures, with a cache of its own.
     *
     * @throws org.comm4j.kernel.KernelCompileException if NVIDIA's compilers are missing
     */
    public List<Row> run(List<Case> cases, Consumer<Row> each) {
        List<Row> rows = new ArrayList<>();
        try (EmptyCache cache = new EmptyCache()) {
            for (int i = 0; i < WARM_UP; i++) {
                code(cases.getFirst(), CompileOptions.DEFAULT.withoutCache()).nvvm();
            }
            for (Case kernel : cases) {
                double all = millis(kernel, CompileOptions.DEFAULT);
                double compile = millis(kernel, CompileOptions.DEFAULT.withMaxRegisters(MOST_REGISTERS));
                double unit = all - compile > LEAST_OF_UNIT ? all - compile : 0;
                double cached = Double.POSITIVE_INFINITY;
                double first = Double.POSITIVE_INFINITY;
                for (int i = 0; i < rounds; i++) {
                    compile = Math.min(
                            compile, millis(kernel, CompileOptions.DEFAULT.withMaxRegisters(MOST_REGISTERS - 1 - i)));
                    cached = Math.min(cached, millis(kernel, CompileOptions.DEFAULT));
                    first = Math.min(first, inNewProcess(kernel, cache));
                }
                int bytes = code(kernel, CompileOptions.DEFAULT).cubin().length;
                Row row = new Row(kernel, unit, compile, cached, first, bytes);
                rows.add(row);
                each.accept(row);
            }
        }
        return rows;
    }

    private KernelCode code(Case kernel, CompileOptions options) {
        return KernelCode.compile(
                kernel.kernel(), arch, ShmemCompiler.codeOptions(options), kernel.constants.toArray());
    }

    private double millis(Case kernel, CompileOptions options) {
        long begin = System.nanoTime();
        byte[] cubin = code(kernel, options).cubin();
        long end = System.nanoTime();
        if (cubin.length == 0) {
            throw new IllegalStateException("the compiler has made nothing of " + kernel);
        }
        return (end - begin) / 1e6;
    }

    private double inNewProcess(Case kernel, EmptyCache cache) {
        List<String> words = new ArrayList<>();
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("org.comm4j.") && !name.equals(EmptyCache.PROPERTY))
                .forEach(name -> words.add("-D" + name + "=" + System.getProperty(name)));
        words.add("-D" + EmptyCache.PROPERTY + "=" + cache.folder());
        Module module = CompileBench.class.getModule();
        if (module.isNamed()) {
            words.add("--module");
            words.add(module.getName() + "/" + CompileBench.class.getName());
        } else {
            words.add(CompileBench.class.getName());
        }
        words.add(arch.toString());
        words.add(kernel.name());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .java(words.toArray(String[]::new))
                .timeout(LIMIT)
                .output(said, said)
                .run();
        String text = said.toString(StandardCharsets.UTF_8).strip();
        if (code != 0) {
            throw new IllegalStateException("a new process for " + kernel + " ended with " + code + ": " + text);
        }
        return Double.parseDouble(text);
    }

    /** Of a new process: prints the milliseconds from the first word of the compiler to machine code. */
    public static void main(String[] arguments) {
        CompileBench bench = new CompileBench(CudaArch.parse(arguments[0]), 1);
        System.out.println(bench.millis(Case.valueOf(arguments[1]), CompileOptions.DEFAULT));
    }

    // ---- results ----

    /** What the numbers are of. */
    public static List<String> header(CudaArch arch, int rounds) {
        return List.of(
                "# comm4j bench compile: kernels that call NVSHMEM, for " + arch + ", least of " + rounds,
                "# unit: NVSHMEM's device code, once for a machine; compile: without the cache when that is there; cached: from the cache;"
                        + " first: from the cache in a new process",
                String.format(
                        Locale.ROOT,
                        "# %-12s %9s %11s %10s %10s %9s",
                        "kernel",
                        "unit ms",
                        "compile ms",
                        "cached ms",
                        "first ms",
                        "bytes"));
    }

    /** One kernel. */
    public static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "  %-12s %9s %11.1f %10.2f %10.1f %9d",
                row.kernel(),
                row.unit() == 0 ? "-" : String.format(Locale.ROOT, "%.0f", row.unit()),
                row.compile(),
                row.cached(),
                row.first(),
                row.bytes());
    }

    /** All of it, for programs. */
    public static String json(CudaArch arch, int rounds, List<Row> rows) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("program", "comm4j bench compile");
        report.put("arch", arch.toString());
        report.put("rounds", rounds);
        report.put(
                "kernels",
                rows.stream()
                        .map(row -> {
                            Map<String, Object> map = new LinkedHashMap<>();
                            map.put("kernel", row.kernel().toString());
                            map.put("unit_ms", row.unit());
                            map.put("compile_ms", row.compile());
                            map.put("cached_ms", row.cached());
                            map.put("first_ms", row.first());
                            map.put("bytes", row.bytes());
                            return map;
                        })
                        .toList());
        return Json.write(report);
    }
}
