// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.List;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.jspecify.annotations.Nullable;

/** What the host pays for kernels that communicate: the first call, launches and compilations. */
final class HostCosts {
    private static final int ROUNDS = 20;
    private static final int LAUNCHES = 500;
    /** So many that the JVM has compiled what is measured long before the last: with 20 it was the code before. */
    private static final int LAUNCH_ROUNDS = 200;

    private final DevicePe pe;
    /** Microseconds for making the PE. */
    private final double opened;
    /** A word of the symmetric heap. */
    private final Buffer word;

    private final Agreement agreement;
    private final FirstCall firstCall;
    private @Nullable Compilations compilations;
    private @Nullable Launches launches;

    /**
     * Collective: makes the first call, if its cost is asked for, since there is only one.
     *
     * @param opened microseconds for making the PE
     * @param word 8 bytes of the symmetric heap
     */
    HostCosts(DevicePe pe, List<DeviceCase> cases, double opened, Buffer word, Agreement agreement) {
        this.pe = pe;
        this.opened = opened;
        this.word = word;
        this.agreement = agreement;
        boolean first = cases.stream()
                .anyMatch(
                        each -> each.test() == DevicePerftest.FIRST_CALL || each.test() == DevicePerftest.FIRST_KERNEL);
        firstCall = first ? firstCall(pe, word) : FirstCall.NONE;
    }

    /** Microseconds: of all, and of parts of it. */
    private record FirstCall(double all, double compile, double launch) {
        static final FirstCall NONE = new FirstCall(0, 0, 0);
    }

    /** Without allocating, which is collective. */
    private static FirstCall firstCall(DevicePe pe, Buffer word) {
        pe.barrier();
        long begin = System.nanoTime();
        try (CompiledKernel kernel = firstKernel(pe.compiler())) {
            long compiled = System.nanoTime();
            DevicePe.Repeated call =
                    pe.repeated(kernel, LaunchConfig.grid(1).block(32), pe.view(word, DataType.INT32, 1), 1L);
            call.issue(pe.myPe == 0 ? 1 : 0);
            long launched = System.nanoTime();
            pe.complete();
            long end = System.nanoTime();
            pe.barrier();
            return new FirstCall((end - begin) / 1e3, (compiled - begin) / 1e3, (launched - compiled) / 1e3);
        }
    }

    private static CompiledKernel firstKernel(KernelCompiler<?> compiler) {
        return compiler.compile(DeviceKernels::moveInOrder, Group.WARP, false);
    }

    /** Collective: returns microseconds, of what is measured once and kept. */
    double micros(DevicePerftest test) {
        return switch (test) {
            case FIRST_CALL -> opened + firstCall.all;
            case FIRST_KERNEL -> firstCall.all;
            case FIRST_COMPILE -> firstCall.compile;
            case FIRST_LAUNCH -> firstCall.launch;
            case LAUNCH, BARE_LAUNCH -> {
                Launches times = launches == null ? launch() : launches;
                launches = times;
                yield test == DevicePerftest.LAUNCH ? times.prepared : times.bare;
            }
            default -> {
                Compilations times = compilations == null ? compile() : compilations;
                compilations = times;
                yield test == DevicePerftest.UNIT
                        ? times.unit
                        : test == DevicePerftest.COMPILE ? times.fresh : times.cached;
            }
        };
    }

    /**
     * Microseconds.
     *
     * @param bare of the driver's call
     */
    private record Launches(double prepared, double bare) {}

    /** Of a kernel that does nothing. */
    private Launches launch() {
        try (CompiledKernel kernel = firstKernel(pe.compiler())) {
            LaunchConfig config = LaunchConfig.grid(1).block(32);
            Buffer element = pe.view(word, DataType.INT32, 1);
            DevicePe.Repeated call = pe.repeated(kernel, config, element, 1L);
            Runnable bare = pe.bare(kernel, config, element, 1L, 0);
            double prepared = Double.POSITIVE_INFINITY;
            double least = Double.POSITIVE_INFINITY;
            for (int round = 0; round < LAUNCH_ROUNDS; round++) {
                long begin = System.nanoTime();
                for (int i = 0; i < LAUNCHES; i++) {
                    call.issue(0);
                }
                prepared = Math.min(prepared, (System.nanoTime() - begin) / 1e3 / LAUNCHES);
                pe.complete();
                begin = System.nanoTime();
                for (int i = 0; i < LAUNCHES; i++) {
                    bare.run();
                }
                least = Math.min(least, (System.nanoTime() - begin) / 1e3 / LAUNCHES);
                pe.complete();
            }
            agreement.meet();
            return new Launches(prepared, least);
        }
    }

    /**
     * Microseconds.
     *
     * @param unit making NVSHMEM's device code
     * @param fresh compiling a kernel when that is there
     * @param cached compiling one that is in the cache, too
     */
    private record Compilations(double unit, double fresh, double cached) {}

    /** With a cache that is empty at first. */
    private Compilations compile() {
        try (EmptyCache _ = new EmptyCache()) {
            double first = compilation(Group.THREAD, true);
            double fresh = Math.min(
                    Math.min(compilation(Group.WARP, true), compilation(Group.BLOCK, true)),
                    Math.min(compilation(Group.WARP, false), compilation(Group.BLOCK, false)));
            double cached = Double.POSITIVE_INFINITY;
            for (int i = 0; i < ROUNDS; i++) {
                cached = Math.min(cached, compilation(Group.WARP, true));
            }
            return new Compilations(first - fresh, fresh, cached);
        }
    }

    private double compilation(Group group, boolean reads) {
        long begin = System.nanoTime();
        try (KernelCompiler<?> compiler = pe.newCompiler();
                CompiledKernel kernel = compiler.compile(DeviceKernels::moveInOrder, group, reads)) {
            Objects.requireNonNull(kernel);
            return (System.nanoTime() - begin) / 1e3;
        }
    }
}
