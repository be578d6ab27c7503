// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.HashSet;
import java.util.Set;

/** Names of functions and globals of a program. They have the letters of PTX, and each is used once. */
final class Names {
    private final Set<String> taken = new HashSet<>();

    /** Makes a name of one of Java, which may have letters of any alphabet. */
    String unique(String java) {
        StringBuilder clean = new StringBuilder();
        java.codePoints().forEach(letter -> {
            if (letter > 127) {
                clean.append('u').append(Integer.toHexString(letter));
            } else {
                clean.append(Character.isLetterOrDigit(letter) ? (char) letter : '_');
            }
        });
        String unique = clean.toString();
        for (int i = 2; !taken.add(unique); i++) {
            unique = clean + "_" + i;
        }
        return unique;
    }
}
