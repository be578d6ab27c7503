// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * C functions that are the same but for one word in their names, which stands for a C type or a number of bits. Each is
 * looked up when it is asked for the first time; after that it is the element of an array.
 *
 * @param <E> the words
 */
public final class NativeFamily<E extends Enum<E> & NativeFamily.Member> {
    /** A word in the names of functions. */
    public interface Member {
        /** As it stands in the names. */
        String word();
    }

    private static final String GAP = "<\\w>";

    private final NativeLibrary library;
    private final String pattern;
    private final String since;
    private final List<String> words;
    private final E[] all;
    private final @Nullable NativeFunction[] functions;

    /**
     * @param pattern the names in C, with a letter in angle brackets for the word
     * @param since version of the library that brought them, or empty
     * @param words for which there are functions, separated by blanks
     */
    NativeFamily(NativeLibrary library, String pattern, String since, Class<E> members, String words) {
        this.library = library;
        this.pattern = pattern;
        this.since = since;
        this.words = List.of(words.split(" "));
        this.all = members.getEnumConstants();
        this.functions = new NativeFunction[all.length];
    }

    /**
     * The function of a member.
     *
     * @throws UnsupportedOperationException if no version of the library has one for it
     */
    public NativeFunction function(E member) {
        // Found twice by two threads it is the same: a record of what the loader says.
        NativeFunction function = functions[member.ordinal()];
        return function != null ? function : look(member);
    }

    private NativeFunction look(E member) {
        String name = name(member);
        if (!words.contains(member.word())) {
            throw new UnsupportedOperationException(library.name().text() + " has no function " + name + ", only for "
                    + String.join(", ", words) + ": " + pattern);
        }
        NativeFunction function = library.function(name, since);
        functions[member.ordinal()] = function;
        return function;
    }

    private String name(E member) {
        return pattern.replaceFirst(GAP, member.word());
    }

    /** Whether the loaded library has the function of a member; false if there is no library. */
    public boolean has(E member) {
        return words.contains(member.word()) && function(member).isPresent();
    }

    /** The function of that name, or null if the family has none. */
    @Nullable
    NativeFunction named(String name) {
        for (E member : all) {
            if (words.contains(member.word()) && name(member).equals(name)) {
                return function(member);
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return pattern;
    }
}
