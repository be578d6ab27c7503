// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.List;
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
    /** @param functions those that are called, without the kernel */
    public Program {
        functions = List.copyOf(functions);
        globals = List.copyOf(globals);
        units = List.copyOf(units);
    }

    /** Returns true if arithmetic may be approximate, and denormal numbers 0. */
    public boolean fast() {
        return math == Kernel.Math.FAST;
    }
}
