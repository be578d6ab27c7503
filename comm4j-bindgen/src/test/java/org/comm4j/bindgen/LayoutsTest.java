// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.bindgen.CTypes.Field;
import org.comm4j.bindgen.CTypes.Placed;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Layout;
import org.comm4j.bindgen.SymbolTable.Struct;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.FieldSource;

/** Sizes and offsets as the C compiler computes them from the headers. */
class LayoutsTest {
    static final List<String> NCCL_VERSIONS = Natives.NCCL_VERSIONS;
    static final List<String> NVSHMEM_VERSIONS = Natives.NVSHMEM_VERSIONS;

    @TempDir
    Path folder;

    @ParameterizedTest
    @FieldSource("NCCL_VERSIONS")
    void ofNccl(String version) throws IOException, InterruptedException {
        for (String wheel :
                List.of("nvidia-nccl-cu13-" + version, "nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        check(Library.NCCL, version, "g++", Tables.ncclIncludes(version));
    }

    @ParameterizedTest
    @FieldSource("NVSHMEM_VERSIONS")
    void ofNvshmem(String version) throws IOException, InterruptedException {
        for (String wheel : List.of(
                "nvidia-nvshmem-cu13-" + version, "nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        check(Library.NVSHMEM, version, "g++", Tables.nvshmemIncludes(version));
    }

    @ParameterizedTest
    @EnumSource(
            value = Library.class,
            names = {"NCCL", "NVSHMEM", "OPENSHMEM", "CUFFT", "CBLAS", "MPI"},
            mode = Mode.EXCLUDE)
    void ofTheOthers(Library library) throws IOException, InterruptedException {
        String wheel = switch (library) {
            case CUBLAS -> "nvidia-cublas";
            case CUDA -> "nvidia-cuda-runtime";
            case NVRTC -> "nvidia-cuda-nvrtc";
            case NVJITLINK -> "nvidia-nvjitlink";
            case NVVM -> "nvidia-nvvm";
            case NCCL, NVSHMEM -> throw new IllegalArgumentException("has its own test");
            case OPENSHMEM, CUFFT, CBLAS, MPI -> throw new IllegalArgumentException("has no structs");
        };
        assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        List<Path> includes = new ArrayList<>();
        for (String each : List.of(wheel, "nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl")) {
            assumeTrue(Natives.find(each).isPresent(), Natives.missing(each));
            includes.add(Natives.folder(each).resolve("nvidia/cu13/include"));
        }
        String compiler = library == Library.CUBLAS ? "g++" : "gcc";
        check(library, Checkout.table(library).versions().getLast(), compiler, includes);
    }

    /** Compiles and runs a program that prints sizes and offsets, and compares with those of the symbol table. */
    private void check(Library library, String version, String compiler, List<Path> includes)
            throws IOException, InterruptedException {
        assumeTrue(succeeds(List.of(compiler, "--version")), "no " + compiler + " on the PATH");
        SymbolTable table = Checkout.table(library);
        CTypes types = new CTypes(table);
        List<String> expected = new ArrayList<>();
        StringBuilder body = new StringBuilder();
        for (Struct struct : table.structs()) {
            if (table.versions().indexOf(struct.layouts().getFirst().since())
                    > table.versions().indexOf(version)) {
                continue;
            }
            // Until a typedef came the struct went by its tag.
            String name = library == Library.NCCL && isBefore(struct, version) ? tag(struct.name()) : struct.name();
            Placed placed = types.place(types.layoutOf(struct.name(), version));
            expected.add(struct.name() + " " + placed.bytes());
            body.append("    printf(\"%s %%zu\\n\", sizeof(%s));\n".formatted(struct.name(), name));
            for (Field field : placed.fields()) {
                expected.add(struct.name() + "." + field.path() + " " + field.offset() + " " + field.bytes());
                body.append("    printf(\"%s.%s %%zu %%zu\\n\", offsetof(%s, %s), sizeof(((%s*) 0)->%s));\n"
                        .formatted(struct.name(), field.path(), name, field.path(), name, field.path()));
            }
        }
        Path source = folder.resolve("probe.c");
        Files.writeString(
                source,
                "#include <stddef.h>\n#include <stdio.h>\n" + library.source().text() + "int main(void) {\n" + body
                        + "    return 0;\n}\n");
        List<String> command = new ArrayList<>(List.of(compiler, "-w"));
        includes.forEach(include -> command.add("-I" + include));
        command.addAll(List.of(source.toString(), "-o", folder.resolve("probe").toString()));
        if (compiler.equals("g++")) {
            command.addAll(1, List.of("-x", "c++"));
        }
        Process compilation =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        String messages = new String(compilation.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compilation.waitFor()).as(messages).isZero();
        Process probe = new ProcessBuilder(folder.resolve("probe").toString()).start();
        assertThat(probe.inputReader().lines().toList()).isEqualTo(expected);
    }

    private static boolean isBefore(Struct struct, String version) {
        return struct.name().equals("ncclWindow_vidmem_t") && version.equals("2.28.9");
    }

    private static String tag(String typedef) {
        return typedef.substring(0, typedef.length() - 2);
    }

    private static boolean succeeds(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    // ---- the rules by themselves ----

    private static Placed place(boolean union, Declaration... fields) {
        SymbolTable table = new SymbolTable("Lib", List.of("1", "2"));
        table.structs()
                .add(new Struct(
                        "libPair",
                        List.of(
                                new Layout("1", false, List.of(new Declaration("char", "a"))),
                                new Layout(
                                        "2",
                                        false,
                                        List.of(new Declaration("char", "a"), new Declaration("double", "b"))))));
        return new CTypes(table).place(new Layout("2", union, List.of(fields)));
    }

    @Test
    void fieldsAreAlignedAndTheEndIsPadded() {
        Placed placed = place(
                false, new Declaration("char", "c"), new Declaration("int[3]", "i"), new Declaration("char", "d"));
        assertThat(placed.fields()).extracting(Field::offset).containsExactly(0L, 4L, 16L);
        assertThat(placed.bytes()).isEqualTo(20);
    }

    @Test
    void nestedStructsAreThoseOfTheVersion() {
        Placed placed = place(false, new Declaration("char", "c"), new Declaration("libPair", "pair"));
        assertThat(placed.fields().getLast().offset()).isEqualTo(8);
        assertThat(placed.bytes()).isEqualTo(24);
    }

    @Test
    void fieldsOfNamelessStructsStandForThemselves() {
        Placed placed = place(
                false,
                new Declaration("int", "kind"),
                new Declaration("union { int i; void * p; }", "value"),
                new Declaration("struct { short a; short b; }", "-"));
        assertThat(placed.fields())
                .extracting(Field::name)
                .containsExactly("kind", "value", "value_i", "value_p", "a", "b");
        assertThat(placed.fields()).extracting(Field::offset).containsExactly(0L, 8L, 8L, 8L, 16L, 18L);
        assertThat(placed.bytes()).isEqualTo(24);
    }

    @Test
    void aUnionIsAsLargeAsItsLargestField() {
        Placed placed = place(true, new Declaration("char[9]", "c"), new Declaration("double", "d"));
        assertThat(placed.fields()).extracting(Field::offset).containsOnly(0L);
        assertThat(placed.bytes()).isEqualTo(16);
    }
}
