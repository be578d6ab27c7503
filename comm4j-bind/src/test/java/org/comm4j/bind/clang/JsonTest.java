// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind.clang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static @Nullable Object read(String text) throws IOException {
        return new Json(new StringReader(text), Set.of("Wanted")).read();
    }

    @Test
    void objectsArraysTextsAndBareWords() throws IOException {
        assertThat(read(" {\"a\": [1, true, \"x\\n\\u0041\\\"\"], \"b\": {}} "))
                .isEqualTo(Map.of("a", List.of("1", "true", "x\nA\""), "b", Map.of()));
        assertThat(read("")).isNull();
    }

    @Test
    void unwantedKindsArePassedOver() throws IOException {
        String text =
                "[{\"id\": 1, \"kind\": \"Other\", \"inner\": [{\"kind\": \"Wanted\", \"s\": \"}\\\"\"}]}, {\"kind\":"
                        + " \"Wanted\"}]";
        assertThat(read(text)).isEqualTo(List.of(Map.of(), Map.of("kind", "Wanted")));
    }

    @Test
    void brokenText() {
        assertThatThrownBy(() -> read("{\"a\": [1, ")).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read("{\"a\" 1}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("':' belongs");
    }
}
