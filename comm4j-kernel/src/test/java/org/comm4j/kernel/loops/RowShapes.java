// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.reflect.Method;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;

/** Vector loops of kernels, for tests that ask whether there are any. */
public final class RowShapes {
    private RowShapes() {}

    /**
     * Returns how many threads of a row read before one of them writes.
     *
     * @return 0 if results are collected, −1 if the kernel has no vector loop
     */
    public static int lanes(Method kernel, JavaMethods java) {
        Flat flat = Flattener.of(
                Frontend.compile(KernelSource.of(kernel), FrontendOptions.HOST).program(), java);
        RowShape shape = flat.stops().isEmpty()
                ? RowShape.of(flat, new Layout(flat, new Form(true, false, false, false, true), true))
                : null;
        return shape == null ? -1 : shape.lanes();
    }
}
