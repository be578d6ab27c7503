// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.comm4j.kernel.lang.Kernel;

/**
 * A kernel with all that it calls.
 *
 * @param math how floating-point arithmetic is done; never {@link Kernel.Math#DEFAULT}
 * @param checked whether what Java would answer with an exception ends the kernel with an error: division by zero, an
 *     index outside of a view or an array
 * @param lines whether line numbers go along
 * @param units names of device code that is to be linked in
 */
public record Program(
        Function kernel,
        List<Function> functions,
        List<Global> globals,
        Kernel.Math math,
        boolean checked,
        boolean lines,
        List<String> units) {
    /** The name of memory for values that are one of several records. */
    public static final String UNION = "union";

    /** @param functions those that are called, without the kernel */
    public Program {
        functions = List.copyOf(functions);
        globals = List.copyOf(globals);
        units = List.copyOf(units);
    }

    /** Returns the bytes of values that are one of several records, by the name of the sealed interface. */
    public SortedMap<String, Long> unions() {
        SortedMap<String, Long> unions = new TreeMap<>();
        Stream.concat(Stream.of(kernel), functions.stream())
                .flatMap(function -> function.blocks().stream())
                .flatMap(block -> block.instructions().stream())
                .forEach(instruction -> {
                    if (instruction instanceof Instruction.Alloca memory
                            && memory.name().equals(UNION)
                            && memory.allocated() instanceof Type.Struct union) {
                        unions.put(union.name(), union.bytes());
                    }
                });
        return unions;
    }

    /** Returns true if arithmetic may be approximate, and denormal numbers 0. */
    public boolean fast() {
        return math == Kernel.Math.FAST;
    }
}
