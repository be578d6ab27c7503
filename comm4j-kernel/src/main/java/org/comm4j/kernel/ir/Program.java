// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.List;

/**
 * A kernel with all that it calls.
 *
 * @param fast whether floating-point arithmetic may be quicker than exact: contraction, approximate division and roots,
 *     denormals as zero
 * @param checked whether what Java would answer with an exception ends the kernel with an error: division by zero, an
 *     index outside of a view or an array
 * @param lines whether line numbers go along
 * @param units names of device code that is to be linked in
 */
public record Program(
        Function kernel,
        List<Function> functions,
        List<Global> globals,
        boolean fast,
        boolean checked,
        boolean lines,
        List<String> units) {
    /** @param functions those that are called, without the kernel */
    public Program {
        functions = List.copyOf(functions);
        globals = List.copyOf(globals);
        units = List.copyOf(units);
    }
}
