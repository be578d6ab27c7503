// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.test.Natives;

/** NVIDIA's compilers, and NVSHMEM's headers of the versions that are tested. */
final class Compilers {
    private static final Pattern CALL = Pattern.compile("\\scall(?:\\.uni)?\\s+(?:\\([^)]*\\)\\s*,\\s*)?([^\\s,;(]+)");

    private Compilers() {}

    /** Skips the test where they are not. */
    static void require() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
        for (String wheel : List.of("nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        assumeTrue(!versions().isEmpty(), Natives.missing("nvidia-nvshmem-cu13"));
    }

    /** Those that are here. */
    static List<String> versions() {
        return Natives.NVSHMEM_VERSIONS.stream()
                .filter(version -> Natives.nvshmem(version).isPresent())
                .toList();
    }

    /** Folders of headers, NVSHMEM's of this version, as {@link Headers#PROPERTY} wants them. */
    static String folders(String version) {
        Path cuda = Path.of("nvidia/cu13/include");
        return Stream.of(
                        Natives.folder("nvidia-nvshmem-cu13-" + version).resolve("nvidia/nvshmem/include"),
                        Natives.folder("nvidia-cuda-runtime").resolve(cuda),
                        Natives.folder("nvidia-cuda-crt").resolve(cuda),
                        Natives.folder("nvidia-cuda-cccl").resolve(cuda).resolve("cccl"))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Options with the headers of a version. */
    static CompileOptions options(String version, CompileOptions options) {
        System.setProperty(Headers.PROPERTY, folders(version));
        try {
            return ShmemCompiler.codeOptions(options);
        } finally {
            System.clearProperty(Headers.PROPERTY);
        }
    }

    /** Whom a kernel's code calls, by name; or the register with the address. */
    static List<String> calls(KernelCode code) {
        return CALL.matcher(code.ptx()).results().map(call -> call.group(1)).toList();
    }

    /** The functions outside of Java that a kernel calls. */
    static Set<String> functions(KernelCode code) {
        Set<String> names = new TreeSet<>();
        code.nvvm()
                .lines()
                .filter(line -> line.startsWith("declare"))
                .map(line -> line.replaceAll(".*@([\\w.]+)\\(.*", "$1"))
                .filter(name -> name.matches("(nvshmemx?|comm4j)_.*"))
                .forEach(names::add);
        return names;
    }

    /** Those that a version has, the collectives or the others. */
    static List<String> allFunctions(String version, boolean collectives) {
        return Declared.namesIn(Version.parse(version)).stream()
                .filter(name -> NvshmemUnit.isCollective(name) == collectives)
                .toList();
    }
}
