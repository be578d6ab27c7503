// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The system's loader. Not the JDK's door to it, because that one keeps to itself why a library cannot be loaded. */
@SuppressWarnings("restricted") // loading native code is what this class is for
final class DynamicLoader {
    private static final int RTLD_LAZY = 1;
    private static final int RTLD_GLOBAL = 0x100;

    private DynamicLoader() {}

    /** Apart, so that a system without these functions is noticed when something is to be loaded. */
    private static final class Functions {
        static final MethodHandle DLOPEN = handle("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
        static final MethodHandle DLSYM = handle("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        static final MethodHandle DLERROR = handle("dlerror", FunctionDescriptor.of(JAVA_LONG));

        private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
        }
    }

    /** A library cannot be loaded; the message is the loader's. */
    static final class LoadException extends Exception {
        private static final long serialVersionUID = 1L;

        LoadException(String message) {
            super(message);
        }
    }

    /** Loads a file, or what the loader finds under a name without a slash. */
    static MemorySegment load(String name) throws LoadException {
        return load(name, RTLD_LAZY);
    }

    /** {@link #load(String)}, and what the library defines is seen by those that are loaded later. */
    static MemorySegment loadForAll(String name) throws LoadException {
        return load(name, RTLD_LAZY | RTLD_GLOBAL);
    }

    private static MemorySegment load(String name, int flags) throws LoadException {
        if (Linker.nativeLinker().defaultLookup().find("dlopen").isEmpty()) {
            throw new LoadException(name + ": comm4j loads libraries on Linux only");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = (MemorySegment) Functions.DLOPEN.invokeExact(arena.allocateFrom(name), flags);
            if (handle.address() == 0) {
                String words = NativeMemory.string((long) Functions.DLERROR.invokeExact());
                throw new LoadException(words == null ? "the loader gives no reason" : words);
            }
            return handle;
        } catch (LoadException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("the loader threw", e);
        }
    }

    /** The address of a symbol, or {@link MemorySegment#NULL}. */
    static MemorySegment symbol(MemorySegment library, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return (MemorySegment) Functions.DLSYM.invokeExact(library, arena.allocateFrom(name));
        } catch (Throwable e) {
            throw new AssertionError("the loader threw", e);
        }
    }

    /** The file behind a library that was loaded by its name: the kernel lists what is mapped. */
    static Optional<Path> fileOf(String soname) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("/"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .filter(file -> file.getFileName().toString().startsWith(soname))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
