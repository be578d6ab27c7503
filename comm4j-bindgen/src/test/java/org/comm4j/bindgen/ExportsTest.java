// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bindgen.SymbolTable.Family;
import org.comm4j.bindgen.SymbolTable.Function;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The libraries export what the symbol tables say, no less and, where the table has versions, no more. */
class ExportsTest {
    static final List<String> NCCL_VERSIONS = Natives.NCCL_VERSIONS;
    static final List<String> NVSHMEM_VERSIONS = Natives.NVSHMEM_VERSIONS;

    /** That of a JVM: a library that is loaded once more is the same. */
    @SuppressWarnings("restricted") // looking into libraries
    private static SymbolLookup open(Path file) {
        return SymbolLookup.libraryLookup(file, Arena.global());
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\.")).mapToInt(Integer::parseInt).toArray();
    }

    @ParameterizedTest
    @FieldSource("NCCL_VERSIONS")
    void ncclHasTheFunctionsOfItsVersion(String version) {
        Optional<Path> file = Natives.nccl(version);
        assumeTrue(file.isPresent(), Natives.missing("nvidia-nccl-cu13-" + version));
        SymbolLookup library = open(file.orElseThrow());
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (Function f : Checkout.table(Library.NCCL).functions()) {
            if (f.since().isEmpty() || Arrays.compare(numbers(f.since()), numbers(version)) <= 0) {
                expected.add(f.name());
            }
            if (library.find(f.name()).isPresent()) {
                found.add(f.name());
            }
        }
        assertThat(found).as("functions of NCCL %s", version).isEqualTo(expected);
        Library.NOT_EXPORTED
                .keySet()
                .forEach(name -> assertThat(library.find(name)).as(name).isEmpty());
    }

    @Test
    void ncclTableHasAllThatTheNewestLibraryExports() throws IOException {
        Optional<Path> file = Natives.nccl(NCCL_VERSIONS.getLast());
        assumeTrue(file.isPresent(), Natives.missing("nvidia-nccl-cu13-" + NCCL_VERSIONS.getLast()));
        Set<String> exported = exported(file.orElseThrow(), "nccl[A-Z]\\w*");
        // In no header.
        exported.remove("ncclResetDebugInitInternal");
        assertThat(Checkout.table(Library.NCCL).functions().stream().map(Function::name))
                .containsExactlyInAnyOrderElementsOf(exported)
                .hasSize(96);
    }

    /** Functions, by what nm shows. */
    private static Set<String> exported(Path library, String names) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/nm")), "no /usr/bin/nm");
        Process nm = new ProcessBuilder("/usr/bin/nm", "-D", "--defined-only", library.toString()).start();
        return nm.inputReader()
                .lines()
                .map(line -> line.split(" "))
                .filter(words -> words[1].matches("[TW]"))
                .map(words -> words[2].replaceFirst("@.*", ""))
                .filter(name -> name.matches(names))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Each version has the functions that the table gives it, and no others. */
    @ParameterizedTest
    @FieldSource("NVSHMEM_VERSIONS")
    void nvshmemHasTheFunctionsOfItsVersion(String version) throws IOException {
        Optional<Path> file = Natives.nvshmem(version);
        assumeTrue(file.isPresent(), Natives.missing("nvidia-nvshmem-cu13-" + version));
        // Not the aliases that only inline functions call, and one that no header declares.
        Set<String> exported = exported(file.orElseThrow(), "nvshmemx?_\\w+");
        exported.remove("nvshmem_debug_log");
        SymbolTable table = Checkout.table(Library.NVSHMEM);
        List<String> expected = new ArrayList<>();
        Stream.concat(
                        table.functions().stream().map(function -> new Family(function, List.of(""))),
                        table.families().stream())
                .filter(family -> family.function().since().isEmpty()
                        || Arrays.compare(numbers(family.function().since()), numbers(version)) <= 0)
                .forEach(family -> expected.addAll(family.names()));
        assertThat(expected).containsExactlyInAnyOrderElementsOf(exported);
        assertThat(expected).hasSize(version.equals("3.4.5") ? 1475 : 1492);
    }

    @ParameterizedTest
    @CsvSource({
        "NVRTC, nvidia-cuda-nvrtc, libnvrtc.so.13",
        "NVJITLINK, nvidia-nvjitlink, libnvJitLink.so.13",
        "NVVM, nvidia-nvvm, libnvvm.so.4",
        "CUBLAS, nvidia-cublas, libcublas.so.13",
        "CUFFT, nvidia-cufft, libcufft.so.12"
    })
    void theOthersHaveTheirFunctions(Library compiler, String wheel, String soname) {
        Optional<Path> folder = Natives.find(wheel);
        assumeTrue(folder.isPresent(), Natives.missing(wheel));
        SymbolLookup library =
                open(folder.orElseThrow().resolve("nvidia/cu13/lib").resolve(soname));
        assertThat(Checkout.table(compiler).functions())
                .isNotEmpty()
                .allSatisfy(f -> assertThat(library.find(f.symbols().getFirst()))
                        .as(f.name())
                        .isPresent());
    }
}
