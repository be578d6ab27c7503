// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Device code that does not come from Java, and that kernels call: CUDA C++ source, LTO-IR or PTX. Source and LTO-IR are inlined into the
 * kernel, PTX is called. Functions are found by their plain names: declare them {@code extern "C" __device__}.
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

    private final String name;
    private final Kind kind;
    private final byte[] content;
    private final List<String> options;
    private final List<Path> includes;
    /** Headers that change whenever one of the others does; empty if each is looked at. */
    private final List<String> versionHeaders;
    /** The variables that the host looks for; null if it may be any. */
    private final @Nullable List<String> hostVariables;
    /** Of a unit on demand: what is linked, by the functions that are called. */
    private final @Nullable Function<Set<String>, DeviceUnit> maker;
    /** What is done with a module that has this code; returns how to undo it. */
    private final @Nullable Function<CudaModule, Runnable> setUp;

    private final @Nullable LaunchWatch watch;

    /** Of a unit on demand: what it is made by; null if it has to be made to be known. */
    private final @Nullable MadeBy madeBy;

    /**
     * What a unit on demand is made by.
     *
     * @param code a class of the jar that has all the code that makes it
     * @param settings whatever else it depends on, but for the functions that are called, options and headers
     */
    public record MadeBy(Class<?> code, String settings) {}

    private DeviceUnit(String name, Kind kind, byte[] content, List<String> options, List<Path> includes) {
        this(name, kind, content, options, includes, List.of(), null, null, null, null, null);
    }

    private DeviceUnit(
            String name,
            Kind kind,
            byte[] content,
            List<String> options,
            List<Path> includes,
            List<String> versionHeaders,
            @Nullable List<String> hostVariables,
            @Nullable Function<Set<String>, DeviceUnit> maker,
            @Nullable Function<CudaModule, Runnable> setUp,
            @Nullable LaunchWatch watch,
            @Nullable MadeBy madeBy) {
        this.name = name;
        this.kind = kind;
        this.content = content;
        this.options = options;
        this.includes = includes;
        this.versionHeaders = versionHeaders;
        this.hostVariables = hostVariables;
        this.maker = maker;
        this.setUp = setUp;
        this.watch = watch;
        this.madeBy = madeBy;
    }

    /**
     * CUDA C++.
     *
     * @param name by which {@link DeviceFunction#unit} knows it, also the file's name in messages of the compiler
     * @param options of NVRTC: {@code -DN=4}, {@code -std=c++17}
     */
    public static DeviceUnit source(String name, String source, String... options) {
        for (String option : options) {
            if (option.startsWith("-arch") || option.startsWith("--gpu-architecture")) {
                throw new IllegalArgumentException("device unit " + name + ", option " + option
                        + ": the architecture is that of the kernel that it is linked with");
            }
        }
        return new DeviceUnit(
                Objects.requireNonNull(name, "name"),
                Kind.SOURCE,
                source.getBytes(StandardCharsets.UTF_8),
                List.copyOf(Arrays.asList(options)),
                List.of());
    }

    /** LTO-IR. */
    public static DeviceUnit ltoIr(String name, byte[] content) {
        return new DeviceUnit(Objects.requireNonNull(name, "name"), Kind.LTO_IR, content.clone(), List.of(), List.of());
    }

    /** PTX; its functions are called, not inlined. */
    public static DeviceUnit ptx(String name, String text) {
        return new DeviceUnit(
                Objects.requireNonNull(name, "name"),
                Kind.PTX,
                text.getBytes(StandardCharsets.UTF_8),
                List.of(),
                List.of());
    }

    /**
     * Code of which each kernel gets as much as it needs: large libraries are slow to link.
     *
     * @param maker gets the names of the functions outside of Java that a kernel calls, those of other units included, and returns source, LTO-IR or PTX;
     *     an {@link UnsupportedOperationException} that says why it has not one of them becomes the {@link KernelCompileException} of that kernel
     */
    public static DeviceUnit onDemand(String name, Function<Set<String>, DeviceUnit> maker) {
        return new DeviceUnit(
                Objects.requireNonNull(name, "name"),
                Kind.ON_DEMAND,
                new byte[0],
                List.of(),
                List.of(),
                List.of(),
                null,
                Objects.requireNonNull(maker, "maker"),
                null,
                null,
                null);
    }

    /** The same with one more folder of headers for its source. */
    public DeviceUnit include(Path folder) {
        List<Path> all = new ArrayList<>(includes);
        all.add(folder.toAbsolutePath());
        return new DeviceUnit(
                name,
                kind,
                content,
                options,
                List.copyOf(all),
                versionHeaders,
                hostVariables,
                maker,
                setUp,
                watch,
                madeBy);
    }

    /**
     * The same, for headers of installed packages, which change together: whether code that was compiled before is still good is seen from these alone, by their place,
     * size and date. Otherwise each header that is included is looked at, of which CUDA has a thousand.
     *
     * @param headers as in {@code #include}, at least one of each package
     */
    public DeviceUnit versionHeaders(String... headers) {
        return new DeviceUnit(
                name, kind, content, options, includes, List.of(headers), hostVariables, maker, setUp, watch, madeBy);
    }

    /**
     * The same, for code of whose variables the host looks for these alone: others go where no kernel uses them. C++ libraries have hundreds, which make machine code large and slow to load.
     */
    public DeviceUnit hostVariables(String... names) {
        return new DeviceUnit(
                name, kind, content, options, includes, versionHeaders, List.of(names), maker, setUp, watch, madeBy);
    }

    /**
     * The same, for code that is more than loaded before a kernel runs, as of libraries that keep addresses in the module's variables.
     *
     * @param setUp is called with each module that has this code, after it was loaded, and returns what is run when the kernel is closed, before the module is
     *     unloaded
     */
    public DeviceUnit whenLoaded(Function<CudaModule, Runnable> setUp) {
        return new DeviceUnit(
                name,
                kind,
                content,
                options,
                includes,
                versionHeaders,
                hostVariables,
                maker,
                Objects.requireNonNull(setUp, "setUp"),
                watch,
                madeBy);
    }

    /** Who is told of launches of kernels with a unit's code, because they may wait for other processes. */
    public interface LaunchWatch {
        /**
         * A kernel that waits for others ({@link KernelCode#cooperative}) was put into a stream.
         *
         * @param kernel what messages are to call it; the same object for all launches of a kernel
         */
        void launched(String kernel, Stream stream);

        /** Waits until a stream is done, for a launch that returns when the kernel has ended; throws what keeps it from ending. */
        void await(Stream stream);
    }

    /**
     * The same of a unit on demand that need not be made to find out whether finished code is still good: it depends on the code of this class's jar, the settings, the functions that are called,
     * and on the options and headers that this unit has, as what it makes.
     */
    public DeviceUnit madeBy(Class<?> code, String settings) {
        return new DeviceUnit(
                name,
                kind,
                content,
                options,
                includes,
                versionHeaders,
                hostVariables,
                maker,
                setUp,
                watch,
                new MadeBy(code, settings));
    }

    /** The same, for code that waits for other processes, which may die. */
    public DeviceUnit watchedBy(LaunchWatch watch) {
        return new DeviceUnit(
                name,
                kind,
                content,
                options,
                includes,
                versionHeaders,
                hostVariables,
                maker,
                setUp,
                Objects.requireNonNull(watch, "watch"),
                madeBy);
    }

    /** What {@link #watchedBy} was given. */
    @Nullable
    LaunchWatch watch() {
        return watch;
    }

    /** What is linked to a kernel that calls these functions: the unit itself, unless it is made on demand. */
    public DeviceUnit forFunctions(Set<String> functions) {
        return maker == null ? this : maker.apply(functions);
    }

    /** What {@link #whenLoaded} says, done. */
    Runnable setUp(CudaModule module) {
        return setUp == null ? () -> {} : setUp.apply(module);
    }

    public String name() {
        return name;
    }

    public Kind kind() {
        return kind;
    }

    /** Source and PTX in UTF-8. */
    public byte[] content() {
        return content.clone();
    }

    public List<String> options() {
        return options;
    }

    /** Folders of headers, in the order in which they are searched. */
    public List<Path> includes() {
        return includes;
    }

    /** What {@link #versionHeaders(String...)} was given. */
    public List<String> versionHeaders() {
        return versionHeaders;
    }

    /** What {@link #hostVariables(String...)} was given; null if nothing. */
    public @Nullable List<String> hostVariables() {
        return hostVariables;
    }

    /** What {@link #madeBy} was given; null if nothing. */
    public @Nullable MadeBy madeBy() {
        return madeBy;
    }

    @Override
    public String toString() {
        return "DeviceUnit[" + name + ", " + kind + ", " + content.length + " bytes]";
    }
}
