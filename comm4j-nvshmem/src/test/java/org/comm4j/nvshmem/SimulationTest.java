// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation has each function that its version of NVSHMEM has, by the table from which the bindings are generated.
 */
@SuppressWarnings("restricted") // looks into a library of its own
class SimulationTest {
    private static final Path TABLE = Path.of("../comm4j-bindgen/src/tables/nvshmem.txt");

    private record Function(String name, boolean newer) {}

    private static List<Function> functions() throws IOException {
        List<Function> functions = new ArrayList<>();
        String family = "";
        boolean newer = false;
        for (String line : Files.readAllLines(TABLE)) {
            String[] words = line.strip().split(" ");
            switch (words[0]) {
                case "function" -> functions.add(new Function(words[1], words.length > 2));
                case "family" -> {
                    family = words[1];
                    newer = words.length > 2;
                }
                case "members" -> {
                    for (int i = 1; i < words.length; i++) {
                        functions.add(new Function(family.replaceAll("<[TN]>", words[i]), newer));
                    }
                }
                default -> {}
            }
        }
        return functions;
    }

    @ParameterizedTest
    @EnumSource
    void hasTheFunctionsOfItsVersion(Simulation.Version version) throws IOException {
        Simulation.require();
        List<Function> functions = functions();
        assertThat(functions).hasSizeGreaterThan(1400);
        assertThat(functions.stream().filter(Function::newer)).hasSizeGreaterThan(10);
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup library = SymbolLookup.libraryLookup(Simulation.compiled(version), arena);
            for (Function function : functions) {
                assertThat(library.find(function.name()).isPresent())
                        .as(function.name())
                        .isEqualTo(!function.newer() || version == Simulation.Version.NEWEST);
            }
        }
    }
}
