// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The driver and the NCCL of {@code simulation.c}, compiled when a test needs them, and what tests control there. */
@SuppressWarnings("restricted") // calls C of its own
final class Simulation {
    /** Whether this process simulates the newest NCCL rather than 2.28.9. */
    private static final boolean NEWEST = Boolean.getBoolean("org.comm4j.simulation.newest");

    private static final @Nullable String PROBLEM;
    private static @Nullable SymbolLookup symbols;

    static {
        String problem = null;
        try {
            Path folder = Files.createTempDirectory("comm4j-simulation");
            Path library = folder.resolve("libsimulation.so");
            Path source = Path.of("src/test/c/simulation.c");
            List<String> command = new ArrayList<>(List.of("gcc", "-O1", "-shared", "-fPIC", "-pthread", "-o"));
            command.addAll(List.of(library.toString(), source.toString()));
            if (NEWEST) {
                command.add("-DNEWEST");
            }
            Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (gcc.waitFor() != 0) {
                throw new IllegalStateException("gcc: " + said);
            }
            System.setProperty("org.comm4j.nccl.library", library.toString());
            System.setProperty("org.comm4j.cuda.library", library.toString());
            symbols = SymbolLookup.libraryLookup(library, Arena.global());
        } catch (IOException e) {
            problem = "there is no gcc to compile the simulated GPUs with: " + e.getMessage();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        PROBLEM = problem;
    }

    private Simulation() {}

    /** A process loads one NCCL: whatever test comes first in this one, it is the simulated one, where there is a C compiler. */
    static void prepare() {
        // The class is initialised now.
    }

    /** Skips the test where there is no C compiler. */
    static void require() {
        Assumptions.assumeTrue(PROBLEM == null, PROBLEM);
    }

    /** Skips the test where there is no C compiler, or this process simulates 2.28.9. */
    static void requireNewest() {
        require();
        Assumptions.assumeTrue(
                NEWEST, "this process simulates NCCL 2.28.9; -Dorg.comm4j.simulation.newest=true simulates 2.32.3");
    }

    /** Runs ranks as threads, each with a simulated GPU and a communicator of all. */
    static void ranks(int ranks, CommConfig config, NcclBody body) {
        require();
        World.threads(ranks, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device, config)) {
                body.run(comm);
            }
        });
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker()
                .downcallHandle(Objects.requireNonNull(symbols).find(name).orElseThrow(), type);
    }

    /** The next {@code times} calls of a C function return {@code status}. */
    static void fail(String function, int status, int times) {
        try (Arena arena = Arena.ofConfined()) {
            function("sim_fail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT))
                    .invokeExact(arena.allocateFrom(function), status, times);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** How often a C function was called. */
    static long count(String function) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) function("sim_count", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(function));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void set(String what, long value) {
        try (Arena arena = Arena.ofConfined()) {
            function("sim_set", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG))
                    .invokeExact(arena.allocateFrom(what), value);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long get(String what) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) function("sim_get", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(what));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void lastError(String text) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocateFrom(text);
            function("sim_last_error", FunctionDescriptor.ofVoid(ADDRESS)).invokeExact(copy);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
