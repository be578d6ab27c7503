// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.bench.Json;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeLibrary.Place;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comm4j doctor}: what this machine offers, for the user and for bug reports. */
@Command(
        name = "doctor",
        description = "Show what this machine offers: engines, kernels, GPUs, native libraries, memory.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            description =
                    "Also list every place where a missing library was looked for, and what each MPI library can.")
    private boolean verbose;

    @Option(names = "--json", description = "Print everything as JSON.")
    private boolean json;

    /** Set by the process that asks: a library is initialised once in a process, and may end it. */
    @Option(names = MpiDoctor.OPTION, hidden = true)
    private boolean mpiFacts;

    @Override
    public void run() {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (mpiFacts) {
            out.println(MpiDoctor.answer());
            return;
        }
        if (json) {
            out.print(Json.write(all()));
            out.flush();
            return;
        }
        Doctor.VERDICTS.forEach(section -> print(out, section.get()));
        Doctor.machine().forEach((name, value) -> out.printf("%-9s %s%n", name, value));
        out.println();
        print(out, Doctor.devices());
        print(out, Doctor.libraries());
        List<String> warnings = Doctor.warnings();
        if (!warnings.isEmpty()) {
            out.println("Warnings:");
            warnings.forEach(warning -> out.println("  " + warning));
            out.println();
        }
        List<NativeLibrary> missing = Doctor.missing();
        if (verbose) {
            print(out, MpiDoctor.section());
            missing.forEach(library -> places(out, library));
        } else if (!missing.isEmpty()) {
            out.println("comm4j doctor -v lists where missing libraries were looked for.");
        }
    }

    private static void places(PrintWriter out, NativeLibrary library) {
        out.println(library.problem());
        out.println("Looked at:");
        library.places().forEach(place -> out.println("  " + place));
        out.println();
    }

    private static Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>(Doctor.machine());
        Doctor.VERDICTS.forEach(section -> put(all, section.get()));
        put(all, Doctor.devices());
        put(all, Doctor.libraries());
        put(all, MpiDoctor.section());
        all.put("warnings", Doctor.warnings());
        Map<String, Object> missing = new LinkedHashMap<>();
        for (NativeLibrary library : Doctor.missing()) {
            missing.put(
                    library.name().text(),
                    library.places().stream().map(Place::toString).toList());
        }
        all.put("looked at", missing);
        return all;
    }

    private static void put(Map<String, Object> all, Doctor.Section section) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (List<String> row : section.rows()) {
            Map<String, Object> cells = new LinkedHashMap<>();
            for (int column = 0; column < row.size(); column++) {
                cells.put(section.header().get(column), row.get(column));
            }
            rows.add(cells);
        }
        all.put(section.name(), rows);
    }

    /** Columns as wide as what is in them, the last one without an end. */
    private static void print(PrintWriter out, Doctor.Section section) {
        List<List<String>> all = new ArrayList<>(section.rows());
        all.addFirst(section.header());
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int index = column;
                int widest = all.stream()
                        .mapToInt(each -> each.get(index).length())
                        .max()
                        .orElse(0);
                line.append(row.get(column));
                if (column < row.size() - 1) {
                    line.repeat(' ', widest + 2 - row.get(column).length());
                }
            }
            out.println(line);
        }
        out.println();
    }
}
