// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.capture.Content;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I32View;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of kernels for processors does what they do, and nothing else is ever found. */
class CodeCacheTest {
    private static final List<CpuOptions> OPTIONS = List.of(
            CpuOptions.fast(),
            CpuOptions.fast().shuffled(1),
            CpuOptions.fast().timeout(Duration.ofMinutes(1)),
            CpuOptions.checked(1));
    private static final int THREADS = 45;
    private static final int READ = Integer.parseInt("7");
    private static final int[] TABLE = {3, 1, 4, 1, 5};

    @TempDir
    Path folder;

    private record Pair(int left, int right) {}

    @DeviceFunction("difference")
    private static int difference(Pair pair, I32Ptr none) {
        return none == null ? pair.left - pair.right : -1;
    }

    // ---- kernels, with what they give ----

    @Kernel
    static void row(@Constant int factor, int n, I32Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, factor * x.get(i) + i);
        }
    }

    @Kernel
    static void blocks(@Constant int factor, int n, I32Ptr x) {
        int[] all = Shared.i32(THREADS);
        int i = ThreadIdx.x();
        all[i] = factor * x.get(i);
        Block.sync();
        int sum = Warp.shuffle(all[(i + 1) % THREADS], 0);
        if (i < n) {
            x.set(i, all[THREADS - 1 - i] + sum);
        }
    }

    @Kernel
    static void called(@Constant int factor, int n, I32Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            int[] table = {3, 1, 4, 1, 5};
            x.atomicAdd(i, difference(new Pair(factor, i), null) + table[i % table.length]);
        }
    }

    @Kernel
    static void readsAField(@Constant int factor, int n, I32Ptr x) {
        x.set(0, factor * READ);
    }

    @Kernel
    static void outside(int n, I32View x) {
        x.set(n, 1);
    }

    private static int expected(String kernel, int factor, int n, int i, int... x) {
        return switch (kernel) {
            case "row" -> i < n ? factor * x[i] + i : x[i];
            case "blocks" -> {
                int first = i / Warp.SIZE * Warp.SIZE;
                yield i < n ? factor * x[THREADS - 1 - i] + factor * x[(first + 1) % THREADS] : x[i];
            }
            default -> i < n ? x[i] + factor - i + TABLE[i % TABLE.length] : x[i];
        };
    }

    private static void check(String kernel, CpuCode code, CpuOptions options, Object... constants) {
        CpuKernel compiled = new CpuKernel(source(kernel, constants), options, code);
        int[] x = new Random(5).ints(THREADS, -1000, 1000).toArray();
        for (int n : new int[] {0, 1, THREADS}) {
            HostArray array = HostArray.of(x.clone());
            compiled.launch(LaunchConfig.grid(1).block(THREADS), n, array);
            for (int i = 0; i < THREADS; i++) {
                assertThat(array.getInt(i))
                        .as("%s %d of %d, %s", kernel, i, n, options)
                        .isEqualTo(expected(kernel, (int) constants[0], n, i, x));
            }
        }
    }

    private static KernelSource source(String name, Object... constants) {
        Method method = Arrays.stream(CodeCacheTest.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return KernelSource.of(method, constants);
    }

    private CodeCache cache(KernelSource source, CpuOptions options) {
        return Objects.requireNonNull(CodeCache.of(new DiskCache(folder, 1 << 30), source, options));
    }

    private CpuCode made(CpuOptions options, String name, Object... constants) {
        KernelSource source = source(name, constants);
        return CpuCode.made(source, options, Frontend.compile(source, FrontendOptions.DEFAULT), cache(source, options));
    }

    private @Nullable CpuCode recalled(CpuOptions options, String name, Object... constants) {
        KernelSource source = source(name, constants);
        return CpuCode.recalled(source, options, cache(source, options));
    }

    @BeforeAll
    static void classesAreOld() {
        assumeTrue(
                Content.ofWhole(CodeCache.class, DiskCache.none()) != null,
                "classes were compiled while this process was running");
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".bin")).sorted().toList();
        }
    }

    // ---- tests ----

    @Test
    void whatWasKeptDoesTheSame() throws IOException {
        for (CpuOptions options : OPTIONS) {
            for (String name : List.of("row", "blocks", "called")) {
                assertThat(recalled(options, name, 3)).isNull();
                check(name, made(options, name, 3), options, 3);
                int count = entries().size();
                CpuCode again = Objects.requireNonNull(recalled(options, name, 3), name);
                check(name, again, options, 3);
                assertThat(entries()).as("%s is not made again", name).hasSize(count);
            }
        }
    }

    /** The loops of one shape are kept, those of another one are not there yet. */
    @Test
    void loopsThatWereNotKeptAreMade() throws IOException {
        CpuOptions options = CpuOptions.fast();
        CpuCode _ = made(options, "blocks", 3);
        assertThat(entries()).hasSize(1);
        check("blocks", Objects.requireNonNull(recalled(options, "blocks", 3)), options, 3);
        assertThat(entries()).hasSize(2);
    }

    @Test
    void otherOptionsAndConstantsAreNotFound() {
        for (CpuOptions options : OPTIONS) {
            CpuCode _ = made(options, "row", 3);
            assertThat(recalled(options, "row", 4)).isNull();
            assertThat(recalled(options, "blocks", 3)).isNull();
        }
        for (CpuOptions options : OPTIONS) {
            check("row", Objects.requireNonNull(recalled(options, "row", 3)), options, 3);
        }
        assertThat(recalled(CpuOptions.fast().shuffled(1).timeout(Duration.ofMinutes(1)), "row", 3))
                .isNull();
    }

    @Test
    void whatReadsFieldsIsNotKept() throws IOException {
        CpuOptions options = CpuOptions.fast();
        CpuCode _ = made(options, "readsAField", 3);
        assertThat(entries()).as("that it is not").hasSize(1);
        KernelSource source = source("readsAField", 3);
        CodeCache cache = cache(source, options);
        assertThat(CpuCode.recalled(source, options, cache)).isNull();
        assertThat(cache.isRefused()).isTrue();
    }

    @Test
    void errorsAreTheSame() {
        for (CpuOptions options : OPTIONS) {
            List<String> said = new ArrayList<>();
            for (CpuCode code :
                    List.of(made(options, "outside"), Objects.requireNonNull(recalled(options, "outside")))) {
                CpuKernel kernel = new CpuKernel(source("outside"), options, code);
                Throwable thrown = catchThrowable(
                        () -> kernel.launch(LaunchConfig.grid(1).block(1), 3, HostArray.allocate(DataType.INT32, 3)));
                assertThat(thrown)
                        .isInstanceOf(KernelException.class)
                        .hasMessageContaining("CodeCacheTest.java:")
                        .hasMessageContaining("3");
                said.add(thrown.getMessage());
            }
            assertThat(said.get(1)).isEqualTo(said.get(0));
        }
    }

    /** Each entry, in the middle and at its ends. */
    @Test
    void damageIsAMiss() throws IOException {
        CpuOptions options = CpuOptions.fast();
        check("blocks", made(options, "blocks", 3), options, 3);
        List<Path> entries = entries();
        assertThat(entries).hasSize(2);
        for (Path entry : entries) {
            byte[] whole = Files.readAllBytes(entry);
            for (int at : new int[] {0, 33, whole.length / 3, whole.length / 2, whole.length - 1}) {
                byte[] damaged = whole.clone();
                damaged[at] ^= 0x10;
                checkDamaged(options, entry, damaged);
                checkDamaged(options, entry, Arrays.copyOf(whole, at));
            }
            Path other = entries.get(entry.equals(entries.get(0)) ? 1 : 0);
            checkDamaged(options, entry, Files.readAllBytes(other));
        }
    }

    private void checkDamaged(CpuOptions options, Path entry, byte[] content) throws IOException {
        byte[] whole = Files.readAllBytes(entry);
        Files.write(entry, content);
        CpuCode code = recalled(options, "blocks", 3);
        check("blocks", code == null ? made(options, "blocks", 3) : code, options, 3);
        assertThat(Files.readAllBytes(entry)).as("made anew").isEqualTo(whole);
    }
}
