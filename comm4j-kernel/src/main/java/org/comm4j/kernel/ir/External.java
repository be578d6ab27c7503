// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.List;

/**
 * A function that is not in the module.
 *
 * @param convergent whether all threads of a warp or block must come together to it
 * @param pure whether it only computes its result
 */
public record External(String symbol, Type result, List<Type> parameters, boolean convergent, boolean pure) {
    public External {
        parameters = List.copyOf(parameters);
    }
}
