// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;

/**
 * A kernel without calls, structs and variables' addresses.
 *
 * @param parts the first is where threads begin; all can be reached; none of a kernel that another process has read
 * @param stops by their numbers, from 1
 */
record Flat(List<Part> parts, List<Stop> stops, List<Room> rooms, List<Argument> arguments, List<Callee> callees) {
    /** Returns it as another process gets it: loops cannot be made of that. */
    Flat withoutSteps() {
        return new Flat(List.of(), stops, rooms, arguments, callees);
    }

    boolean hasSteps() {
        return !parts.isEmpty();
    }

    /**
     * A scalar part of the parameters.
     *
     * @param room of a pointer; null of a number
     */
    record Argument(
            Val.Arg value,
            @org.jspecify.annotations.Nullable Room room) {}
}
