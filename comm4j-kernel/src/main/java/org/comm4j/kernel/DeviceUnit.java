// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.DeviceFunction;
import org.jspecify.annotations.Nullable;

/**
 * Device code that does not come from Java, and that kernels call: CUDA C++ source, LTO-IR or PTX. Source and LTO-IR
 * are inlined into the kernel, PTX is called. Functions are found by their plain names: declare them {@code extern "C"
 * __device__}.
 */
public final class DeviceUnit {
    /** What a unit is made of. */
    public enum Kind {
        /** CUDA C++, which NVRTC compiles once and the disk cache keeps. */
        SOURCE,
        /** What {@code nvcc -dlto} and NVRTC make, for the architecture of the kernel or an older one. */
        LTO_IR,
        PTX,
        /** What is made when it is known which functions a kernel calls. */
        ON_DEMAND
    }

    /** What a unit has. Changed only while it is made, so that what gives a unit one thing more names nothing else. */
    private static final class Parts {
        final String name;
        final Kind kind;
        final byte[] content;
        List<String> options = List.of();
        List<Path> includes = List.of();
        List<DeviceUnit> definitions = List.of();
        /** Headers that change whenever one of the others does; empty if each is looked at. */
        List<String> versionHeaders = List.of();
        /** The variables that the host looks for; null if it may be any. */
        @Nullable
        List<String> hostVariables;
        /** Of a unit on demand: what is linked, by the functions that are called. */
        @Nullable
        Function<Set<String>, List<DeviceUnit>> maker;
        /** Of a unit on demand: what it is made by; null if it has to be made to be known. */
        @Nullable
        MadeBy madeBy;
        /** What is done with a module that has this code; returns how to undo it. */
        @Nullable
        Function<CudaModule, Runnable> setUp;

        @Nullable
        LaunchWatch watch;

        Parts(String name, Kind kind, byte[] content) {
            this.name = nonNull(name, "DeviceUnit", "name");
            this.kind = kind;
            this.content = content;
        }

        Parts(DeviceUnit unit) {
            this(unit.parts.name, unit.parts.kind, unit.parts.content);
            Parts from = unit.parts;
            options = from.options;
            includes = from.includes;
            definitions = from.definitions;
            versionHeaders = from.versionHeaders;
            hostVariables = from.hostVariables;
            maker = from.maker;
            madeBy = from.madeBy;
            setUp = from.setUp;
            watch = from.watch;
        }
    }

    private final Parts parts;

    /**
     * What a unit on demand is made by.
     *
     * @param code a class of the jar that has all the code that makes it
     * @param settings whatever else it depends on, but for the functions that are called, options and headers
     */
    public record MadeBy(Class<?> code, String settings) {}

    private DeviceUnit(Parts parts) {
        this.parts = parts;
    }

    /**
     * CUDA C++.
     *
     * @param name by which {@link DeviceFunction#unit} knows it, also the file's name in messages of the compiler
     * @param options of NVRTC: {@code -DN=4}, {@code -std=c++17}
     */
    public static DeviceUnit source(String name, String source, String... options) {
        nonNull(name, "source", "name");
        nonNull(source, "source", "source");
        nonNull(options, "source", "options");
        for (String option : options) {
            if (option.startsWith("-arch") || option.startsWith("--gpu-architecture")) {
                throw new IllegalArgumentException("device unit " + name + ", option " + option
                        + ": the architecture is that of the kernel that it is linked with");
            }
        }
        Parts parts = new Parts(name, Kind.SOURCE, source.getBytes(StandardCharsets.UTF_8));
        parts.options = List.copyOf(Arrays.asList(options));
        return new DeviceUnit(parts);
    }

    /** LTO-IR. */
    public static DeviceUnit ltoIr(String name, byte[] content) {
        nonNull(name, "ltoIr", "name");
        nonNull(content, "ltoIr", "content");
        return new DeviceUnit(new Parts(name, Kind.LTO_IR, content.clone()));
    }

    /** PTX; its functions are called, not inlined. */
    public static DeviceUnit ptx(String name, String text) {
        nonNull(name, "ptx", "name");
        nonNull(text, "ptx", "text");
        return new DeviceUnit(new Parts(name, Kind.PTX, text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Code of which each kernel gets as much as it needs: large libraries are slow to link.
     *
     * @param maker gets the names of the functions outside of Java that a kernel calls, those of other units included,
     *     and returns source, LTO-IR or PTX, in as many pieces as it likes; an {@link UnsupportedOperationException}
     *     that says why it has not one of them becomes the {@link KernelCompileException} of that kernel
     */
    public static DeviceUnit onDemand(String name, Function<Set<String>, List<DeviceUnit>> maker) {
        nonNull(name, "onDemand", "name");
        Parts parts = new Parts(name, Kind.ON_DEMAND, new byte[0]);
        parts.maker = nonNull(maker, "onDemand", "maker");
        return new DeviceUnit(parts);
    }

    /**
     * CUDA C++ with macros that define functions, of which each kernel gets those that it calls: templates,
     * instantiated by the types and constants of the call.
     *
     * <p>A macro's first parameter is the function's name, the others are values. A kernel that calls {@code
     * sum__of_128_m1} gets the line {@code sum(sum__of_128_m1, 128, -1)} at the end of the source. {@link
     * DeviceFunction#value} makes such names of constants.
     *
     * @param name by which {@link DeviceFunction#unit} knows it
     * @param includes folders of headers, in the order in which they are searched
     * @param options of NVRTC
     */
    public static DeviceUnit templates(String name, String source, List<Path> includes, String... options) {
        DeviceUnit whole = source(name + ".instances", source, options);
        for (Path folder : nonNull(includes, "templates", "includes")) {
            whole = whole.include(folder);
        }
        DeviceUnit made = whole;
        return onDemand(name, functions -> {
            Parts parts = new Parts(
                    made.name(),
                    Kind.SOURCE,
                    TemplateSource.instantiated(source, functions).getBytes(StandardCharsets.UTF_8));
            parts.options = made.options();
            parts.includes = made.includes();
            return List.of(new DeviceUnit(parts));
        });
    }

    /** The same with one more folder of headers for its source. */
    public DeviceUnit include(Path folder) {
        nonNull(folder, "include", "folder");
        List<Path> all = new ArrayList<>(parts.includes);
        all.add(folder.toAbsolutePath());
        Parts changed = new Parts(this);
        changed.includes = List.copyOf(all);
        return new DeviceUnit(changed);
    }

    /**
     * Returns the same unit together with another one, which defines functions that this one declares: a header's
     * functions are often defined in a {@code .cu} file or an LTO-IR library beside it. Whatever kernel calls this unit
     * is linked with both.
     *
     * @throws IllegalArgumentException if both have the same name
     */
    public DeviceUnit with(DeviceUnit definitions) {
        nonNull(definitions, "with", "definitions");
        if (definitions.name().equals(name())) {
            throw new IllegalArgumentException(
                    "device unit " + name() + ": the unit that defines its functions has the same name");
        }
        List<DeviceUnit> all = new ArrayList<>(parts.definitions);
        all.add(definitions);
        Parts changed = new Parts(this);
        changed.definitions = List.copyOf(all);
        return new DeviceUnit(changed);
    }

    /**
     * The same, for headers of installed packages, which change together: whether code that was compiled before is
     * still good is seen from these alone, by their place, size and date. Otherwise each header that is included is
     * looked at, of which CUDA has a thousand.
     *
     * @param headers as in {@code #include}, at least one of each package
     */
    public DeviceUnit versionHeaders(String... headers) {
        nonNull(headers, "versionHeaders", "headers");
        Parts changed = new Parts(this);
        changed.versionHeaders = List.of(headers);
        return new DeviceUnit(changed);
    }

    /**
     * The same, for code of whose variables the host looks for these alone (or for none: name one that there is not):
     * others go where no kernel uses them. C++ libraries have hundreds, which make machine code large and slow to load.
     */
    public DeviceUnit hostVariables(String... names) {
        nonNull(names, "hostVariables", "names");
        Parts changed = new Parts(this);
        changed.hostVariables = List.of(names);
        return new DeviceUnit(changed);
    }

    /**
     * The same, for code that is more than loaded before a kernel runs, as of libraries that keep addresses in the
     * module's variables.
     *
     * @param setUp is called with each module that has this code, after it was loaded, and returns what is run when the
     *     kernel is closed, before the module is unloaded
     */
    public DeviceUnit whenLoaded(Function<CudaModule, Runnable> setUp) {
        Parts changed = new Parts(this);
        changed.setUp = nonNull(setUp, "whenLoaded", "setUp");
        return new DeviceUnit(changed);
    }

    /** Who is told of launches of kernels with a unit's code, because they may wait for other processes. */
    public interface LaunchWatch {
        /**
         * A kernel that waits for others ({@link KernelCode#cooperative}) was put into a stream.
         *
         * @param kernel what messages are to call it; the same object for all launches of a kernel
         */
        void launched(String kernel, Stream stream);

        /**
         * Waits until a stream is done, for a launch that returns when the kernel has ended; throws what keeps it from
         * ending.
         */
        void await(Stream stream);
    }

    /**
     * The same of a unit on demand that need not be made to find out whether finished code is still good: it depends on
     * the code of this class's jar, the settings, the functions that are called, and on the options and headers that
     * this unit has, as what it makes.
     */
    public DeviceUnit madeBy(Class<?> code, String settings) {
        nonNull(code, "madeBy", "code");
        nonNull(settings, "madeBy", "settings");
        Parts changed = new Parts(this);
        changed.madeBy = new MadeBy(code, settings);
        return new DeviceUnit(changed);
    }

    /** The same, for code that waits for other processes, which may die. */
    public DeviceUnit watchedBy(LaunchWatch watch) {
        Parts changed = new Parts(this);
        changed.watch = nonNull(watch, "watchedBy", "watch");
        return new DeviceUnit(changed);
    }

    /** What {@link #watchedBy} was given. */
    @Nullable
    LaunchWatch watch() {
        return parts.watch;
    }

    /** What is linked to a kernel that calls these functions: the unit itself, unless it is made on demand. */
    public List<DeviceUnit> forFunctions(Set<String> functions) {
        nonNull(functions, "forFunctions", "functions");
        return parts.maker == null ? List.of(this) : parts.maker.apply(functions);
    }

    /** What {@link #whenLoaded} says, done. */
    Runnable setUp(CudaModule module) {
        return parts.setUp == null ? () -> {} : parts.setUp.apply(module);
    }

    public String name() {
        return parts.name;
    }

    public Kind kind() {
        return parts.kind;
    }

    /** Source and PTX in UTF-8. */
    public byte[] content() {
        return parts.content.clone();
    }

    public List<String> options() {
        return parts.options;
    }

    /** Folders of headers, in the order in which they are searched. */
    public List<Path> includes() {
        return parts.includes;
    }

    /** Returns the units that {@link #with} has added, in this order. */
    public List<DeviceUnit> definitions() {
        return parts.definitions;
    }

    /** What {@link #versionHeaders(String...)} was given. */
    public List<String> versionHeaders() {
        return parts.versionHeaders;
    }

    /** What {@link #hostVariables(String...)} was given; null if nothing. */
    public @Nullable List<String> hostVariables() {
        return parts.hostVariables;
    }

    /** What {@link #madeBy} was given; null if nothing. */
    public @Nullable MadeBy madeBy() {
        return parts.madeBy;
    }

    @Override
    public String toString() {
        return "DeviceUnit[" + parts.name + ", " + parts.kind + ", " + parts.content.length + " bytes]";
    }
}
