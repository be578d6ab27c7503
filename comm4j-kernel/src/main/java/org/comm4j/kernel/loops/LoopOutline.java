// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;
import org.comm4j.kernel.frontend.Frontend;

/**
 * What launches have to know of a kernel besides its loops.
 *
 * @param flat its arguments, memory, stops and callees, without steps
 * @param parameters the numbers of those of the method that are passed
 * @param unit the bytes of the smallest access of the arguments' and dynamic shared memory
 */
record LoopOutline(Flat flat, List<Integer> parameters, int unit, Sharing.Known sharing) {
    static LoopOutline of(Flat flat, Frontend.Result source) {
        return new LoopOutline(
                flat.withoutSteps(),
                source.parameters().stream()
                        .map(Frontend.KernelParameter::index)
                        .toList(),
                LoopCode.unit(flat),
                new Sharing(flat).known());
    }
}
