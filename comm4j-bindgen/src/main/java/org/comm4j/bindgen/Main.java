// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code dev/bindgen} runs. */
public final class Main {
    private Main() {}

    /**
     * Writes symbol tables, or Java from them.
     *
     * @param arguments {@code tables FOLDER}: reads the headers and writes the symbol tables; {@code java FOLDER FFI
     *     DEVICE}: reads these and writes the Java files below the source roots of comm4j-ffi and comm4j-device
     */
    public static void main(String... arguments) throws IOException {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("tables or java, with arguments");
        }
        Path tables = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "tables" -> {
                for (Library library : Library.values()) {
                    SymbolTable table = Tables.read(library);
                    Files.writeString(tables.resolve(library.source().tableFile()), TableText.write(table));
                    System.out.println(
                            library.source().name() + ": " + table.functions().size() + " functions");
                }
                Files.writeString(tables.resolve(NvshmemDevice.TABLE), TableText.write(NvshmemDevice.read()));
            }
            case "java" -> {
                Bindings.write(Bindings.files(tables), Path.of(arguments[2]));
                Bindings.write(Bindings.deviceFiles(tables), Path.of(arguments[3]));
            }
            default -> throw new IllegalArgumentException("tables or java, not " + arguments[0]);
        }
    }
}
