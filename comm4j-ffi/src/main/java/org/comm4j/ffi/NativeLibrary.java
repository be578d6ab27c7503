// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.System.Logger;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A native library: found and loaded, or not and why. Where it is looked for, in this order:
 *
 * <ol>
 *   <li>the system property, if it is set, and then nowhere else: {@code -Dorg.comm4j.nccl.library=} a file, or a
 *   folder that has it
 *   <li>installations that environment variables name: {@code NCCL_HOME}, {@code NVSHMEM_HOME}, {@code CUDA_HOME},
 *   {@code CUDA_PATH}, {@code CONDA_PREFIX}; of MPI {@code COMM4J_MPI}, the installation of the launcher that started
 *   this process, {@code MPI_HOME}, {@code I_MPI_ROOT}
 *   <li>Python's wheels, {@code nvidia/*}{@code /lib} in the site-packages of {@code VIRTUAL_ENV}, {@code
 *   CONDA_PREFIX}, the
 *       {@code python3} on the {@code PATH}, and {@code ~/.local}
 *   <li>the loader's path: {@code LD_LIBRARY_PATH}, then what the system is set up to find
 *   <li>a few usual folders that the loader's path often lacks
 * </ol>
 *
 * A library that other code in this process has already loaded is not searched for; if it is the same file, the loader
 * shares it.
 */
public final class NativeLibrary {
    private static final Map<LibraryName, NativeLibrary> KNOWN = new EnumMap<>(LibraryName.class);

    /** How the outcome at a place begins that has a file which cannot be loaded. */
    static final String BROKEN = "cannot load ";

    /** The outcome for a folder that is named and not there. */
    static final String ABSENT = "does not exist";

    /** How the outcome begins for a text that names no folder. */
    static final String NO_PATH = "not a path";

    /** Where the reason lies if nothing can be loaded, wherever it is. */
    private static final String PROCESS = "this process";

    private final LibraryName name;
    private final List<Place> places;
    private final @Nullable Found found;
    private final @Nullable String version;
    private final Map<String, NativeFunction> functions = new ConcurrentHashMap<>();
    private final Map<String, NativeFamily<?>> families = new ConcurrentHashMap<>();

    /**
     * Where it was looked.
     *
     * @param where a property, a variable, a folder
     * @param outcome what was there
     */
    public record Place(String where, String outcome) {
        @Override
        public String toString() {
            return where + ": " + outcome;
        }

        /** Whether something is wrong there, which matters even if the library was found elsewhere. */
        public boolean isWrong() {
            return outcome.startsWith(BROKEN) || outcome.startsWith(ABSENT) || outcome.startsWith(NO_PATH);
        }
    }

    /**
     * A loaded library.
     *
     * @param handle of the loader
     */
    record Found(Path file, MemorySegment handle) {}

    NativeLibrary(LibraryName name, List<Place> places, @Nullable Found found) {
        this.name = name;
        this.places = List.copyOf(places);
        this.found = found;
        this.version = found == null ? null : readVersion(name, found);
    }

    /**
     * The library of that name. The first call looks for it and loads it; it is the same from then on, and is never
     * unloaded.
     */
    public static NativeLibrary of(LibraryName name) {
        synchronized (KNOWN) {
            return KNOWN.computeIfAbsent(name, key -> {
                String problem = hindrance(key);
                NativeLibrary library = problem == null
                        ? new Locator(key, Surroundings.ofProcess()).locate()
                        : new NativeLibrary(key, List.of(new Place(PROCESS, problem)), null);
                library.warn();
                return library;
            });
        }
    }

    /** Once for each library: what others can exchange runs as this user. */
    private void warn() {
        String danger = found == null ? null : Writable.byOthers(found.file(), false);
        if (danger != null) {
            System.getLogger(NativeLibrary.class.getName())
                    .log(
                            Logger.Level.WARNING,
                            "{0} was loaded from {1}, but {2}: whoever changes it runs code as this user",
                            name.text(),
                            String.valueOf(found == null ? "" : found.file()),
                            danger);
        }
    }

    /**
     * Who, other than this user and root, could exchange the file that was loaded, in one line; null if nobody could.
     */
    public @Nullable String danger() {
        return found == null ? null : Writable.byOthers(found.file(), true);
    }

    private static @Nullable String hindrance(LibraryName name) {
        String problem = DynamicLoader.problem();
        if (problem != null) {
            return problem;
        }
        return switch (name) {
            case MPI -> SignalHandlers.leaveToJvm();
            case OPENSHMEM -> OpenshmemProcess.prepare();
            default -> null;
        };
    }

    /** What OpenBLAS says of itself, under any of its names; other libraries of CBLAS say nothing. */
    private static @Nullable String readConfiguration(Found found) {
        for (String prefix : List.of("", "scipy_")) {
            for (String suffix : List.of("", "64_", "_64")) {
                MemorySegment function = DynamicLoader.symbol(found.handle(), prefix + "openblas_get_config" + suffix);
                if (function.address() != 0) {
                    try {
                        return NativeMemory.string((long) Version.TEXT.invokeExact(function));
                    } catch (Throwable e) {
                        throw new AssertionError("openblas_get_config threw", e);
                    }
                }
            }
        }
        return null;
    }

    private static @Nullable String readVersion(LibraryName name, Found found) {
        if (name == LibraryName.CBLAS) {
            return readConfiguration(found);
        }
        MemorySegment function = DynamicLoader.symbol(found.handle(), name.versionFunction());
        if (function.address() == 0) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(JAVA_INT, 3);
            int status = name == LibraryName.CUBLAS || name == LibraryName.CUFFT
                    ? properties(function, cells)
                    : switch (name.versionNumbers()) {
                        case 1 -> (int) Version.ONE.invokeExact(function, cells);
                        case 2 -> {
                            int result = (int) Version.TWO.invokeExact(function, cells, cells.asSlice(4));
                            // OpenSHMEM's returns nothing.
                            yield name == LibraryName.OPENSHMEM ? 0 : result;
                        }
                        default -> {
                            Version.THREE.invokeExact(function, cells, cells.asSlice(4), cells.asSlice(8));
                            yield 0;
                        }
                    };
            return status == 0 ? name.version(cells.toArray(JAVA_INT)) : null;
        } catch (Throwable e) {
            throw new AssertionError(name.versionFunction() + " threw", e);
        }
    }

    /** Asks for the three numbers one after the other. */
    private static int properties(MemorySegment function, MemorySegment cells) throws Throwable {
        int status = 0;
        for (int number = 0; number < 3 && status == 0; number++) {
            status = (int) Version.NUMBERED.invokeExact(function, number, cells.asSlice(4L * number));
        }
        return status;
    }

    /** The libraries' functions that give their version. */
    @SuppressWarnings("restricted") // calling C is what this class is for
    private static final class Version {
        static final MethodHandle ONE = Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle TWO =
                Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        static final MethodHandle TEXT = Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle NUMBERED =
                Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
        static final MethodHandle THREE =
                Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS));
    }

    /** Which library this is. */
    public LibraryName name() {
        return name;
    }

    /** Whether it was found and loaded. */
    public boolean isPresent() {
        return found != null;
    }

    /** The file that was loaded, or null. */
    public @Nullable Path file() {
        return found == null ? null : found.file();
    }

    /** Its version ("2.32.3"), or null if it is not there or does not say. */
    public @Nullable String version() {
        return version;
    }

    /** Where it was looked for, in order, the last place being that where it was found. */
    public List<Place> places() {
        return places;
    }

    /** Why it cannot be used, in one line, or null if it can. */
    public @Nullable String problem() {
        if (found != null) {
            return null;
        }
        if (places.getFirst().where().equals(PROCESS)) {
            return "no " + name.text() + ": " + places.getFirst().outcome();
        }
        String what = places.stream()
                .map(Place::outcome)
                .filter(outcome -> outcome.startsWith(BROKEN))
                .findFirst()
                .orElse(String.join(" or ", name.sonames()) + " not found");
        return "no " + name.text() + ": " + what + ". " + name.advice();
    }

    /** Returns {@link #version}, with what it is of if that is not the library: "3.1 of the standard". */
    public @Nullable String versionText() {
        return version == null ? null : name.described(version);
    }

    /** A function of this library that all its versions have under the same name. */
    public NativeFunction function(String function) {
        return function(function, "");
    }

    /**
     * A function of this library, under the first of some names that it has.
     *
     * @param function name in C, which is also that of the symbol unless others are given
     * @param since version that brought it, or empty
     * @param symbols names in the library, the preferred one first
     */
    public NativeFunction function(String function, String since, String... symbols) {
        return functions.computeIfAbsent(function, key -> {
            MemorySegment address = MemorySegment.NULL;
            for (String symbol : symbols.length == 0 ? new String[] {function} : symbols) {
                if (found != null && address.address() == 0) {
                    address = DynamicLoader.symbol(found.handle(), symbol);
                }
            }
            return new NativeFunction(this, function, since, address);
        });
    }

    /**
     * Functions of this library that differ in one word of their names.
     *
     * @param pattern the names in C, with a letter in angle brackets for the word: {@code nvshmem_<T>_put}
     * @param since version that brought them, or empty
     * @param words for which there are functions, separated by blanks
     */
    public <E extends Enum<E> & NativeFamily.Member> NativeFamily<E> family(
            String pattern, String since, Class<E> members, String words) {
        NativeFamily<E> family = new NativeFamily<>(this, pattern, since, members, words);
        families.put(pattern, family);
        return family;
    }

    /**
     * Whether the library has a function that comm4j binds.
     *
     * @throws IllegalArgumentException if comm4j binds no function of that name
     */
    public boolean has(String function) {
        NativeFunction known = functions.get(function);
        for (NativeFamily<?> family : known == null ? families.values() : Set.<NativeFamily<?>>of()) {
            known = known == null ? family.named(function) : known;
        }
        if (known == null) {
            throw new IllegalArgumentException("comm4j binds no function " + function + " of " + name.text());
        }
        return known.isPresent();
    }

    RuntimeException lacks(NativeFunction function) {
        if (found == null) {
            return new LibraryNotFoundException(
                    name,
                    function.name() + " cannot be called: " + problem() + " Looked at:"
                            + places.stream().map(place -> "\n  " + place).collect(Collectors.joining()));
        }
        String needed = function.since().isEmpty()
                ? "another version of " + name.text()
                : name.text() + " " + function.since() + " or newer";
        return new UnsupportedOperationException(function.name() + " needs " + needed + "; loaded: "
                + (version == null ? "" : versionText() + " ") + "(" + found.file() + ")");
    }

    /** Name, version and file, or the problem. */
    @Override
    public String toString() {
        return found == null
                ? "" + problem()
                : name.text() + (version == null ? "" : " " + versionText()) + " (" + found.file() + ")";
    }
}
