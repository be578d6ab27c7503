// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Map;

/** Results of other packages as text for programs. */
public final class Reports {
    private Reports() {}

    /** JSON of maps, lists, numbers and strings; what is no number to JSON (NaN, infinity) is null. */
    public static String json(Map<String, ?> report) {
        return Json.write(report);
    }
}
