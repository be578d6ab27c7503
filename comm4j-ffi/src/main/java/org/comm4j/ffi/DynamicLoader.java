// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The system's loader. Not the JDK's door to it, because that one keeps to itself why a library cannot be loaded. */
@SuppressWarnings("restricted") // loading native code is what this class is for
final class DynamicLoader {
    private static final int RTLD_LAZY = 1;
    private static final int RTLD_GLOBAL = 0x100;
    private static final int RTLD_DI_LINKMAP = 2;
    /** Of the file's name, in {@code struct link_map}. */
    private static final long L_NAME = 8;

    private DynamicLoader() {}

    /** Apart, so that a system without these functions is noticed when something is to be loaded. */
    private static final class Functions {
        static final MethodHandle DLOPEN = handle("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
        static final MethodHandle DLSYM = handle("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        static final MethodHandle DLERROR = handle("dlerror", FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle DLINFO =
                handle("dlinfo", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));

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

    /** Why this process cannot load anything, or null. */
    static @Nullable String problem() {
        try {
            NativeMemory.requireAccess();
        } catch (IllegalCallerException e) {
            return e.getMessage();
        }
        return Linker.nativeLinker().defaultLookup().find("dlopen").isPresent()
                ? null
                : "comm4j loads libraries on Linux only";
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
        if (name.contains("/")) {
            check(Path.of(name));
        } else {
            checkOnLibraryPath(name);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            // The loader frees its words at the thread's next use of it, such as the JVM's when a native method is
            // first called:
            // what reads them has been used once before.
            String ignored = NativeMemory.string(text.address());
            MemorySegment handle = (MemorySegment) Functions.DLOPEN.invokeExact(text, flags);
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

    /** What the loader would end the process at, or wait for ever, or call a file that does not exist. */
    private static void check(Path file) throws LoadException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new LoadException(file + ": not a file");
        }
        ElfFile elf = ElfFile.read(file).orElse(null);
        if (elf != null && !elf.isForThisProcessor()) {
            throw new LoadException(
                    file + ": built for another processor than this one, " + System.getProperty("os.arch"));
        }
        if (elf != null && elf.isIncomplete()) {
            throw new LoadException(file + ": incomplete, it has " + elf.bytes() + " bytes of " + elf.promised()
                    + "; copy or install it again");
        }
        if (elf != null && elf.damage() != null) {
            throw new LoadException(file + ": damaged, " + elf.damage() + "; copy or install it again");
        }
    }

    /** The loader takes the first that is for this processor. */
    private static void checkOnLibraryPath(String soname) throws LoadException {
        String folders = Surroundings.variable("LD_LIBRARY_PATH");
        if (folders.isEmpty()) {
            return;
        }
        for (String folder : folders.split("[:;]", -1)) {
            Optional<Path> file = Surroundings.path(folder).map(path -> path.resolve(soname));
            if (file.flatMap(ElfFile::read).filter(ElfFile::isForThisProcessor).isPresent()) {
                check(file.get());
                return;
            }
        }
    }

    /** The file of a loaded library, as the loader found it. */
    static Optional<Path> fileOf(MemorySegment library) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map = arena.allocate(JAVA_LONG);
            if ((int) Functions.DLINFO.invokeExact(library, RTLD_DI_LINKMAP, map) != 0) {
                return Optional.empty();
            }
            MemorySegment name = NativeMemory.at(map.get(JAVA_LONG, 0) + L_NAME, JAVA_LONG.byteSize());
            String file = NativeMemory.string(name.get(JAVA_LONG, 0));
            return file == null ? Optional.empty() : Surroundings.path(file);
        } catch (Throwable e) {
            throw new AssertionError("the loader threw", e);
        }
    }
}
