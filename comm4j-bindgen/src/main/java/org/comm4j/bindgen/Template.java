// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.Map;

/** Text with named gaps, {@code ${name}}. */
final class Template {
    private Template() {}

    /**
     * The text with its gaps filled.
     *
     * @throws IllegalArgumentException if a gap stays open
     */
    static String fill(String template, Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        int done = 0;
        for (int open = template.indexOf("${"); open >= 0; open = template.indexOf("${", done)) {
            int close = template.indexOf('}', open);
            String value = values.get(template.substring(open + 2, close));
            if (value == null) {
                throw new IllegalArgumentException("nothing to put for " + template.substring(open, close + 1));
            }
            text.append(template, done, open).append(value);
            done = close + 1;
        }
        return text.append(template, done, template.length()).toString();
    }
}
