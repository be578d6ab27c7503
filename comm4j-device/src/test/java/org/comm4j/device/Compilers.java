// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.module.ModuleDescriptor.Version;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
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

    /** Headers of a version, for PEs that all reach each other or for any. */
    record Target(String version, boolean direct) {
        @Override
        public String toString() {
            return version + (direct ? ", direct" : ", network");
        }
    }

    /** Those that are here, each of both kinds. */
    static List<Target> targets() {
        return versions().stream()
                .flatMap(version -> Stream.of(new Target(version, true), new Target(version, false)))
                .toList();
    }

    /** Options with the headers of a version. */
    static CompileOptions options(Target target, CompileOptions options) {
        System.setProperty(Headers.PROPERTY, Natives.nvshmemHeaders(target.version()));
        System.setProperty(ShmemCompiler.DIRECT, Boolean.toString(target.direct()));
        try {
            return ShmemCompiler.codeOptions(options);
        } finally {
            System.clearProperty(Headers.PROPERTY);
            System.clearProperty(ShmemCompiler.DIRECT);
        }
    }

    /**
     * Whom a kernel's code calls, by name; or the register with the address. Not the loops of its moves and reductions,
     * which are functions of it.
     */
    static List<String> calls(KernelCode code) {
        return CALL.matcher(code.ptx())
                .results()
                .map(call -> call.group(1))
                .filter(name -> !name.startsWith("comm4j_copy_") && !name.contains("comm4j_reduce"))
                .toList();
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
