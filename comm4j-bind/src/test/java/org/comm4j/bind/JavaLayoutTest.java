// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The layout of generated Java. */
class JavaLayoutTest {
    @Test
    void bracesIndentAndEmptyLinesAreSingle() {
        assertThat(JavaLayout.of("class A {\n\n/**\n * Of {.\n */\nint f() {\nreturn '{';\n}\n\n\nint g;\n\n}\n"))
                .isEqualTo("""
                    class A {
                        /**
                         * Of {.
                         */
                        int f() {
                            return '{';
                        }

                        int g;
                    }
                    """);
    }

    @Test
    void longLinesAreBrokenAtCommasOutsideOfQuotes() {
        String quoted = "\"" + "x, ".repeat(25) + "\"";
        String arguments = "first" + ", " + quoted + ", " + "argument".repeat(3) + ", last";
        assertThat(JavaLayout.of("class A {\nvoid f() {\nreturn call(" + arguments + ");\n}\n}\n"))
                .isEqualTo("class A {\n    void f() {\n        return call(first, " + quoted + ",\n                "
                        + "argument".repeat(3) + ", last);\n    }\n}\n");
    }

    @Test
    void noLineIsLongerWhereItCanBeBroken() {
        String sum = "int x = " + "alpha + ".repeat(40) + "1;";
        assertThat(JavaLayout.of(sum).lines().toList())
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
        assertThat(JavaLayout.of(sum).replaceAll("\\s+", " ").strip()).isEqualTo(sum);
    }
}
