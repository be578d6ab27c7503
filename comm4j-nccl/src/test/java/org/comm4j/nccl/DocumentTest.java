// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.cuda.Cuda;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/nccl.md}: its programs over a simulated NCCL 2.28, its tables, and the names in it. */
@Timeout(300)
class DocumentTest {
    private static final Path SYMBOLS = Path.of("../comm4j-bindgen/src/tables/nccl.txt");

    private static final Pattern FUNCTION = Pattern.compile("(?m)^function (\\w+)(?: since (\\S+))?$");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    /** A class, perhaps one inside another one, and perhaps what it has; arguments do not matter. */
    private static final Pattern NAME = Pattern.compile("((?:[A-Z]\\w*\\.)*)(\\w+)(?:\\(.*)?");

    private static final List<String> PACKAGES =
            List.of("org.comm4j.nccl.", "org.comm4j.cuda.", "org.comm4j.core.", "java.lang.", "java.util.");

    @TempDir
    static Path folder;

    @BeforeAll
    static void beforeNcclIsLoaded() {
        Simulation.prepare();
    }

    @TestFactory
    List<DynamicTest> programsPrintWhatTheTextSays() throws IOException {
        Simulation.require();
        return DocumentPrograms.tests(folder, Cuda.deviceCount());
    }

    /** What an older library lacks is told as the text says. */
    @Test
    void messagesOfAnOlderLibrary() throws IOException {
        List<String> told = new ArrayList<>();
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            for (ThrowingCallable newer : List.<ThrowingCallable>of(
                    () -> comm.with(CollConfig.DEFAULT),
                    comm::properties,
                    () -> comm.split(0, 0, CommConfig.DEFAULT.rmaSignals(2)))) {
                told.add(String.valueOf(catchThrowableOfType(UnsupportedOperationException.class, newer)
                                .getMessage())
                        .replaceAll("\\(/.*\\)", "(…)"));
            }
        });
        assertThat(section("Versions")).contains(String.join("\n", told));
    }

    // ---- tables ----

    private static String section(String title) throws IOException {
        String text = Files.readString(DocumentPrograms.DOCUMENT);
        String heading = "\n## " + title + "\n";
        assertThat(text).contains(heading);
        String rest = text.substring(text.indexOf(heading) + heading.length());
        int end = rest.indexOf("\n## ");
        return end < 0 ? rest : rest.substring(0, end);
    }

    /** The cells of each row, without the heading. */
    private static List<String[]> rows(String title) throws IOException {
        return section(title)
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .map(line -> line.substring(2, line.length() - 1).split(" ?\\| ?", -1))
                .toList();
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text).results().map(match -> match.group(1)).toList();
    }

    /**
     * Every function is in one row, with the version that has it, and with methods that exist or with the reason why
     * there is none.
     */
    @Test
    void theTableHasEveryFunction() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        Matcher function = FUNCTION.matcher(Files.readString(SYMBOLS));
        while (function.find()) {
            expected.put(function.group(1), function.group(2) == null ? "" : function.group(2));
        }
        Map<String, String> told = new TreeMap<>();
        TreeSet<String> without = new TreeSet<>();
        for (String[] row : rows("Every function of NCCL")) {
            for (String name : codes(row[0])) {
                assertThat(told.put(name, row[2].strip()))
                        .as(name + " is in two rows")
                        .isNull();
            }
            List<String> methods = codes(row[1]).stream()
                    .filter(name -> !name.startsWith("nccl"))
                    .toList();
            if (row[1].startsWith("none: ")) {
                without.addAll(codes(row[0]));
            } else {
                assertThat(methods).as(row[0]).isNotEmpty();
            }
            assertThat(methods).as(row[0]).allMatch(name -> exists(name, NcclCommunicator.class));
        }
        assertThat(told).isEqualTo(expected);
        assertThat(without).isEqualTo(new TreeSet<>(SurfaceTest.LEFT_OUT.keySet()));
    }

    @Test
    void theNamesForUsersOfPythonExist() throws IOException {
        List<String[]> rows = rows("For users of nccl4py");
        assertThat(rows).hasSizeGreaterThan(20);
        for (String[] row : rows) {
            assertThat(row).as(row[0]).hasSize(2);
            assertThat(codes(row[1]).stream().filter(name -> !name.contains(" ")))
                    .as(row[0])
                    .allMatch(name -> exists(name, null));
        }
    }

    /** What the text calls {@code Class.member}, before the names of Python. */
    @Test
    void theNamesInTheTextExist() throws IOException {
        String text = Files.readString(DocumentPrograms.DOCUMENT);
        String prose =
                text.substring(0, text.indexOf("\n## For users of nccl4py")).replaceAll("(?ms)^```.*?^```$", "");
        TreeSet<String> names = codes(prose).stream()
                .filter(name -> name.matches("[A-Z]\\w*\\.\\w+.*") && !name.endsWith(".java"))
                .collect(toCollection(TreeSet::new));
        assertThat(names).hasSizeGreaterThan(60);
        names.removeIf(name -> exists(name, null));
        assertThat(names).isEmpty();
    }

    // ---- names ----

    /**
     * Whether there is such a class, method or constant; {@code otherwise} is where to look for names without a class.
     */
    private static boolean exists(String text, @Nullable Class<?> otherwise) {
        Matcher name = NAME.matcher(text);
        if (!name.matches()) {
            return false;
        }
        String type = name.group(1).isEmpty()
                ? ""
                : name.group(1).substring(0, name.group(1).length() - 1);
        String last = name.group(2);
        if (isClass(type.isEmpty() ? last : type + "." + last)) {
            return true;
        }
        Class<?> owner = type.isEmpty() ? otherwise : find(type);
        return owner != null
                && Stream.concat(
                                Arrays.stream(owner.getMethods()).map(Method::getName),
                                Arrays.stream(owner.getFields()).map(Field::getName))
                        .anyMatch(last::equals);
    }

    private static boolean isClass(String name) {
        return Character.isUpperCase(name.charAt(0)) && find(name) != null;
    }

    private static @Nullable Class<?> find(String name) {
        return PACKAGES.stream()
                .map(where -> load(where + name.replace('.', '$')))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, false, DocumentTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
