// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.comm4j.array.Backend;
import org.comm4j.bench.Reports;
import org.jspecify.annotations.Nullable;

/** Rows as text and as JSON. */
public final class OperatorTable {
    private OperatorTable() {}

    /** Returns the lines above the rows. */
    public static List<String> header(Backend backend, OperatorSettings settings) {
        return List.of(
                "# " + backend.compute().name() + ", " + backend.size()
                        + (backend.size() == 1 ? " rank" : " ranks") + ", engine "
                        + backend.communicator().engine() + ", " + settings.type() + ", matrices by "
                        + backend.compute().blas().name()
                        + (backend.overlaps() ? "" : ", no overlap"),
                "# median of " + settings.rounds()
                        + " rounds; bytes are the least that an operation has to move; share is of a copy's rate",
                "#",
                String.format(
                        Locale.ROOT,
                        "# %-36s %-18s %12s %14s %9s %7s",
                        "operation",
                        "shape",
                        "us",
                        "bytes",
                        "GB/s",
                        "share"));
    }

    /** Returns the line of a row. */
    public static String row(OperatorRow row) {
        return String.format(
                Locale.ROOT,
                "  %-36s %-18s %12.2f %14d %9.1f %7.3f",
                row.name(),
                row.shape(),
                row.micros(),
                row.bytes(),
                row.rate(),
                row.share());
    }

    /** Returns all rows for programs. */
    public static String json(Backend backend, OperatorSettings settings, List<OperatorRow> rows) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("program", "comm4j bench operators");
        report.put("device", backend.compute().name());
        report.put("ranks", backend.size());
        report.put("engine", backend.communicator().engine());
        report.put("type", settings.type().toString());
        report.put("blas", backend.compute().blas().name());
        report.put("rounds", settings.rounds());
        report.put("operators", rows.stream().map(OperatorTable::map).toList());
        return Reports.json(report);
    }

    private static Map<String, @Nullable Object> map(OperatorRow row) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("operation", row.name());
        map.put("shape", row.shape());
        map.put("us", row.micros());
        map.put("bytes", row.bytes());
        map.put("share_of_copy", row.share());
        return map;
    }
}
