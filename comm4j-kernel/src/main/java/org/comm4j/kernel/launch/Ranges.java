// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.launch;

import java.util.Arrays;

/** Memory that the arguments of a launch reach. One object serves launch after launch. */
final class Ranges {
    private int count;
    private int[] parameters = new int[8];
    private long[] from = new long[8];
    private long[] bytes = new long[8];
    private String[] names = new String[8];
    private Object[] of = new Object[8];

    /**
     * Adds some memory.
     *
     * @param name {@code x}, or {@code x.left} of a record
     * @param what the buffer or pointer, for messages
     */
    void add(int parameter, String name, Object what, long address, long length) {
        if (count == parameters.length) {
            parameters = Arrays.copyOf(parameters, 2 * count);
            from = Arrays.copyOf(from, 2 * count);
            bytes = Arrays.copyOf(bytes, 2 * count);
            names = Arrays.copyOf(names, 2 * count);
            of = Arrays.copyOf(of, 2 * count);
        }
        parameters[count] = parameter;
        from[count] = address;
        bytes[count] = length;
        names[count] = name;
        of[count++] = what;
    }

    /** Lets the memory of a launch go. */
    void clear() {
        Arrays.fill(of, 0, count, "");
        count = 0;
    }

    int count() {
        return count;
    }

    int parameter(int range) {
        return parameters[range];
    }

    String name(int range) {
        return names[range];
    }

    Object of(int range) {
        return of[range];
    }

    boolean overlap(int one, int other) {
        return Long.compareUnsigned(from[one], from[other] + bytes[other]) < 0
                && Long.compareUnsigned(from[other], from[one] + bytes[one]) < 0
                && bytes[one] > 0
                && bytes[other] > 0;
    }
}
