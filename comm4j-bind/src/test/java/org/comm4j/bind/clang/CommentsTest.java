// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comments of a file whose lines the preprocessor has left as they are, but for comments and directives. */
class CommentsTest {
    @TempDir
    Path folder;

    /** Returns the lines that come back for a file, without markers and blank ones. */
    private List<String> restored(String source, String flat) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.cuh"), source);
        return Comments.into("# 1 \"" + file + "\"\n" + flat, name -> true)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("# "))
                .toList();
    }

    @Test
    void theCommentBeforeADeclarationComesBack() throws IOException {
        String source = "/** One.\n * More.\n */\nint a;\n\n// Two.\n#if 1\n#endif\nint b;\n";
        assertThat(restored(source, "\n\n\nint a;\n\n\n\n\nint b;\n"))
                .containsExactly("/** One.", " * More.", " */", "int a;", "// Two.", "int b;");
    }

    @Test
    void theCommentBehindADeclarationComesBack() throws IOException {
        assertThat(restored("int a; // one\nint b; /* two */\nint c; ///< three\n", "int a;\nint b;\nint c;\n"))
                .containsExactly("int a; /**< one */", "int b; /**< two */", "int c; /**< three */");
    }

    /** Half a comment would be code. */
    @Test
    void aCommentThatSharesALineWithCodeDoesNotComeBackInPart() throws IOException {
        String source = """
                /* ends
                */ int z;
                int a; /* begins behind code
                   and goes on */
                int b;
                /* ends before
                   code */ int c;
                int d;
                """;
        assertThat(restored(source, "\n   int z;\nint a;\n\nint b;\n\n        int c;\nint d;\n"))
                .containsExactly("   int z;", "int a;", "int b;", "        int c;", "int d;");
    }

    @Test
    void whatOnlyLooksLikeAComment() throws IOException {
        String source = "char a[] = \"// none\";\nchar b = '\"'; // one\nchar c[] = R\"x(/* )\" )x\";\nint d;\n";
        String flat = "char a[] = \"// none\";\nchar b = '\"';\nchar c[] = R\"x(/* )\" )x\";\nint d;\n";
        assertThat(restored(source, flat))
                .containsExactly(
                        "char a[] = \"// none\";",
                        "char b = '\"'; /**< one */",
                        "char c[] = R\"x(/* )\" )x\";",
                        "int d;");
    }

    /** A comment of what is left out by a directive is not another declaration's. */
    @Test
    void commentsOfInactiveCodeStayAway() throws IOException {
        String source = "#if 0\n/** Another. */\nint other;\n#endif\nint a;\n";
        assertThat(restored(source, "\n\n\n\nint a;\n")).containsExactly("int a;");
    }
}
