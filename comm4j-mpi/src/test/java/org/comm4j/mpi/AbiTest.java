// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.test.Gcc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of constants is what the headers say, as the C preprocessor reads them. */
class AbiTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = "STANDARD", mode = EnumSource.Mode.EXCLUDE)
    void header(MpiLibrary library) throws Exception {
        boolean openMpi = library.name().startsWith("OPEN_MPI");
        check(library.headers(), "mpi.h", openMpi ? Abi.Family.OPEN_MPI : Abi.Family.MPICH);
    }

    @Test
    void standardHeader() throws Exception {
        check(MpiLibrary.STANDARD.headers(), "mpi_abi.h", Abi.Family.STANDARD);
    }

    private void check(Path include, String header, Abi.Family family) throws IOException, InterruptedException {
        Gcc.require();
        List<String[]> rows =
                Abi.TABLE.strip().lines().map(line -> line.strip().split(" +")).toList();
        StringBuilder source = new StringBuilder("#include <" + header + ">\nint main(void) {\n");
        for (String[] row : rows) {
            String value = row[1 + family.ordinal()];
            String expected = value.startsWith("ompi_") ? "(long) (void *) &" + value : "(long) " + value;
            // Handles of 32 bits are compared as they are passed.
            String actual = "(long) MPI_" + row[0];
            source.append("    if (" + actual + " != " + expected + ") return " + (rows.indexOf(row) + 1) + ";\n");
        }
        long place = Abi.sourceInStatus(family);
        source.append("    if (__builtin_offsetof(MPI_Status, MPI_SOURCE) != " + place + ") return 99;\n");
        source.append("    if (__builtin_offsetof(MPI_Status, MPI_TAG) != " + (place + 4) + ") return 99;\n");
        source.append("    return 0;\n}\n");
        assertThat(rows).hasSizeGreaterThan(30);
        Path file = Files.writeString(folder.resolve("table.c"), source);
        Path binary = folder.resolve("table");
        List<String> command = new ArrayList<>(List.of("gcc", "-w", "-I" + include));
        if (family == Abi.Family.OPEN_MPI) {
            // The symbols need not be those of this version: each is compared with itself.
            command.add("-DOMPI_SKIP_MPICXX");
            command.add("-Wl,--unresolved-symbols=ignore-all");
            command.add(library(folder, rows).toString());
        }
        command.addAll(List.of("-o", binary.toString(), file.toString()));
        assertThat(run(command)).as("gcc").isZero();
        int code = run(List.of(binary.toString()));
        assertThat(code)
                .as(code > 0 && code < 99 ? "MPI_" + rows.get(code - 1)[0] : "MPI_Status")
                .isZero();
    }

    /** An object with the symbols, each of which has an address of its own. */
    private static Path library(Path folder, List<String[]> rows) throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder();
        for (String[] row : rows) {
            if (row[3].startsWith("ompi_")) {
                source.append("char " + row[3] + "[8];\n");
            }
        }
        Path file = Files.writeString(folder.resolve("symbols.c"), source);
        Path object = folder.resolve("symbols.o");
        assertThat(run(List.of("gcc", "-c", "-o", object.toString(), file.toString())))
                .isZero();
        return object;
    }

    private static int run(List<String> command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
