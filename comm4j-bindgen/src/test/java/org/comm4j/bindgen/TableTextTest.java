// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TableTextTest {
    @ParameterizedTest
    @EnumSource(Library.class)
    void readAndWrittenIsTheSame(Library library) {
        assertThat(TableText.write(Checkout.table(library))).isEqualTo(Checkout.text(library));
    }

    @Test
    void theLineAtFaultIsNamed() {
        assertThatThrownBy(() -> TableText.read("library Lib\nversions 1\n\nhandel libThing_t\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("symbol table, line 4: cannot read \"handel libThing_t\"");
        assertThatThrownBy(() -> TableText.read("library Lib\nversions 1\nfunction libOpen\n    int libShut()\n"))
                .hasMessageContaining("line 4")
                .hasMessageContaining("int libShut()");
    }

    @Test
    void aPointerToAFunctionIsOneParameter() {
        SymbolTable table = TableText.read(
                "library Lib\nversions 1\nfunction libSet\n    int libSet(int (*)(void *, void *) callback, void * data)\n");
        assertThat(table.functions().getFirst().parameters())
                .containsExactly(
                        new SymbolTable.Declaration("int (*)(void *, void *)", "callback"),
                        new SymbolTable.Declaration("void *", "data"));
    }
}
