// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

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
        PTX
    }

    private final String name;
    private final Kind kind;
    private final byte[] content;
    private final List<String> options;
    private final List<Path> includes;

    private DeviceUnit(String name, Kind kind, byte[] content, List<String> options, List<Path> includes) {
        this.name = name;
        this.kind = kind;
        this.content = content;
        this.options = options;
        this.includes = includes;
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

    /** The same with one more folder of headers for its source. */
    public DeviceUnit include(Path folder) {
        List<Path> all = new ArrayList<>(includes);
        all.add(folder.toAbsolutePath());
        return new DeviceUnit(name, kind, content, options, List.copyOf(all));
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

    @Override
    public String toString() {
        return "DeviceUnit[" + name + ", " + kind + ", " + content.length + " bytes]";
    }
}
