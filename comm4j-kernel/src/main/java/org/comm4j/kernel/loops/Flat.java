// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;

/**
 * A kernel without calls, structs and variables' addresses.
 *
 * @param parts the first is where threads begin; all can be reached
 * @param stops by their numbers, from 1
 */
record Flat(List<Part> parts, List<Stop> stops, List<Room> rooms, List<Argument> arguments, List<Callee> callees) {
    /**
     * A scalar part of the parameters.
     *
     * @param room of a pointer; null of a number
     */
    record Argument(
            Val.Arg value,
            @org.jspecify.annotations.Nullable Room room) {}
}
