// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
import java.util.stream.Stream;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.device.ShmemCompiler;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.nvshmem.NvshmemEngine;

/** How long kernels that communicate take to compile, with NVIDIA's compilers and without a GPU. */
public final class CompileBench {
    /** Kernels that are no others but for a limit that none reaches, so that the cache does not have them. */
    private static final int MOST_REGISTERS = 255;

    /** What is not compiled yet in the compiler itself, which is Java. */
    private static final int WARM_UP = 30;

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** What NVSHMEM takes. */
    private static final Duration INITIALISATION = Duration.ofMillis(900);

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
            return Stream.of(DeviceKernels.class, PingPongKernels.class)
                    .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
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
     * @param rehearsed the same in one that has rehearsed it while NVSHMEM was initialised
     * @param bytes of machine code
     */
    public record Row(
            Case kernel, double unit, double compile, double cached, FirstCall first, FirstCall rehearsed, int bytes) {}

    /**
     * Of a new process, in milliseconds, each the least.
     *
     * @param processor how long the thread had one
     */
    public record FirstCall(double wall, double processor) {
        private static final FirstCall NEVER = new FirstCall(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

        private FirstCall least(FirstCall other) {
            return new FirstCall(Math.min(wall, other.wall), Math.min(processor, other.processor));
        }

        private String text() {
            return String.format(Locale.ROOT, "%.1f/%.1f", wall, processor);
        }
    }

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
                // The cache is empty for the first kernel only.
                double unit = rows.isEmpty() ? Math.max(0, all - compile) : 0;
                double cached = Double.POSITIVE_INFINITY;
                FirstCall first = FirstCall.NEVER;
                FirstCall rehearsed = FirstCall.NEVER;
                for (int i = 0; i < rounds; i++) {
                    compile = Math.min(
                            compile, millis(kernel, CompileOptions.DEFAULT.withMaxRegisters(MOST_REGISTERS - 1 - i)));
                    cached = Math.min(cached, millis(kernel, CompileOptions.DEFAULT));
                    first = first.least(inNewProcess(kernel, cache, false));
                    rehearsed = rehearsed.least(inNewProcess(kernel, cache, true));
                }
                int bytes = code(kernel, CompileOptions.DEFAULT).cubin().length;
                Row row = new Row(kernel, unit, compile, cached, first, rehearsed, bytes);
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

    private FirstCall inNewProcess(Case kernel, EmptyCache cache, boolean rehearsed) {
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
        words.add(Boolean.toString(rehearsed));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        // Apart: java writes notes of its own there, as about JDK_JAVA_OPTIONS.
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .java(words.toArray(String[]::new))
                .timeout(LIMIT)
                .output(said, errors)
                .run();
        String text = said.toString(StandardCharsets.UTF_8).strip();
        if (code != 0) {
            throw new IllegalStateException("a new process for " + kernel + " ended with " + code + ": " + text
                    + errors.toString(StandardCharsets.UTF_8).strip());
        }
        String[] millis = text.split(" ");
        return new FirstCall(Double.parseDouble(millis[0]), Double.parseDouble(millis[1]));
    }

    /**
     * Runs in a new process, which does nothing for as long as NVSHMEM's initialisation takes. It prints the
     * milliseconds from the first word of the compiler to machine code, and those in which this thread had a processor.
     */
    public static void main(String[] arguments) throws InterruptedException {
        CudaArch arch = CudaArch.parse(arguments[0]);
        Case kernel = Case.valueOf(arguments[1]);
        CompileBench bench = new CompileBench(arch, 1);
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        if (Boolean.parseBoolean(arguments[2])) {
            Rehearsal.begin(NvshmemEngine.NAME);
        }
        Thread.sleep(INITIALISATION);
        long begin = thread.getCurrentThreadCpuTime();
        double wall = bench.millis(kernel, CompileOptions.DEFAULT);
        long end = thread.getCurrentThreadCpuTime();
        System.out.println(wall + " " + (end - begin) / 1e6);
    }

    // ---- results ----

    /** What the numbers are of. */
    public static List<String> header(CudaArch arch, int rounds) {
        return List.of(
                "# comm4j bench compile: kernels that call NVSHMEM, for " + arch + ", least of " + rounds,
                "# unit: NVSHMEM's device code, once for a machine; compile: without the cache when that is there;"
                        + " cached: from the cache; first: from the cache in a new process, wall/processor; rehearsed: the"
                        + " same when classes were loaded while NVSHMEM was initialised",
                String.format(
                        Locale.ROOT,
                        "# %-12s %9s %11s %10s %12s %13s %9s",
                        "kernel",
                        "unit ms",
                        "compile ms",
                        "cached ms",
                        "first ms",
                        "rehearsed ms",
                        "bytes"));
    }

    /** One kernel. */
    public static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "  %-12s %9s %11.1f %10.2f %12s %13s %9d",
                row.kernel(),
                row.unit() == 0 ? "-" : String.format(Locale.ROOT, "%.0f", row.unit()),
                row.compile(),
                row.cached(),
                row.first().text(),
                row.rehearsed().text(),
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
                            map.put("first_ms", row.first().wall());
                            map.put("first_processor_ms", row.first().processor());
                            map.put("rehearsed_ms", row.rehearsed().wall());
                            map.put("rehearsed_processor_ms", row.rehearsed().processor());
                            map.put("bytes", row.bytes());
                            return map;
                        })
                        .toList());
        return Json.write(report);
    }
}
