// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.util.Collection;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CUDA C++ with macros that define functions, and those of the functions that a kernel calls. */
final class TemplateSource {
    /** The macro's name, then the values: {@code m} is a minus sign. */
    private static final Pattern INSTANCE = Pattern.compile("(\\w+?)__of((?:_m?\\d+)*)");

    private TemplateSource() {}

    /** Returns the source with a use of the macro behind it for each function that one of its macros defines. */
    static String instantiated(String source, Collection<String> functions) {
        StringBuilder text = new StringBuilder(source);
        if (!source.endsWith("\n")) {
            text.append('\n');
        }
        for (String function : new TreeSet<>(functions)) {
            Matcher instance = INSTANCE.matcher(function);
            if (instance.matches() && source.contains("#define " + instance.group(1) + "(")) {
                text.append(instance.group(1)).append('(').append(function);
                text.append(instance.group(2).replace("_m", ", -").replace("_", ", "));
                text.append(")\n");
            }
        }
        return text.toString();
    }
}
