// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.test.Gcc;

/** The driver without a GPU, of {@code src/test/c/libcuda-stub.c}, and what it can be told to do. */
@SuppressWarnings("restricted") // calls the stub's own functions
final class StubDriver {
    private static final Linker LINKER = Linker.nativeLinker();

    private StubDriver() {}

    /**
     * Runs the body in a thread of its own: the common pool has only one on a machine of two cores, and these tests
     * block it.
     */
    static CompletableFuture<Void> inThread(Runnable body) {
        return CompletableFuture.runAsync(
                body, task -> Thread.ofPlatform().daemon().start(task));
    }

    private static final class Library {
        static final Path FILE = Path.of(System.getProperty("org.comm4j.cuda.library", ""));
        static final SymbolLookup SYMBOLS;

        static {
            Gcc.sharedLibrary(Path.of("src/test/c/libcuda-stub.c"), FILE, "-Wall", "-Werror");
            SYMBOLS = SymbolLookup.libraryLookup(FILE, Arena.global());
        }
    }

    /** Compiles and loads it, before anything else asks for a driver; the test is skipped where there is no gcc. */
    static void load() {
        Gcc.require();
        assertThat(Library.SYMBOLS).isNotNull();
        assertThat(Cuda.problem()).isNull();
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(Library.SYMBOLS.findOrThrow(name), type);
    }

    /** How often the driver's function was called; all of them for an empty name. */
    static long calls(String function) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) function("stub_calls", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(function));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Makes the call after the next {@code after} ones of a function return a status. */
    static void fail(String function, int status, int after) {
        try (Arena arena = Arena.ofConfined()) {
            function("stub_fail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT))
                    .invokeExact(arena.allocateFrom(function), status, after);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Objects and allocations that were not given back; pools that wait for their next user are. */
    static long live() {
        try {
            long all = (long)
                    function("stub_live", FunctionDescriptor.of(JAVA_LONG)).invokeExact();
            return all - IdlePools.count();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Lets the work of a stream hang. */
    static void stall(CUstream stream, boolean stalled) {
        try {
            function("stub_stall", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT))
                    .invokeExact(MemorySegment.ofAddress(stream.address()), stalled ? 1 : 0);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Whether calls take their time before they look at what they got, so that others can destroy it. */
    static void dawdle(boolean on) {
        try {
            function("stub_dawdle", FunctionDescriptor.ofVoid(JAVA_INT)).invokeExact(on ? 1 : 0);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Changes the calling thread's context, as other libraries do. */
    static void disturb() {
        try {
            function("stub_disturb", FunctionDescriptor.ofVoid()).invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
