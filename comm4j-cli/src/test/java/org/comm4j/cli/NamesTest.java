// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The page that translates names has only such as exist. */
class NamesTest {
    private static final Path PAGE = Path.of("..", "docs", "names.md");

    /** In this order, as a team of the page is NVSHMEM's. */
    private static final List<String> PACKAGES = List.of(
            "org.comm4j.core.",
            "org.comm4j.cuda.",
            "org.comm4j.kernel.",
            "org.comm4j.kernel.lang.",
            "org.comm4j.nvshmem.",
            "org.comm4j.device.",
            "org.comm4j.shmem.",
            "java.lang.");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @Test
    void theNamesExist() throws IOException {
        List<String> missing = new ArrayList<>();
        int names = 0;
        for (String line : Files.readAllLines(PAGE)) {
            if (!line.startsWith("| ") || line.endsWith("| here |")) {
                continue;
            }
            String[] cells = line.split(" \\| ");
            List<String> codes = CODE.matcher(cells[cells.length - 1])
                    .results()
                    .map(code -> code.group(1))
                    .filter(code -> Character.isUpperCase(code.charAt(0)))
                    .toList();
            names += codes.size();
            codes.stream().filter(code -> !exists(code)).forEach(missing::add);
        }
        assertThat(missing).isEmpty();
        assertThat(names).isGreaterThan(150);
    }

    private static boolean exists(String name) {
        String[] parts = name.split("\\.");
        return PACKAGES.stream()
                .map(prefix -> type(prefix + parts[0]))
                .filter(Objects::nonNull)
                .anyMatch(type -> parts.length == 1 || members(type).anyMatch(parts[1]::equals));
    }

    private static @Nullable Class<?> type(String name) {
        try {
            return Class.forName(name, false, NamesTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** The public members of a class, with those that it inherits. */
    private static Stream<String> members(Class<?> type) {
        return Stream.concat(
                Stream.of(type.getMethods()).map(Method::getName),
                Stream.of(type.getFields()).map(Field::getName));
    }
}
