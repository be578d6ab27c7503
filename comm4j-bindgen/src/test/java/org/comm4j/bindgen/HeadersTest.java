// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.comm4j.bind.clang.Clang;
import org.comm4j.bindgen.SymbolTable.Constant;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Handle;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Headers to symbol tables, by clang. */
@Tag("nightly")
class HeadersTest {
    @BeforeEach
    void needsClang() {
        assumeTrue(Clang.isPresent(), "no clang on the PATH");
    }

    @ParameterizedTest
    @EnumSource(Library.class)
    void checkedInTableIsThatOfTheHeaders(Library library) {
        if (library == Library.OPENSHMEM) {
            assumeTrue(Tables.openshmemInclude().isPresent(), "no shmem.h of Open MPI; dev/oshmem installs it");
        } else {
            needsHeaders();
        }
        assertThat(TableText.write(Tables.read(library)))
                .as("%s: dev/bindgen tables makes it anew", library.source().tableFile())
                .isEqualTo(Checkout.text(library));
    }

    @Test
    void checkedInTableOfDeviceFunctionsIsThatOfTheHeaders() throws IOException {
        needsHeaders();
        assertThat(TableText.write(NvshmemDevice.read()))
                .as("%s: dev/bindgen tables makes it anew", NvshmemDevice.TABLE)
                .isEqualTo(Files.readString(Checkout.TABLES.resolve(NvshmemDevice.TABLE)));
    }

    private static void needsHeaders() {
        for (String wheel : List.of(
                "nvidia-cuda-runtime",
                "nvidia-cuda-crt",
                "nvidia-cuda-cccl",
                "nvidia-cuda-nvrtc",
                "nvidia-nvjitlink",
                "nvidia-nvvm")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        for (String version : Natives.NVSHMEM_VERSIONS) {
            assumeTrue(Natives.nvshmem(version).isPresent(), Natives.missing("nvidia-nvshmem-cu13-" + version));
        }
        for (String version : Natives.NCCL_VERSIONS) {
            assumeTrue(Natives.nccl(version).isPresent(), Natives.missing("nvidia-nccl-cu13-" + version));
        }
    }

    private static Headers headers(String text) {
        return new Headers(new Clang("c", List.of()), text, Pattern.compile("LIB_\\w+"));
    }

    private static SymbolTable table(String text, String... functions) {
        Headers headers = headers(text);
        SymbolTable table = new SymbolTable("Lib", List.of("1"));
        for (String function : functions) {
            table.functions().add(headers.function(function, headers.symbol(function), "", true));
        }
        headers.addTypes(table, List.of(), "1");
        return table;
    }

    @Test
    void prototypesWithTheirComments() {
        SymbolTable table = table("""
            typedef struct libThing* libThing_t;
            /* Opens.
             * At once. */
            int libOpen(libThing_t* out, const char* const* names, const void *data, unsigned long long bytes, int flags[3]);
            """, "libOpen");
        assertThat(TableText.prototype(table.functions().getFirst()))
                .isEqualTo("int libOpen(libThing_t * out, const char * const* names, const void * data,"
                        + " unsigned long long bytes, int * flags)");
        assertThat(table.functions().getFirst().documentation()).isEqualTo("Opens.\nAt once.");
        assertThat(table.handles()).containsExactly(new Handle("libThing_t"));
    }

    @Test
    void redirectedNamesLeadToTheirSymbols() {
        SymbolTable table = table("""
            #define PER_THREAD(f) f
            #define libOpen PER_THREAD(libOpen_v2)
            void libOpen_v2(void);
            """, "libOpen");
        assertThat(table.functions().getFirst().name()).isEqualTo("libOpen");
        assertThat(table.functions().getFirst().symbols()).containsExactly("libOpen_v2");
    }

    @Test
    void structsWithTheirEnumsAndAliases() {
        SymbolTable table = table("""
            typedef unsigned int libSize;
            typedef enum { libA, libB = 5, libC, libMinus = -(1 << 3) } libKind_t;
            typedef void (*libCall)(void*);
            typedef struct libOptions_v1 {
                libKind_t kind;
                union { int i; const char* s; } value;
                struct { short a; };
                libSize sizes[2];
                struct libOptions_v1* next;
                libCall call;
            } libOptions_t;
            void libSet(const libOptions_t* options);
            """, "libSet");
        assertThat(table.structs().getFirst().name()).isEqualTo("libOptions_t");
        assertThat(table.structs().getFirst().newest().fields())
                .containsExactly(
                        new Declaration("libKind_t", "kind"),
                        new Declaration("union { int i; const char * s; }", "value"),
                        new Declaration("struct { short a; }", "-"),
                        new Declaration("libSize[2]", "sizes"),
                        new Declaration("libOptions_t *", "next"),
                        new Declaration("libCall", "call"));
        assertThat(table.enums().getFirst().constants())
                .containsExactly(
                        new Constant("libA", 0, ""),
                        new Constant("libB", 5, ""),
                        new Constant("libC", 6, ""),
                        new Constant("libMinus", -8, ""));
        assertThat(table.aliases()).containsEntry("libSize", "unsigned int");
        assertThat(table.callbacks()).containsEntry("libCall", "void (*)(void *)");
        assertThat(TableText.read(TableText.write(table))).isEqualTo(table);
    }

    @Test
    void macrosThatAreNumbers() {
        Headers headers = headers("""
            #define LIB_FLAG (1u << 31)
            #define LIB_LOWEST (-2147483647 - 1)
            #define LIB_NAME "lib"
            #define LIB_CALL(x) x
            """);
        assertThat(headers.constants())
                .containsExactly(
                        new Constant("LIB_FLAG", 1L << 31, ""), new Constant("LIB_LOWEST", Integer.MIN_VALUE, ""));
    }

    @Test
    void whatIsNotThere() {
        Headers headers = headers("void libOpen(void);");
        assertThatThrownBy(() -> headers.function("libShut", "libShut", "", false))
                .hasMessage("the headers declare no function libShut");
        SymbolTable table = new SymbolTable("Lib", List.of("1"));
        Headers bits = headers("typedef struct { int a : 3; } libBits; void libSet(libBits* bits);");
        table.functions().add(bits.function("libSet", "libSet", "", false));
        assertThatThrownBy(() -> bits.addTypes(table, List.of(), "1")).hasMessageContaining("a is a bit field");
    }
}
