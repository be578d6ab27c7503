// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Arguments of a template that the call of a kernel gives. Types are fixed, one Java method for each; values are
 * constants of the call, in Java the method's first parameters.
 *
 * @param template the template with its namespaces
 * @param arguments in C++, with the macro parameters {@code V0}, {@code V1}, … for values
 * @param values the parameters that are values
 * @param extra what tells the method from others of the same Java types, in its name
 */
record Gaps(String template, List<String> arguments, List<Value> values, String extra) {
    /**
     * A template's parameter that is a value.
     *
     * @param tried the value that clang and NVRTC instantiate it with
     */
    record Value(String name, DeviceType type, long tried) {}

    /** Returns the template with its arguments. */
    String cpp() {
        return template + "<" + String.join(", ", arguments) + ">";
    }

    /** Returns the macro's parameters behind the function's name. */
    String parameters() {
        return IntStream.range(0, values.size()).mapToObj(i -> ", V" + i).collect(Collectors.joining());
    }

    /** Returns the end of the function's name, with {@code $1} for the first value. */
    String ending() {
        return "__of"
                + IntStream.rangeClosed(1, values.size())
                        .mapToObj(i -> "_$" + i)
                        .collect(Collectors.joining());
    }

    /** Returns a use of the macro with the values that are tried. */
    String tried(String macro) {
        return macro + "(" + macro + "__of"
                + values.stream().map(each -> "_" + each.tried()).collect(Collectors.joining())
                + values.stream().map(each -> ", " + each.tried()).collect(Collectors.joining()) + ")";
    }

    /** Returns the template with the names of its values, for people. */
    String readable() {
        String text = cpp();
        for (int i = 0; i < values.size(); i++) {
            text = text.replaceAll(
                    "\\([\\w: ]+\\) \\(V" + i + "\\)", values.get(i).name());
        }
        return text;
    }
}
